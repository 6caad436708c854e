#!/usr/bin/env bash
# Opens a report in headless Chromium: pictures of it at the width of a desk, of a phone and in
# dark colours, and a look at the browser's console, in which nothing may stand:
#   scripts/screenshot.sh [REPORT.html [FOLDER]]
# Without Chromium it says so and does nothing.
set -euo pipefail
cd "$(dirname "$0")/.."
report=$(realpath -e "${1:-results/embedded/report.html}")
folder=${2:-out/screenshots}

browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome || true)
if [ -z "$browser" ]; then
    echo "skipped: there is no Chromium"
    exit 0
fi
mkdir -p "$folder"
profile=$(mktemp -d)
trap 'rm -rf "$profile"' EXIT

shot() { # NAME WIDTH HEIGHT [OPTION…]
    local name=$1 width=$2 height=$3
    shift 3
    "$browser" --headless --no-sandbox --disable-gpu --disable-quic --no-first-run \
        --disable-background-networking --disable-component-update --disable-sync \
        --user-data-dir="$profile" --hide-scrollbars --enable-logging=stderr \
        --window-size="$width,$height" --screenshot="$folder/$name.png" "$@" \
        "file://$report" 2> "$profile/log"
    if grep ':CONSOLE' "$profile/log"; then
        echo "the console of $name is not empty" >&2
        exit 1
    fi
    echo "$folder/$name.png"
}

shot desk 1280 4600
shot phone 390 6400
# 0 is dark.
shot dark 1280 4600 --blink-settings=preferredColorScheme=0
