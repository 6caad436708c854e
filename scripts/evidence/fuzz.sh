#!/usr/bin/env bash
# Fuzzes everything that reads input, and the writer that keeps its columns:
#   scripts/evidence/fuzz.sh [SECONDS [TARGET…]]
# Each target runs for SECONDS, 600 unless said otherwise, and any finding fails the script. Needs a
# nightly compiler and `cargo install cargo-fuzz`. The corpus begins with the data sets and, where it
# is present, the collection of difficult inputs (see CONTRIBUTING).
set -euo pipefail
cd "$(dirname "$0")/../.."
seconds=${1:-600}
shift || true
targets=("$@")
[ ${#targets[@]} -gt 0 ] || targets=(grid read decode keep shards partial)

shared=${SUDOKU_BENCH_SHARED:-../shared}
for target in "${targets[@]}"; do
    corpus=fuzz/corpus/$target
    mkdir -p "$corpus"
    for file in data/famous.csv "$shared"/cases/inputs/*; do
        [ -f "$file" ] || continue
        name=$(basename "$file")
        # Two bytes before the text of some choose format and portions; 5 leaves the format open.
        { case $target in read | shards) printf '\005\020' ;; esac; head -c 4000 "$file"; } > "$corpus/$name"
    done
    echo "== $target, $seconds s"
    cargo +nightly fuzz run --release --debug-assertions "$target" -- \
        -max_total_time="$seconds" -max_len=8192 -timeout=10 -rss_limit_mb=2048 -print_final_stats=1 \
        2>&1 | tail -n 12
done
