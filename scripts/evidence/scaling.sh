#!/usr/bin/env bash
# Wall time of `solve` with two threads as a ratio to that with one, on a template workload of some
# seconds, in turn. Needs python3, two idle cores, and a reader: it judges nothing.
set -euo pipefail
cd "$(dirname "$0")/../.."
cargo build --release --quiet
python3 - "${1:-7}" <<'PY'
import statistics, subprocess, sys, time

def seconds(threads):
    start = time.monotonic()
    subprocess.run(
        ["target/release/sudoku-bench", "solve", "data/sparse.csv", "-t", "rescan", "-q",
         "-j", str(threads), "-o", "/dev/null"], check=True)
    return time.monotonic() - start

seconds(2)
rounds = [(seconds(1), seconds(2)) for _ in range(int(sys.argv[1]))]
one, two = (statistics.median(times) for times in zip(*rounds))
ratio = statistics.median(two / one for one, two in rounds)
print(f"-j 1: {one:.2f} s, -j 2: {two:.2f} s (medians); median ratio {ratio:.3f}")
PY
