#!/usr/bin/env bash
# Puzzles per second of the whole process, from file to file, for a million easy lines (the
# puzzles of data/everyday.csv, a hundred times over) and the same as CSV: on one core, on two, and
# their ratio, in turn. Needs python3, taskset, two idle cores, and a reader: it judges nothing.
#   scripts/evidence/throughput.sh [ROUNDS]
set -euo pipefail
cd "$(dirname "$0")/../.."
cargo build --release --quiet
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 - "$folder" "${1:-10}" <<'PY'
import subprocess, sys, time

folder, rounds = sys.argv[1], int(sys.argv[2])
puzzles = [row.split(",")[0] for row in open("data/everyday.csv").read().split()[1:]]
with open(f"{folder}/in.txt", "w") as file:
    file.write("\n".join(puzzles * 100) + "\n")
count = len(puzzles) * 100

def seconds(cores, options):
    command = ["taskset", "-c", ",".join(map(str, range(cores))),
               "target/release/sudoku-bench", "solve", f"{folder}/in.txt", "-q", "-j", str(cores),
               "-o", f"{folder}/out", *options]
    start = time.monotonic()
    subprocess.run(command, check=True)
    return time.monotonic() - start

for name, options in [("lines", ["--output-format", "lines"]), ("CSV", [])]:
    times = [(seconds(1, options), seconds(2, options)) for _ in range(rounds)]
    one, two = (count / min(column) for column in zip(*times))
    print(f"{name}: {one:,.0f} puzzles/s on one core, {two:,.0f} on two (fastest of {rounds}); "
          f"ratio {two / one:.2f}")
PY
