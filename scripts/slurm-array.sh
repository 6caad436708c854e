#!/usr/bin/env bash
# A task of a Slurm array: solves the rows of its range of FILE into FOLDER/part-NNNNN.csv, with the
# record of what it did as the last line. FILE and FOLDER are in a file system that all nodes share. The
# array begins at 1.
#   sbatch --array=1-64 scripts/slurm-array.sh FILE FOLDER [OPTION OF solve]…
# Some of the 64 once more:
#   SUDOKU_BENCH_SHARDS=64 sbatch --array=7,12 scripts/slurm-array.sh FILE FOLDER [OPTION OF solve]…
#SBATCH --job-name=sudoku-bench
#SBATCH --cpus-per-task=1
set -euo pipefail
file=${1:?FILE FOLDER [OPTION OF solve]…} folder=${2:?FILE FOLDER [OPTION OF solve]…}
shift 2
shards=${SUDOKU_BENCH_SHARDS:-${SLURM_ARRAY_TASK_COUNT:?this is a task of a Slurm array}}
mkdir -p "$folder"
code=0
sudoku-bench solve "$file" --shard "$SLURM_ARRAY_TASK_ID/$shards" --partial --keep-columns --quiet \
    -j "${SLURM_CPUS_PER_TASK:-1}" "$@" \
    -o "$folder/part-$(printf %05d "$SLURM_ARRAY_TASK_ID").csv" || code=$?
# Malformed rows are answers, and those who wait with `afterok` need not stop for them.
[ "$code" -eq 5 ] || exit "$code"
