#!/bin/sh
# Shows locwatch reading a simulated receiver through a real gpsd, for 16 seconds.
# Usage: demo.sh DIRECTORY-OF-THE-PROGRAMS
set -eu
programs=$1
directory=$(mktemp -d)
chmod 755 "$directory"
: >"$directory/started"

# An enforced profile of AppArmor lets gpsd open no pseudo-terminal: then the receiver is on the network.
if [ -e /etc/apparmor.d/usr.sbin.gpsd ] && grep -q Y /sys/module/apparmor/parameters/enabled 2>/dev/null; then
  "$programs/simulated-receiver" --scenario tunnel --tcp >"$directory/started" &
else
  "$programs/simulated-receiver" --scenario tunnel --link "$directory/gps0" >"$directory/started" &
fi
receiver=$!
trap 'kill "$receiver" 2>/dev/null; wait "$receiver" 2>/dev/null || true; rm -rf "$directory"' EXIT
trap 'exit 130' INT TERM HUP
tries=0
until read -r device <"$directory/started"; do
  tries=$((tries + 1))
  [ "$tries" -lt 100 ] || { echo "the simulated receiver did not start" >&2; exit 1; }
  sleep 0.05
done

echo "A simulated receiver is at $device. It drives through a tunnel."
echo "\$ locwatch $device"
"$programs/locwatch" --duration 16s "$device"
