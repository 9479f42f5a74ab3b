#!/usr/bin/env bash
# Runs tests, and ends with what failed, and a line for each test that was skipped, with the reason, and their number.
# The status is that of the tests.
# Usage: skipped.sh COMMAND…
set -euo pipefail
output=$(mktemp)
summary() {
  local lines
  lines=$(sed -n -E -e 's/^[^ ]+ ((Test|Suite) .*) skipped: "(.*)"$/skipped: \1: \3/p' \
    -e 's/^[^ ]+ ((Test|Suite) .*) skipped\.?$/skipped: \1/p' "$output" | LC_ALL=C sort -u)
  grep -a '^✘' "$output" | cut -c 1-400 || true
  rm -f "$output"
  if [ -z "$lines" ]; then
    echo "no test was skipped"
  else
    printf '\n%s\ntests and suites that were skipped: %d\n' "$lines" "$(wc -l <<<"$lines")"
  fi
}
trap summary EXIT
"$@" 2>&1 | tee "$output"
