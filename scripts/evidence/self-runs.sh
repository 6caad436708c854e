#!/usr/bin/env bash
# Shows that a comparison does not tell apart what is the same, and finds a known effect: of twenty
# runs of `break` against a copy of its own code none may say FASTER or SLOWER, and twenty against a
# copy that idles for 5 % must all say SLOWER. The runs share four link orders, and each has a seed
# of its own. Needs x86-64 Linux, where rustc links with LLD, and a quiet machine for ten minutes.
set -euo pipefail
cd "$(dirname "$0")/../.."
export CARGO_TARGET_DIR=target/self-runs
program=$CARGO_TARGET_DIR/release/examples/self-run
results=$CARGO_TARGET_DIR/results.txt

mkdir -p "$CARGO_TARGET_DIR"
: > "$results"
for order in 1 2 3 4; do
    cargo rustc --release --quiet --example self-run -- \
        -C "link-arg=-Wl,--shuffle-sections=.text*=$order"
    for run in 1 2 3 4 5; do
        for mode in twin spin; do
            line=$("$program" "$mode" --seed "$order$run")
            read -r load _ < /proc/loadavg
            echo "$line  seed $order$run  load $load" | tee -a "$results"
        done
    done
    layouts=$(sed -n 's/^twin.* layout \([0-9a-f]*\).*/\1/p' "$results" | sort -u | wc -l)
    if [ "$layouts" -ne "$order" ]; then
        echo "$order link orders gave $layouts layouts: either the linker does not shuffle sections," \
            "or the layout of one build is not the same in each run"
        exit 1
    fi
done

awk '
    {
        runs[$1]++
        verdicts[$1 " " $2]++
        if (!($1 in low) || $3 < low[$1]) low[$1] = $3
        if ($3 > high[$1]) high[$1] = $3
    }
    END {
        for (mode in runs) {
            printf "%s: %d runs, ratios from %s to %s:", mode, runs[mode], low[mode], high[mode]
            for (key in verdicts) {
                split(key, part)
                if (part[1] == mode) printf " %d %s", verdicts[key], part[2]
            }
            print ""
        }
        told_apart = verdicts["twin FASTER"] + verdicts["twin SLOWER"]
        missed = runs["spin"] - verdicts["spin SLOWER"]
        print told_apart " twins were told apart, " missed " spins were missed"
        exit told_apart || missed
    }' "$results"
