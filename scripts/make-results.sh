#!/usr/bin/env bash
# Makes the sample runs in results/ again: about ten minutes. Run it on a quiet machine.
set -euo pipefail
cd "$(dirname "$0")/.."
cargo run --release --quiet -- compare --quiet -j 1 --threads 1,2 -o results/embedded > /dev/null
scripts/claim-run.sh -o results/everyday data/everyday.csv 12
# The single runs' models are what can be merged again; the rest is large and follows from them.
find results/everyday/layout-* -type f ! -name report.json -delete
