#!/usr/bin/env bash
# Shows that the crate builds from its package, and that a report names a commit only if it is the
# crate's own: none from the package elsewhere or inside another project's repository, but the right
# one, and whether it is dirty, from a checkout.
set -euo pipefail
cd "$(dirname "$0")/../.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cargo package --no-verify --allow-dirty --quiet --target-dir "$work/package"
# Nothing is timed: the quickest build will do.
export CARGO_TARGET_DIR="$work/target" CARGO_PROFILE_DEV_OPT_LEVEL=0 CARGO_PROFILE_DEV_DEBUG=false
head -n 21 data/everyday.csv > "$work/puzzles.csv"

# What the report of a build in folder $1 says: `commit dirty`, without quotes.
reported() {
    (cd "$1" && cargo build --locked --quiet)
    "$CARGO_TARGET_DIR/debug/sudoku-bench" compare "$work/puzzles.csv" -q -t mrv -o "$work/run" > "$work/report.md"
    sed -n 's/^ *"\(commit\|dirty\)": "\?\([^",]*\)"\?,$/\2/p' "$work/run/report.json" | paste -sd ' '
}

expect() {
    echo "$1: $2"
    [ "$2" = "$3" ] || { echo "expected: $3"; exit 1; }
}

commit_all() {
    git -C "$1" init --quiet
    git -C "$1" add --all
    git -C "$1" -c user.name=nobody -c user.email=nobody@localhost commit --quiet --message "$1"
}

mkdir "$work/elsewhere" "$work/other"
tar -xzf "$work"/package/package/*.crate -C "$work/elsewhere" --strip-components 1
expect "elsewhere" "$(reported "$work/elsewhere")" "null null"

cp -r "$work/elsewhere" "$work/other/inside"
commit_all "$work/other"
expect "in another repository" "$(reported "$work/other/inside")" "null null"

cp -r "$work/elsewhere" "$work/checkout"
commit_all "$work/checkout"
head=$(git -C "$work/checkout" rev-parse HEAD)
expect "in a checkout" "$(reported "$work/checkout")" "$head false"
echo >> "$work/checkout/src/main.rs"
expect "in a changed checkout" "$(reported "$work/checkout")" "$head true"
