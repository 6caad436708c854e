#!/usr/bin/env bash
# Shows that the memory of `solve` does not follow the input: 5 million rows, also when the first
# puzzle takes longer than all others, stay under 64 MiB. Needs python3, which reads the peak.
set -euo pipefail
cd "$(dirname "$0")/../.."
cargo build --release --quiet
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

slow='..............3.85..1.2.......5.7.....4...1...9.......5......73..2.1........4...9'
full='534678912672195348198342567859761423426853791713924856961537284287419635345286179'
{ echo "$slow"; yes "$full" | head -n 4999999; } > "$work/slow-first.txt" || true
yes "$full,$full" | head -n 5000000 > "$work/even.csv" || true

for input in slow-first.txt even.csv; do
    python3 - target/release/sudoku-bench solve "$work/$input" -t early-return -q -o "$work/out.csv" <<'PY'
import os, subprocess, sys
with subprocess.Popen(sys.argv[1:]) as process:
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
mib = usage.ru_maxrss / 1024
with open(sys.argv[-1], "rb") as out:
    rows = sum(1 for _ in out) - 1
name = os.path.basename(sys.argv[3])
print(f"{name}: {rows:,} rows out, peak {mib:.1f} MiB")
sys.exit(process.returncode or rows != 5_000_000 or mib >= 64)
PY
done
