#!/usr/bin/env bash
# How often the intervals cover the truth and verdicts are wrong, in simulated runs: seeded, so that
# the figures are the same on every machine.
set -euo pipefail
cd "$(dirname "$0")/../.."
cargo test --release --test coverage -- --ignored --nocapture
