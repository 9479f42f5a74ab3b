#!/bin/sh
# Shows locwatch reading a simulated receiver through a real gpsd, for 16 seconds.
# Usage: demo.sh DIRECTORY-OF-THE-PROGRAMS
set -eu
programs=$1
directory=$(mktemp -d)
device=$directory/gps0
chmod 755 "$directory"

"$programs/simulated-receiver" --scenario tunnel --link "$device" >/dev/null &
receiver=$!
trap 'kill "$receiver" 2>/dev/null; wait "$receiver" 2>/dev/null || true; rm -rf "$directory"' EXIT
trap 'exit 130' INT TERM HUP
tries=0
until [ -e "$device" ]; do
  tries=$((tries + 1))
  [ "$tries" -lt 100 ] || { echo "the simulated receiver did not start" >&2; exit 1; }
  sleep 0.05
done

echo "A simulated receiver is at $device. It drives through a tunnel."
echo "\$ locwatch $device"
"$programs/locwatch" --duration 16s "$device"
