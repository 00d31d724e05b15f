#!/bin/sh
# What the compiler does not check: the direction of includes, banned functions, unique file names, the
# formatting, and that no address of a package host has crept in. Prints every offence; exit 1 if there is one.
set -u
cd "$(dirname "$0")/.." || exit 1
bad=0
report() {
    [ -n "$1" ] || return 0
    printf '%s\n%s\n' "$2" "$1" | sed '2,$s/^/  /'
    bad=1
}

# folder: the folders it may include, besides itself and base
includes() {
    cat <<'END'
base:
sim:
isa: sim
periph: sim
radio: sim
image: sim
build: sim image
measure: sim image
energy: sim
store:
report: store
cli: build image measure energy store report sim
END
}
for folder in $(includes | cut -d: -f1); do
    allowed=$(includes | sed -n "s/^$folder: *//p")
    pattern=$(printf '%s|' base "$folder" $allowed | sed 's/|$//')
    report "$(grep -rnE '^#include "[a-z0-9_]+/' --include='*.[ch]' "src/$folder" 2>/dev/null |
        grep -vE "#include \"($pattern)/")" "src/$folder may include only: base $folder $allowed"
done

# Calls that cannot be used safely, or have a better form here (base/str.h).
banned='strcpy|strcat|sprintf|vsprintf|gets|strtok|atoi|atol|atof|rand|srand|system|popen|tmpnam|mktemp|alloca|localtime|gmtime|ctime|setjmp|longjmp'
report "$(grep -rnE "(^|[^a-zA-Z0-9_>.])($banned) *\(" --include='*.[ch]' src firmware primitives |
    grep -vE '^\S+:\s*(/?\*|//)')" "banned functions"

# Each family of chips gives its own uj_arch.h.
report "$(git ls-files 'src/*.[ch]' 'firmware/*.[ch]' 'primitives/*.[chS]' | sed 's|.*/||' | grep -vx uj_arch.h | sort | uniq -d)" \
    "file names that are not unique"

# Tables aside, a file has one subject; 500 lines are a sign of two.
report "$(git ls-files 'src/*.[ch]' 'firmware/*.[ch]' | xargs wc -l |
    awk '$2 != "total" && $1 > 500 {print $1 " lines: " $2}')" "long files"

hosts='deb\.debian|registry\.npm|archive\.ubuntu|snapshot\.debian|pypi\.org'
report "$(git grep -nIE "$hosts" -- ':!tools/check_source.sh')" "addresses of package hosts"

report "$(git ls-files '*.c' '*.h' | grep -v '^build/' | xargs clang-format --dry-run 2>&1 |
    grep -E 'warning:' | cut -d: -f1 | sort | uniq -c | awk '{print $2 ": " $1 " places"}')" \
    "not formatted (clang-format -i)"

[ "$bad" = 0 ] && echo "source: includes, banned functions, names, lengths and formatting are right"
exit "$bad"
