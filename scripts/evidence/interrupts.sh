#!/usr/bin/env bash
# Shows that nothing is lost when something fails: a `solve` of a million rows is killed and
# interrupted at ten random moments each and continued, and the result is, its times aside, that of a
# run that nobody disturbed; a full disk and damaged or cut-off inputs are errors, with what was read
# before them answered. Needs python3.
#   scripts/evidence/interrupts.sh [ROWS]
set -euo pipefail
cd "$(dirname "$0")/../.."
cargo build --release --quiet
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
rows=${1:-1000000}
bin=$PWD/target/release/sudoku-bench

head -n 1 data/everyday.csv > "$work/in.csv"
{ while tail -n +2 data/everyday.csv; do :; done 2> /dev/null | head -n "$rows"; } \
    >> "$work/in.csv" || true
cd "$work"
without_times() { sed 's/,[0-9]*$//' "$1" | sha256sum; }
"$bin" solve in.csv -o whole.csv -q
[ "$(wc -l < whole.csv)" -eq $((rows + 1)) ]
whole=$(without_times whole.csv)

for signal in KILL INT; do
    python3 - "$bin" "$signal" <<'PY'
import os, random, signal, subprocess, sys, time
binary, name = sys.argv[1:]
command = [binary, "solve", "in.csv", "-o", "out.csv", "-q"]
start = time.monotonic()
subprocess.run(command, check=True)
whole = time.monotonic() - start
os.remove("out.csv")
stopped, seed = 0, random.randrange(1 << 32)
moments = random.Random(seed)
while stopped < 10:
    # The first begins anew, each later one goes on.
    again = ["--resume"] if os.path.exists(".out.csv.partial.json") else []
    process = subprocess.Popen(command + again, stderr=subprocess.DEVNULL)
    time.sleep(moments.uniform(0, whole / 5))
    process.send_signal(getattr(signal, "SIG" + name))
    code = process.wait()
    # In the first milliseconds nobody listens to SIGINT yet.
    assert code in (0, 130, -getattr(signal, "SIG" + name)), code
    if code == 0:
        # It was done before the signal came: once more from the start.
        os.remove("out.csv")
    else:
        stopped += 1
        assert not os.path.exists("out.csv"), "half a file has the final name"
print(f"SIG{name}: stopped {stopped} times (moments of seed {seed})")
resume = ["--resume"] if os.path.exists(".out.csv.partial.json") else []
subprocess.run(command + resume, check=True, stderr=subprocess.DEVNULL)
PY
    [ "$(without_times out.csv)" = "$whole" ]
    [ -z "$(find . -name '.out*')" ]
    rm out.csv
    echo "SIG$signal: continued to the same $rows rows"
done

fails() { # EXPECTED-REASON COMMAND…: exit code 1, and the reason on standard error
    local reason=$1 code=0
    shift
    "$@" 2> err > out || code=$?
    grep -q "$reason" err || { cat err; return 1; }
    [ "$code" -eq 1 ]
}
fails "No space left" "$bin" solve in.csv -o /dev/full
echo "a full disk: exit code 1"

head -n 100001 in.csv | gzip > in.gz
half=$(($(wc -c < in.gz) / 2))
head -c "$half" in.gz > cut.gz
fails "ends too early" "$bin" solve cut.gz
echo "gzip cut off: exit code 1 after $(($(wc -l < out) - 1)) rows"
[ "$(wc -l < out)" -gt 10000 ]
{ head -c "$half" in.gz; printf 'damaged damaged damaged'; tail -c +$((half + 24)) in.gz; } > bad.gz
fails "cannot read" "$bin" solve bad.gz
echo "gzip damaged in the middle: exit code 1 after $(($(wc -l < out) - 1)) rows"
[ "$(wc -l < out)" -gt 10000 ]
# What follows the damage can be wrong until the decoder notices; what comes before it cannot.
kept=$(cmp <(sed 's/,[0-9]*$//' out) <(sed 's/,[0-9]*$//' whole.csv) | sed 's/.*line //' || true)
echo "its rows are right up to line ${kept:-the last}"
[ "${kept:-10001}" -gt 10000 ]
