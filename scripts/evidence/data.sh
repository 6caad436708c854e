#!/usr/bin/env bash
# Shows that the generated data sets come out of their script byte for byte.
set -euo pipefail
cd "$(dirname "$0")/../.."
made=$(mktemp -d)
trap 'rm -rf "$made"' EXIT
scripts/make-data.sh "$made"
for file in "$made"/*; do
    cmp "$file" "data/$(basename "$file")"
    echo "data/$(basename "$file"): the same"
done
