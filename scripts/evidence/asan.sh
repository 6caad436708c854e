#!/usr/bin/env bash
# Runs the tests of the lane-parallel engine, with every instruction set that this machine has,
# under AddressSanitizer:
#   scripts/evidence/asan.sh
# Needs a nightly compiler.
set -euo pipefail
cd "$(dirname "$0")/../.."

target=$(rustc +nightly -vV | sed -n 's/^host: //p')
# Build scripts and macros run on the host, so that only what is tested is instrumented.
export RUSTFLAGS=-Zsanitizer=address
options=(--target "$target" --target-dir target/asan)
cargo +nightly test "${options[@]}" --lib -- arch:: solver::lanes::
cargo +nightly test "${options[@]}" --test lanes
