#!/usr/bin/env bash
# Shows that scripts/spark_solve.py answers every row once, on a real cluster: a standalone master and
# two workers on loopback, one of whose executors is killed midway in a second run. Every result is
# compared row by row with that of one process; the other ways of the script and what must fail are
# tried, too. With `times`, on a quiet machine, also the core time per row, which a reader judges. Needs
# Java 17 or newer, python3 with venv, and pip; installs scripts/requirements.txt into
# target/spark-venv.
#   scripts/evidence/spark.sh [ROWS [times]]
set -euo pipefail
cd "$(dirname "$0")/../.."
cargo build --release --quiet
root=$PWD bin=$PWD/target/release/sudoku-bench venv=$PWD/target/spark-venv
rows=${1:-200000} script=$root/scripts/spark_solve.py helper=$root/scripts/evidence/spark.py
if ! cmp -s scripts/requirements.txt "$venv/requirements.txt"; then
    rm -rf "$venv"
    python3 -m venv "$venv"
    "$venv/bin/pip" install --quiet --disable-pip-version-check -r scripts/requirements.txt
    cp scripts/requirements.txt "$venv"
fi
work=$(mktemp -d)
# Every process of Java bears this, so that none is left and no other is meant.
mark=-Dsudoku.bench.evidence=$work
stop_all() {
    for signal in TERM KILL; do
        mapfile -t left < <(pgrep -f -- "$mark")
        [ "${#left[@]}" -eq 0 ] || kill -"$signal" "${left[@]}" 2> /dev/null || true
        for _ in {1..100}; do pgrep -f -- "$mark" > /dev/null || break; sleep 0.1; done
    done
    rm -rf "$work"
}
trap stop_all EXIT
cd "$work"
SPARK_HOME=$("$venv/bin/python" -c 'import pyspark; print(pyspark.__path__[0])')
export SPARK_HOME PYSPARK_PYTHON=$venv/bin/python PATH="$venv/bin:$PATH"
export SPARK_LOCAL_IP=127.0.0.1 SPARK_DAEMON_JAVA_OPTS="$mark -Dspark.master.rest.enabled=false"
sort() { LC_ALL=C command sort "$@"; }

# Rows that differ in their numbers, some damaged, with blank lines and the header once more.
awk -v rows="$rows" -F , -v OFS=, '
    NR == 1 { header = "id," $0; print header; next }
    { puzzle[NR - 2] = $0 }
    END {
        for (id = 1; id <= rows; id++) {
            row = puzzle[id % (NR - 1)]
            if (id % 1000 == 0) row = substr(row, 2)
            if (id % 7777 == 0) print ""
            if (id == int(rows / 2)) print header
            print id, row
        }
    }' "$root/data/everyday.csv" > in.csv
"$bin" solve in.csv --keep-columns -o whole.csv --quiet 2> /dev/null || [ $? -eq 5 ]
header=$(head -n 1 whole.csv)
tail -n +2 whole.csv | sort > whole.sorted
[ "$(wc -l < whole.sorted)" -eq "$rows" ]

# Most of the work of such short jobs would be that of Java's second compiler.
java="$mark -XX:TieredStopAtLevel=1 -XX:+UseSerialGC"
submit() { # MASTER ARGUMENT…: of spark-submit
    local master=$1
    shift
    "$venv/bin/spark-submit" --master "$master" --conf spark.log.level=WARN \
        --conf spark.ui.enabled=false --driver-java-options "$java" \
        --conf "spark.executor.extraJavaOptions=$java" "$@" > out 2> err || { cat err; return 1; }
}
counts() { # ROWS: what the records add up to
    python3 -c 'import json, sys
counted = sum(json.load(open("out"))["rows"].values())
assert counted == int(sys.argv[1]), counted' "$1"
}
same() { # FOLDER: its rows are those of one process
    cat "$1"/part-* | grep -v '^#partial,' | grep -vxF "$header" | sort | cmp - whole.sorted
    counts "$rows"
    printf '%s: the %s rows of one process (%s s)\n' "$1" "$rows" "$SECONDS"
    SECONDS=0
}

# A standalone cluster.
"$SPARK_HOME/bin/spark-class" org.apache.spark.deploy.master.Master --host 127.0.0.1 --port 0 \
    --webui-port 0 > master.log 2>&1 &
appears() { # PATTERN FILE
    for _ in {1..300}; do grep -qs "$1" "$2" && return; sleep 0.1; done
    cat "$2"
    return 1
}
appears 'master at spark://' master.log
master=$(grep -o 'spark://127.0.0.1:[0-9]*' master.log | head -n 1)
for worker in 1 2; do
    "$SPARK_HOME/bin/spark-class" org.apache.spark.deploy.worker.Worker --host 127.0.0.1 --cores 1 \
        --memory 1g --webui-port 0 --work-dir "$work/worker$worker" "$master" \
        > "worker$worker.log" 2>&1 &
    appears 'registered with master' "worker$worker.log"
done
echo "master and two workers at $master"

SECONDS=0
submit "$master" --files "$bin" "$script" in.csv lines
same lines

