#!/bin/sh
# Compares what locwatch writes of the recordings of real receivers with what gpsd's authors expect, for the gpsd of this
# system and for those of other Debians, which record in containers of their own.
# Usage: expectations.sh LOCWATCH SUITE...
set -eu
cd "$(dirname "$0")/../.."
locwatch=$1 folders=.build/receivers
shift
for suite in "$@"; do
  folder=.build/receivers-$suite
  if Tests/Checks/debian.sh "$suite" gpsd,gpsd-clients,python3-gps Tests/Checks/receivers.py "$folder"; then
    folders="$folders $folder"
  elif [ $? = 77 ]; then
    echo "skipped: the gpsd of $suite: debian.sh has said why"
  else
    exit 1
  fi
done
# shellcheck disable=SC2086
exec python3 -B Tests/Checks/expectations.py "$locwatch" $folders
