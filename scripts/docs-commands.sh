#!/usr/bin/env bash
# Runs every command of the README, of data/README.md and of docs/, and every example of the help
# texts, in a copy of the working tree, so that none of them can rot.
# Left out: `cargo test`, which continuous integration runs by itself.
set -euo pipefail
cd "$(dirname "$0")/.."
export CARGO_TARGET_DIR=${CARGO_TARGET_DIR:-$PWD/target}
copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT
git ls-files -z | xargs -0 cp --parents -t "$copy"
cd "$copy"

# What the README installs goes into the copy.
export CARGO_INSTALL_ROOT="$copy/installed" PATH="$copy/installed/bin:$PATH"
awk '/^```sh$/ { on = 1; next } /^```$/ { on = 0 } on' README.md data/README.md docs/*.md | grep -vx 'cargo test' > commands
if ! command -v parallel > /dev/null; then
    echo "GNU parallel is not installed: xargs takes its place"
    mkdir -p installed/bin
    printf '#!/usr/bin/env bash\nexec xargs -I{} bash -c "${!#}"\n' > installed/bin/parallel
    chmod +x installed/bin/parallel
fi
# A gate may say no on a busy machine.
sed -i '/^sudoku-bench diff /s/$/ || [ $? -eq 3 ]/' commands
while IFS= read -r command; do
    echo "\$ $command"
    bash -euo pipefail -c "$command" < /dev/null > output || { cat output; exit 1; }
    [ -s output ] && head -n 3 output || true
done < commands
[ "$(wc -l < commands)" -ge 10 ]

# The examples of the help texts, on files of the names that they use.
cp out/puzzles.csv puzzles.csv
cp out/puzzles.csv big.csv
cp out/puzzles.csv kaggle.csv
gzip --keep puzzles.csv
sed -n '2s/^\(.\{81\}\).*/\1/p' puzzles.csv | fold -w 9 > nine_lines.txt
for command in compare report diff solve merge verify show generate variants completions man; do
    # A gate may say no on a busy machine, and there is nothing to resume.
    sudoku-bench "$command" --help | sed '1,/^Examples:$/d
        /^ *sudoku-bench diff /s/$/ || [ $? -eq 3 ]/
        / --resume$/s/$/ || [ $? -eq 1 ]/' > help
    echo "\$ the examples of $command --help"
    [ -s help ]
    bash -euo pipefail help < /dev/null > output || { cat output; exit 1; }
done
