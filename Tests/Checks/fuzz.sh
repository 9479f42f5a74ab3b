#!/bin/sh
# Runs the targets of the fuzzer, as many at a time as there are processors. Each runs for an equal
# part of SECONDS.
# Usage: fuzz.sh PROGRAM SECONDS SEED [TARGET…]
set -eu
program=$1 seconds=$2 seed=$3
shift 3
# shellcheck disable=SC2046 # no name has a space
[ $# != 0 ] || set -- $("$program" --list)
printf '%s\n' "$@" | xargs -P "$(nproc)" -I {} \
  "$program" --target {} --seconds "$(((seconds + $# - 1) / $#))" --seed "$seed"
