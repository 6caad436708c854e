#!/usr/bin/env bash
# Makes the sample runs in results/ again. Run it on a quiet machine.
set -euo pipefail
cd "$(dirname "$0")/.."
cargo run --release --quiet -- compare --quiet -o results/embedded
