#!/bin/sh
# Prints the test targets with a file whose path has a match of a pattern, or else those with such a name of a test.
# Usage: test-targets.sh PATTERN
set -eu
cd "$(dirname "$0")/.."
found=$(find ./*Tests -name '*.swift' | sed 's|^\./||' | grep -E -e "$1") \
  || found=$(grep -r -E --include='*.swift' '(struct|func|@Suite|@Test)[ (]' ./*Tests | sed 's|^\./||' \
    | grep -E -e "$1") \
  || exit 0
echo "$found" | cut -d / -f 1 | sort -u | paste -s -d ' '
