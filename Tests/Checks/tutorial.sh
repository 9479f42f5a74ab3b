#!/bin/sh
# Follows the tutorial of LibGPS as a reader does: it writes each file that a step shows, runs each command
# of a terminal, and looks for the lines that the terminal shows below it.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
tutorial=$root/Sources/LibGPS/LibGPS.docc/Tutorial
work=$root/.build/tutorial
# A reader's compiler may be newer than this project's, and warn of more.
unset LOCWATCH_WARNINGS_AS_ERRORS
# What was built before is kept.
mkdir -p "$work/arrival"
find "$work/arrival" -mindepth 1 -maxdepth 1 ! -name .build -exec rm -r {} +
ln -sfn "$root" "$work/locwatch"
cd "$work"

# type FILE: what a terminal shows. A line with a dollar sign is typed; the others are part of the output.
type() {
  output=$work/output
  while IFS= read -r line; do
    case $line in
      '$ mkdir arrival') ;; # It is there, with what was built before.
      '$ cd '*) cd "${line#??cd }" ;;
      '$ '*)
        echo "$line"
        sh -c "${line#??}" </dev/null >"$output" 2>&1 || { cat "$output" >&2; exit 1; }
        ;;
      *)
        grep -F -e "$line" "$output" || {
          cat "$output" >&2
          echo "the output above lacks '$line'" >&2
          exit 1
        }
        ;;
    esac
  done <"$1"
}

sed -n 's/^ *@Code(name: "\(.*\)", file: "\(.*\)")$/\1 \2/p' "$tutorial/ArrivalAlarm.tutorial" >steps
[ -s steps ] || {
  echo "the tutorial has no steps" >&2
  exit 1
}
while read -r name file <&3; do
  case $name in
    Terminal) type "$tutorial/$file" ;;
    *)
      echo "== $name"
      cp "$tutorial/$file" "$name"
      ;;
  esac
done 3<steps
