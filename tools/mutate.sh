#!/bin/sh
# Changes that must not survive: one constant of each implementation (its digest must then be refused, without
# figures), and one more cycle in each timing row (a cycle test must then fail). Exit 1 if one survives.
set -eu
cd "$(dirname "$0")/.."
root=$(pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
boards=${BOARDS:-cw-xmega}

# A copy of the tree that ujoule reads, in which one file can be changed.
fresh() {
    rm -rf "$work/tree"
    mkdir "$work/tree"
    for folder in devices firmware studies; do ln -s "$root/$folder" "$work/tree/$folder"; done
    cp -r primitives "$work/tree/primitives"
}

# The C files of an implementation: its own, then those of the folders it uses.
sources() {
    ls "primitives/$1"/*.c "primitives/$1"/*.h 2>/dev/null || true
    sed -n 's/^uses: *\[\(.*\)\].*/\1/p' "primitives/$1/impl.yaml" | tr ',' '\n' | tr -d ' ' |
        while read -r used; do [ -z "$used" ] || ls "primitives/$used"/*.c 2>/dev/null; done
}

# Flips the lowest bit of the first constant of a table, else of the first hexadecimal constant; comments aside.
mutate() {
    for pattern in 'static const [^=]*= *{+ *(0[xX])?[0-9a-fA-F]+' '0[xX][0-9a-fA-F]+'; do
        awk -v pattern="$pattern" '
        !done && !/^ *(\*|\/\*|\/\/)/ && match($0, pattern) {
            end = RSTART + RLENGTH - 1
            digit = tolower(substr($0, end, 1))
            flipped = substr("1032547698badcfe", index("0123456789abcdef", digit), 1)
            $0 = substr($0, 1, end - 1) flipped substr($0, end + 1)
            done = 1
        }
        { print }' "$1" >"$2"
        cmp -s "$1" "$2" || return 0
    done
    return 1
}

# Whether a length of $1 is refused, and every refused one without figures.
refused() {
    UJOULE_ROOT="$work/tree" ./ujoule bench -d "$boards" -a "$algorithm" -i "$implementation" -n "$1" \
        --db "$work/mutate.db" --again -f json >"$work/out.json" 2>"$work/err" || true
    grep -q '"verified": false' "$work/out.json" &&
        ! grep '"verified": false' "$work/out.json" | grep -vq '"cycles": null'
}

survived=0
tried=0
for yaml in primitives/*/*/*/impl.yaml; do
    grep -q '^needs:' "$yaml" && continue
    path=$(dirname "${yaml#primitives/}")
    algorithm=$(basename "$(dirname "$path")")
    implementation=$(basename "$path")
    fresh
    changed=""
    for file in $(sources "$path"); do
        mutate "$file" "$work/tree/$file" && changed=$file && break
    done
    if [ -z "$changed" ]; then
        echo "$path: no constant to change"
        survived=$((survived + 1))
        continue
    fi
    tried=$((tried + 1))
    # A constant of the padding leaves some lengths right, one of a tree all the short ones.
    if ! refused 16,31,200 && ! refused 9000; then
        echo "survived: $path with another constant in $changed"
        survived=$((survived + 1))
    fi
done
echo "mutate: $tried implementations, $survived survived"

for program in build/release/tests/*/mutate_* build/release/tests/mutate_*; do
    [ -x "$program" ] || continue
    "$program" || survived=$((survived + 1))
done
[ "$survived" = 0 ]
