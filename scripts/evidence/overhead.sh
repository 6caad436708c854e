#!/usr/bin/env bash
# Shows that `compare` spends its time on the searches it counts and times: the whole process, from
# its start to its end, takes at most 1.15 times as long, with one thread and with two. Needs
# python3 and a quiet machine with two cores.
set -euo pipefail
cd "$(dirname "$0")/../.."
cargo build --release --quiet
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# Where a search takes some microseconds, what is done once for each weighs most.
target/release/sudoku-bench generate -n 50000 --clues 34-36 -q -o "$work/easy.csv"
python3 - "$work" <<'PY'
import json, os, subprocess, sys, time

MOST = 1.15
work = sys.argv[1]

def ratios(threads, arguments):
    """Time of the comparison, and of the process, each as a ratio to that of the searches."""
    command = ["target/release/sudoku-bench", "compare", *arguments, "-q", "-j", str(threads),
               "-o", f"{work}/run"]
    start = time.perf_counter_ns()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    process_ns = time.perf_counter_ns() - start
    with open(f"{work}/run/report.json") as report:
        effort = json.load(report)["files"][0]["effort"]
    searches_ns = (effort["timed_ns"] + effort["counting_ns"]) / threads
    return effort["wall_ns"] / searches_ns, process_ns / searches_ns, process_ns / 1e9

inputs = {
    "embedded": [],
    "everyday": ["data/everyday.csv", "--sample", "2k"],
    "easy": [f"{work}/easy.csv"],
}
exceeded = False
for name, arguments in inputs.items():
    for threads in 1, 2:
        comparison, process, seconds = ratios(threads, arguments)
        exceeded |= process > MOST
        print(f"{name:<9} -j {threads}: comparison {comparison:.3f}, process {process:.3f} "
              f"of the searches' time; {seconds:.1f} s, load {os.getloadavg()[0]:.2f}", flush=True)
sys.exit(f"more than {MOST}" if exceeded else 0)
PY
