#!/bin/sh
# Types the library section of the README into empty packages, as somebody else would: its first
# block is a program, its third and fourth are code and a test. The program is run with a real gpsd
# and a simulated receiver, in a network of its own: there gpsd has its usual port, and its shared
# memory goes with it.
# Usage: readme.sh DIRECTORY-OF-THE-PROGRAMS
set -eu
programs=$(readlink -f "$1")
root=$(cd "$(dirname "$0")/../.." && pwd)
packages=$root/.build/readme

# block N: the N-th block of Swift in the section
block() {
  awk -v wanted="$1" '
    /^## / { inside = $2 == "Library" }
    /^```/ { open = inside && /^```swift/; count += open; next }
    open && count == wanted' "$root/README.md"
}

# manifest NAME TARGET PRODUCT
manifest() {
  cat <<EOF
// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "$1",
  dependencies: [.package(name: "locwatch", path: "$root")],
  targets: [
    .$2(name: "$1", dependencies: [.product(name: "$3", package: "locwatch")])
  ])
EOF
}

if [ "${2-}" != alone ]; then
  mkdir -p "$packages/places/Sources/places" "$packages/harbour/Tests/harbour"
  manifest places executableTarget GPSDLocation >"$packages/places/Package.swift"
  block 1 | tee "$packages/places/Sources/places/main.swift"
  manifest harbour testTarget LocationTestKit >"$packages/harbour/Package.swift"
  block 3 | tee "$packages/harbour/Tests/harbour/Harbour.swift"
  block 4 | tee "$packages/harbour/Tests/harbour/HarbourTests.swift"
  swift test --package-path "$packages/harbour" --scratch-path "$root/.build/example"
  swift build --package-path "$packages/places" --scratch-path "$packages/build"
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
"$programs/simulated-receiver" --scenario tunnel --link "$directory/gps0" >/dev/null &
receiver=$!
gpsd=
trap 'kill $receiver $gpsd 2>/dev/null; wait; rm -rf "$directory"' EXIT
tries=0
until [ -e "$directory/gps0" ]; do
  tries=$((tries + 1))
  [ "$tries" -lt 100 ] || { echo "the simulated receiver did not start" >&2; exit 1; }
  sleep 0.05
done
gpsd -N -n -b -s 38400 -f 8N1 "$directory/gps0" 2>/dev/null &
gpsd=$!
# The program goes on for ever: three places are enough.
timeout 30 stdbuf -oL "$packages/build/debug/places" | head -n 3 >"$directory/places" || true
cat "$directory/places"
[ "$(grep -c '^48\.[0-9]*, 11\.[0-9]*$' "$directory/places")" = 3 ]
