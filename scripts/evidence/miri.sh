#!/usr/bin/env bash
# Runs the tests of the vector operations and of the sweep in Miri, which sees undefined behaviour
# and knows AVX2 and AVX-512 whether or not this machine has them:
#   scripts/evidence/miri.sh
# Needs a nightly compiler with the components miri and rust-src.
set -euo pipefail
cd "$(dirname "$0")/../.."

avx2=+avx2,+bmi1,+bmi2,+lzcnt,+popcnt
avx512=$avx2,+avx512f,+avx512bw,+avx512vl,+avx512bitalg
for features in +sse2 $avx2 $avx512; do
    echo "== $features"
    RUSTFLAGS="-C target-feature=$features" \
        cargo +nightly miri test --lib --target-dir target/miri -- arch:: solver::lanes::
done
