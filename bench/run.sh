#!/bin/sh
# Builds and runs every speed comparison: ujoule's cores against other simulators, ratios within one run.
set -eu
cd "$(dirname "$0")/.."
for source in bench/bench_*.c; do
    name=$(basename "$source" .c)
    target=ujoule_$name
    cmake --build build/release --target "$target" >build/$name.log 2>&1 || { cat "build/$name.log"; exit 1; }
    echo "== ${name#bench_}"
    "build/release/bench/$target"
done
