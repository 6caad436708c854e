#!/usr/bin/env bash
# Makes the generated data sets again, byte for byte. Usage: scripts/make-data.sh [DIR]
set -euo pipefail
cd "$(dirname "$0")/.."
dir=${1:-data}
mkdir -p "$dir"

generate() { cargo run --release --quiet -- generate --quiet --seed 37 "$@"; }
generate -n 10000 --clues 28-36 -o "$dir/everyday.csv"
generate -n 1000 --clues 22-25 -o "$dir/sparse.csv"

# The set inside the binary: about 15 million nodes for each of the three templates.
{
    head -n 1001 "$dir/everyday.csv"
    sed -n 2,101p "$dir/sparse.csv"
} > "$dir/embedded.csv"
