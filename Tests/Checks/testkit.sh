#!/bin/sh
# Builds and tests the example, and LocationTestKit by its own tests, as packages of somebody else
# where there is no gps.h and pkg-config knows nothing. The header is hidden in a mount namespace:
# the machine keeps it.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
self=$root/Tests/Checks/testkit.sh
if [ "${1-}" != hidden ]; then
  header=$(printf '#include <gps.h>\n' | clang -H -fsyntax-only -x c - 2>&1 | sed -n 's/^\. //p')
  [ -n "$header" ] || exec "$self" hidden
  user=$([ "$(id -u)" = 0 ] || echo --map-root-user)
  # shellcheck disable=SC2086 # no option is no argument
  if ! unshare --mount $user true 2>/dev/null; then
    echo "skipped: gps.h cannot be hidden, as no mount namespace may be made here"
    exit 0
  fi
  # shellcheck disable=SC2086
  exec unshare --mount $user sh -c 'mount --bind /dev/null "$1" && exec "$2" hidden' \
    sh "$header" "$self"
fi

export PKG_CONFIG_PATH=/nonexistent PKG_CONFIG_LIBDIR=/nonexistent
if printf '#include <gps.h>\nstruct gps_data_t data;\n' \
  | clang -fsyntax-only -x c - 2>/dev/null; then
  echo "gps.h is still there" >&2
  exit 1
fi
if pkg-config --exists libgps 2>/dev/null; then
  echo "pkg-config still knows libgps" >&2
  exit 1
fi

scratch=$root/.build/without-libgps
rm -rf "$scratch"
mkdir -p "$scratch/package"
ln -s "$root/Tests/LocationTestKitTests" "$scratch/package/Tests"
# Raced connections are tested with what only this package sees.
cat >"$scratch/package/Package.swift" <<EOF
// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "testkit",
  dependencies: [.package(name: "locwatch", path: "$root")],
  targets: [
    .testTarget(
      name: "LocationTestKitTests",
      dependencies: [.product(name: "LocationTestKit", package: "locwatch")], path: "Tests",
      exclude: ["RacedConnectionTests.swift"])
  ])
EOF
for package in "$root/Tests/Example" "$scratch/package"; do
  swift test --package-path "$package" --scratch-path "$scratch"
done
rm -rf "$scratch"
