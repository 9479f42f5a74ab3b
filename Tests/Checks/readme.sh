#!/bin/sh
# Types the README's program into an empty package, builds it as somebody else would, and runs it with
# a real gpsd and a simulated receiver, in a network of its own: there gpsd has its usual port, and its
# shared memory goes with it.
# Usage: readme.sh DIRECTORY-OF-THE-PROGRAMS
set -eu
programs=$(readlink -f "$1")
root=$(cd "$(dirname "$0")/../.." && pwd)
if [ "${2-}" != alone ]; then
  package=$root/.build/readme
  mkdir -p "$package/Sources/places"
  cat >"$package/Package.swift" <<EOF
// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "places",
  dependencies: [.package(name: "locwatch", path: "$root")],
  targets: [
    .executableTarget(
      name: "places", dependencies: [.product(name: "GPSDLocation", package: "locwatch")])
  ])
EOF
  # The first block of the library's section.
  sed -n '/^## Library/,/^## How/p' "$root/README.md" | sed -n '/^```swift/,/^```/p' \
    | sed -n '2,/^```/p' | sed '/^```/,$d' >"$package/Sources/places/main.swift"
  cat "$package/Sources/places/main.swift"
  swift build --package-path "$package"
  user=$([ "$(id -u)" = 0 ] || echo --map-root-user)
  # shellcheck disable=SC2086 # no option is no argument
  if ! unshare --net --ipc $user true 2>/dev/null; then
    echo "skipped: the program was built and not run, as no network namespace may be made here"
    exit 0
  fi
  # shellcheck disable=SC2086
  exec unshare --net --ipc $user "$0" "$programs" alone
fi

ip link set lo up
directory=$(mktemp -d)
chmod 755 "$directory"
trap 'kill $receiver $gpsd 2>/dev/null; wait; rm -rf "$directory"' EXIT
"$programs/simulated-receiver" --scenario tunnel --link "$directory/gps0" >/dev/null &
receiver=$!
gpsd=
until [ -e "$directory/gps0" ]; do sleep 0.05; done
gpsd -N -n -b -s 38400 -f 8N1 "$directory/gps0" 2>/dev/null &
gpsd=$!
# The program goes on for ever: three places are enough.
timeout 30 stdbuf -oL "$root/.build/readme/.build/debug/places" | head -n 3 >"$directory/places" || true
cat "$directory/places"
[ "$(grep -c '^Coordinate(latitude: 48\.' "$directory/places")" = 3 ]
