#!/usr/bin/env bash
# The claim-grade report: `compare` with the program linked in several orders of its functions, and
# the runs put together. Where the code lies makes a difference of its own; so it becomes a random
# error. Wants a quiet machine.
#
#   scripts/claim-run.sh [-o OUT] [FILE] [SEEDS] [-- OPTION…]
#
# FILE are the puzzles (default, or `embedded`: those in the binary), SEEDS is the number of layouts
# (12), OUT the folder for the runs and the report (out/layouts), OPTION… go to `compare`. Paths
# are relative to the repository. The program in target/release stays as it is.
set -euo pipefail
cd "$(dirname "$0")/.."
trap 'exit 130' INT TERM

fail() {
    echo "claim-run: $*" >&2
    exit 1
}

out=out/layouts operands=() options=()
while [ $# -gt 0 ]; do
    case $1 in
        -o) [ $# -ge 2 ] || fail "-o needs a folder"; out=$2; shift 2 ;;
        --) shift; options=("$@"); break ;;
        -?*) fail "unknown option $1; those of compare stand behind --" ;;
        *) operands+=("$1"); shift ;;
    esac
done
[ ${#operands[@]} -le 2 ] || fail "a file and a number of layouts at most; options of compare stand behind --"
file=${operands[0]:-embedded} seeds=${operands[1]:-12}
[[ $seeds =~ ^[1-9][0-9]*$ && $seeds -ge 2 ]] || fail "expected a number of layouts from 2, not '$seeds'"
files=()
if [ "$file" != embedded ]; then
    [ -f "$file" ] || fail "there is no file $file"
    files=("$file")
fi
case " ${options[*]-} " in
    *\ --time-budget*) fail "layouts are compared on the same puzzles; --sample takes fewer" ;;
esac
# A core is left to the system.
case " ${options[*]-} " in
    *\ -j* | *\ --jobs*) ;;
    *) cores=$(nproc); options+=(-j "$((cores > 1 ? cores - 1 : 1))") ;;
esac

export CARGO_TARGET_DIR=${CARGO_TARGET_DIR:-target}/claim-run
programs=$CARGO_TARGET_DIR/programs
mkdir -p "$programs"
head -n 2 data/everyday.csv > "$programs/one.csv"
echo "building" >&2
# If this works and a link below does not, it is the linker's doing.
cargo build --release --quiet
declare -A seed_of
for ((seed = 1; seed <= seeds; seed++)); do
    echo "linking layout $seed of $seeds" >&2
    # The report names the flag, of which cargo tells the program nothing.
    flag="link-arg=-Wl,--shuffle-sections=.text*=$seed"
    SUDOKU_BENCH_LAYOUT="-C $flag" cargo rustc --release --quiet --bin sudoku-bench -- -C "$flag" ||
        fail "the linker takes no --shuffle-sections. LLD does, with which rustc 1.90 or newer" \
            "links on x86-64 Linux; this is $(rustc -V)"
    cp "$CARGO_TARGET_DIR/release/sudoku-bench" "$programs/layout-$seed"
    # Whether it moved is seen before hours are spent on it.
    "$programs/layout-$seed" compare "$programs/one.csv" -q -j 1 --passes 1 \
        -o "$programs/one" > "$programs/one.md"
    layout=$(sed -n '/"layout": \[/,/\]/p' "$programs/one/report.json" | tr -cd '0-9,-')
    [ -n "$layout" ] || fail "the report of layout $seed tells no addresses"
    same=${seed_of[$layout]-}
    [ -z "$same" ] || fail "seeds $same and $seed gave the same layout: the addresses did not move"
    seed_of[$layout]=$seed
done

runs=()
for ((seed = 1; seed <= seeds; seed++)); do
    echo "layout $seed of $seeds" >&2
    runs+=("$out/layout-$seed")
    code=0
    "$programs/layout-$seed" compare ${files[@]+"${files[@]}"} --quiet "${options[@]}" \
        -o "$out/layout-$seed" > "$programs/report.md" || code=$?
    # 5: malformed rows, which every report counts.
    case $code in
        0 | 5) ;;
        130) exit 130 ;;
        *) fail "compare ended with $code in layout $seed" ;;
    esac
done
"$programs/layout-1" report --merge layouts "${runs[@]}" -o "$out"
