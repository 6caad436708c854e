#!/usr/bin/env bash
# Shows what memory follows. That of `solve` does not follow the input: 5 million rows, also when the
# first puzzle takes longer than all others, and single lines of 1 GB, as they are or compressed, stay
# under 64 MiB. That of `compare` grows by at most 32 bytes for each puzzle and arm. Needs python3,
# which reads the peaks.
set -euo pipefail
cd "$(dirname "$0")/../.."
cargo build --release --quiet
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Runs the program and prints its peak memory in bytes. Standard input is the program's.
measure='
import os, subprocess, sys
with subprocess.Popen(sys.argv[1:], stdout=subprocess.DEVNULL) as process:
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
print(usage.ru_maxrss * 1024)
sys.exit(process.returncode)
'
peak() { python3 -c "$measure" target/release/sudoku-bench "$@"; }

slow='..............3.85..1.2.......5.7.....4...1...9.......5......73..2.1........4...9'
full='534678912672195348198342567859761423426853791713924856961537284287419635345286179'
{ echo "$slow"; yes "$full" | head -n 4999999; } > "$work/slow-first.txt" || true
yes "$full,$full" | head -n 5000000 > "$work/even.csv" || true

for input in slow-first.txt even.csv; do
    bytes=$(peak solve "$work/$input" -t early-return -q -o "$work/out.csv")
    rows=$(($(wc -l < "$work/out.csv") - 1))
    echo "solve $input: $rows rows out, peak $((bytes >> 20)) MiB"
    [ "$rows" -eq 5000000 ] && [ "$bytes" -lt $((64 << 20)) ]
done

# One line of 1 GB and a puzzle after it, and 2.9 million boards on one line; what is not a row costs
# exit code 5, and no memory.
line() { head -c 1000000000 /dev/zero | tr '\0' "$1"; printf '\n%s\n' "$full"; }
row='["5","3","4","6","7","8","9","1","2"]'
board="[$row,$row,$row,$row,$row,$row,$row,$row,$row]"
boards() { printf '['; { yes "$board," | head -n 2900000 || true; } | tr -d '\n'; printf '%s]' "$board"; }
check() { # NAME ROWS
    bytes=$(peak solve - -q -o "$work/out.csv") || [ $? -eq 5 ]
    rows=$(($(wc -l < "$work/out.csv") - 1))
    echo "solve $1: $rows rows out, peak $((bytes >> 20)) MiB"
    [ "$rows" -eq "$2" ] && [ "$bytes" -lt $((64 << 20)) ]
}
line 1 | check "a line of 1 GB" 2
line '"' | check "a line of 1 GB of quotes" 2
line ' ' | check "a line of 1 GB of spaces" 2
line 1 | gzip -1 | check "a line of 1 GB, compressed" 2
boards | check "a line of 1 GB of boards" 2900001

# A baseline with its three copies, and another variant. The smaller run has all that does not grow.
arms=5
compare() {
    head -n "$1" "$work/even.csv" > "$work/part.csv"
    peak compare "$work/part.csv" -t mrv,break --passes 1 -q
}
few=200000 many=1200000
small=$(compare "$few")
large=$(compare "$many")
each=$(((large - small) / ((many - few) * arms)))
echo "compare: peak $((small >> 20)) MiB for $few puzzles, $((large >> 20)) MiB for $many;" \
    "$each bytes more for each puzzle and arm"
[ "$each" -le 32 ]
