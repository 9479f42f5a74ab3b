#!/bin/sh
# Checks the Debian package for arm64 on amd64, with the programs of arm64 run by qemu: lintian, each recording
# in five forms as the local program writes it, and a simulated receiver that arm64's gpsd reads, both for
# locwatch and started by it.
# Usage: arm64.sh PACKAGE PROGRAM-OF-THIS-MACHINE DIRECTORY-OF-THE-TOOLS RECORDING…
set -eu
cd "$(dirname "$0")/../.."
package=$1 native=$(realpath "$2") tools=$3
shift 3
fail() {
  echo "$*" >&2
  exit 1
}

lintian --allow-root --pedantic --fail-on error,warning,info,pedantic "$package"
echo "lintian --pedantic: no tag; $(du -k "$package" | cut -f 1) kB; needs $(dpkg-deb --field "$package" Depends)"

folder=$(mktemp -d)
simulating=
trap 'kill $simulating 2>/dev/null || true; rm -rf "$folder"' EXIT
dpkg-deb --extract "$package" "$folder"
debian=$(Tests/Checks/debian.sh --folder --architecture arm64 bookworm gpsd)
# emulate NAME PROGRAM: a command NAME that runs a program of arm64.
emulate() {
  mkdir -p "$folder/bin"
  printf '#!/bin/sh\nexec qemu-aarch64 -L "%s" "%s" "$@"\n' "$debian" "$2" >"$folder/bin/$1"
  chmod 755 "$folder/bin/$1"
}
emulate locwatch "$folder/usr/bin/locwatch"
emulate gpsd "$debian/usr/sbin/gpsd"
PATH=$folder/bin:$PATH
echo "$(locwatch --version), $(gpsd -V 2>&1 | head -n 1)"

count=0
for recording; do
  for form in '--format json --satellites' '--format csv' '--format gpx' '--report -' '--format text'; do
    # shellcheck disable=SC2086 # options are words
    "$native" --replay "$recording" $form >"$folder/native" 2>&1 || true
    # shellcheck disable=SC2086
    locwatch --replay "$recording" $form >"$folder/emulated" 2>&1 || true
    cmp "$folder/native" "$folder/emulated" || fail "locwatch --replay $recording $form differs"
    count=$((count + 1))
  done
done
echo "$count replays of $# recordings: as the local program writes them"

chmod 755 "$folder"
mkfifo "$folder/started"
"$tools/simulated-site" --scenario still --gpsd "$folder/bin/gpsd" >"$folder/started" &
simulating=$!
read -r port _ <"$folder/started" || fail "the simulated site did not start"
echo "from arm64's gpsd: $(locwatch --once --reconnect "localhost:$port")"
kill "$simulating"
wait "$simulating"
"$tools/simulated-receiver" --scenario still --link "$folder/gps0" >"$folder/started" &
simulating=$!
read -r device <"$folder/started" || fail "the simulated receiver did not start"
echo "from a gpsd of its own: $(locwatch --once "$device")"
