#!/bin/sh
# Runs the files of tests that measure real time, one test after the other, up to three times: what takes too long does
# so each time, and what else the machine does, only now and then.
# Usage: timing.sh PROGRAM-OF-THE-TESTS
set -eu
cd "$(dirname "$0")/../.."
status=0
for file in $(grep -r -l -E 'expect\(.*within: \.|expect\(within: \.' Tests/EndToEndTests \
  --include='*Tests.swift'); do
  name=$(basename "$file")
  echo "== $name"
  tries=3
  until LOCWATCH_TIMING_TESTS=1 Tests/Checks/run-tests.py .build/timing.log "$1" --no-parallel --filter "/$name:"; do
    tries=$((tries - 1))
    [ "$tries" -gt 0 ] || { echo "error: $name failed three times"; status=1; break; }
  done
done
exit "$status"