# Tasks that last, so that an executor can be killed between the first and the last of them.
printf '#!/bin/sh\nsleep 0.5\nexec "%s" "$@"\n' "$bin" > slow
chmod +x slow
mkdir events
submit "$master" --conf spark.eventLog.enabled=true --conf "spark.eventLog.dir=file://$work/events" \
    --conf spark.eventLog.compress=false --conf spark.eventLog.rolling.enabled=false \
    "$script" in.csv killed --partitions 24 --binary "$work/slow" &
job=$!
finished() { find killed -path '*/task_*/part-*' 2> /dev/null | wc -l; }
until [ "$(finished)" -ge 4 ]; do kill -0 "$job"; sleep 0.05; done
victim=$(pgrep -f -- "$mark .*CoarseGrainedExecutorBackend" | head -n 1)
kill -KILL "$victim"
before=$(finished)
[ ! -e killed/_SUCCESS ]
wait "$job"
lost=$(cat events/* | grep -c '"Reason":"ExecutorLostFailure"' || true)
[ "$lost" -gt 0 ] || { echo "no task was lost with executor $victim"; exit 1; }
echo "SIGKILL to executor $victim after $before of $(ls killed/part-* | wc -l) parts; tasks lost: $lost"
same killed

submit "$master" "$script" in.csv shards --shards 5 --binary "$bin"
same shards
[ -z "$(find shards -name '.*')" ]

# The program dies while it writes a shard, once.
cat > falling << END
#!/usr/bin/env bash
if [[ "\$*" == *--shard=3/5* ]] && mkdir "$work/fallen" 2> /dev/null; then
    own=\${*: -1} hidden=\${own%/*}/.\${own##*/}.partial
    until [ -s "\$hidden" ]; do
        # It is so fast that one may come too late.
        rm -f "\$own"
        "$bin" "\$@" &
        until [ -s "\$hidden" ] || [ -e "\$own" ]; do kill -0 \$! || [ -e "\$own" ] || exit 1; done
        kill -KILL \$!
        wait \$! || true
    done
    cp "\$hidden" "$work/fallen"
    kill -KILL \$\$
fi
exec "$bin" "\$@"
END
chmod +x falling
submit "$master" "$script" in.csv fallen-shards --shards 5 --binary "$work/falling"
grep -q 'shard 3/5: exit code -9' err
left=$(find fallen -name '..part-00003.csv.*.partial' -size +0 -printf '%s')
[ "$left" -gt 0 ]
echo "SIGKILL to the program after $left bytes of shard 3"
same fallen-shards
[ -z "$(find fallen-shards -name '.*')" ]

"$venv/bin/python" "$helper" write in.csv in.parquet
submit "$master" --files "$bin" "$script" in.parquet parquet --partitions 6
"$venv/bin/python" "$helper" read parquet | sort | cmp - whole.sorted
counts "$rows"
echo "parquet: the $rows rows of one process ($SECONDS s)"

SECONDS=0
submit 'local-cluster[2,1,1024]' --files "$bin" "$script" in.csv local-cluster
same local-cluster

# Little input, and what must fail. These run one after the other in one process of Java.
: > empty.csv
head -n 1 in.csv > header.csv
head -n 2 in.csv > one.csv
printf '#!/bin/sh\ncase "$*" in *--partial*) kill -KILL $$ ;; esac\nexec "%s" "$@"\n' "$bin" > dying
printf '#!/bin/sh\ncase "$*" in *--partial*) head -n -1 | "%s" "$@" ;; *) exec "%s" "$@" ;; esac\n' \
    "$bin" "$bin" > losing
printf '#!/bin/sh\n"%s" "$@"\ncode=$?\ncase "$*" in *--shard=2/*) for own; do :; done; sed -i "\\$d" "$own" ;; esac\nexit $code\n' \
    "$bin" > forgetting
chmod +x dying losing forgetting
submit 'local[2]' "$helper" few "$script" "$bin"
cat out
echo "little input, and what must fail ($SECONDS s)"

[ "${2:-}" = times ] || exit 0
# Core time per row: what two million more rows take, so that the start of Java does not count.
for _ in {1..10}; do cat in.csv; done > more.csv
cat in.csv >> more.csv
cores() { "$venv/bin/python" "$helper" cores "$@"; }
per_row() { # NAME SMALL LARGE: seconds for ROWS, and for 11 times as many
    python3 -c 'import sys
name, small, large, rows = sys.argv[1], *map(float, sys.argv[2:])
print(f"{name}: {small:.1f} s of core time for {rows:,.0f} rows, {large:.1f} s for {rows * 11:,.0f}: "
      f"{(large - small) / rows / 10 * 1e6:.2f} us for each more")' "$1" "$2" "$3" "$rows"
}
alone() { cores "$bin" solve "$1" --keep-columns -j 1 -o alone.csv --quiet 2> /dev/null || [ $? -eq 5 ]; }
spark() { # FILE FOLDER ARGUMENT…
    cores "$venv/bin/spark-submit" --master 'local[2]' --conf spark.log.level=WARN \
        --conf spark.ui.enabled=false --driver-java-options "$mark" "$script" "$@" --binary "$bin" \
        2> err || { cat err; return 1; }
}
per_row 'one process' "$(alone in.csv)" "$(alone more.csv)"
per_row 'lines through Spark' "$(spark in.csv l1)" "$(spark more.csv l2)"
per_row 'shards under Spark' "$(spark in.csv s1 --shards 8)" "$(spark more.csv s2 --shards 8)"
