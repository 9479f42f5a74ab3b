#!/bin/sh
# Builds the two packages of Sources/Library.md, and a package for each product alone, with the manifest of
# GettingStarted.md. Products that promise to do without libgps are built and
# tested where gps.h is hidden and pkg-config knows nothing, and their programs must not be linked
# with it. The code of the articles is built and tested in four modes of the language. The program over
# LibGPS is run with a real gpsd and a simulated receiver.
# Usage: products.sh DIRECTORY-OF-THE-PROGRAMS
set -eu
programs=$(readlink -f "$1")
root=$(cd "$(dirname "$0")/../.." && pwd)
self=$root/Tests/Checks/products.sh
packages=$root/.build/products
# Where the tutorial stands beside locwatch. What needs libgps is built there, too, so that the libraries are
# compiled once for both.
tutorial=$root/.build/tutorial
live=$tutorial/arrival/.build
user=$([ "$(id -u)" = 0 ] || echo --map-root-user)
fail() {
  echo "$*" >&2
  exit 1
}

# A user's compiler may be newer than this project's, and warn of more.
unset LOCWATCH_WARNINGS_AS_ERRORS
! swift package --package-path "$root" dump-package | grep -q treatAllWarnings \
  || fail "warnings are errors in packages that use this one"

# block PATTERN [FILE]: the first block of Swift in Sources/Library.md, or in that file, that has such a line
block() {
  awk -v pattern="$1" '
    /^```/ {
      if (wanted) { printf "%s", text; found = 1; exit }
      open = /^```swift/; text = ""; next
    }
    open { text = text $0 "\n"; if ($0 ~ pattern) wanted = 1 }
    END { exit !found }' "$root/${2:-Sources/Library.md}" || fail "no block has a line '$1'"
}

# package PRODUCT [test]: an empty package with the manifest of an article, for that product
locwatch=$root
package() {
  mkdir -p "$packages/$1"
  block '^let package' Sources/LibGPS/LibGPS.docc/GettingStarted.md | sed \
    -e "s|path: \"../locwatch\"|path: \"$locwatch\"|" \
    -e "s|\"LibGPS\"|\"$1\"|" ${2:+-e 's|executableTarget|testTarget|'} \
    >"$packages/$1/Package.swift"
  sources=$packages/$1/$([ $# = 1 ] && echo Sources || echo Tests)/places
  rm -rf "$sources"
  mkdir -p "$sources"
}

# guide NAME: the package of that name in Sources/Library.md
guide() {
  mkdir -p "$packages/$1/Sources/Harbours" "$packages/$1/Tests/HarboursTests"
  block "^  name: \"$1\"" | sed "s|path: \"../locwatch\"|path: \"$locwatch\"|" \
    >"$packages/$1/Package.swift"
  block '^public struct Harbour' >"$packages/$1/Sources/Harbours/Harbour.swift"
  block '^@Suite' >"$packages/$1/Tests/HarboursTests/HarbourTests.swift"
}

# build PRODUCT SCRATCH
build() {
  echo "== a package for $1"
  swift build --package-path "$packages/$1" --scratch-path "$2"
}

# What needs libgps.
needing_libgps() {
  guide places
  mkdir -p "$packages/places/Sources/places"
  { block '^for try await update'; block '^let harbour'; } >"$packages/places/Sources/places/main.swift"
  echo "== the package for Linux"
  swift test --package-path "$packages/places" --scratch-path "$live"
}

# The code of all articles and its tests: in the modes of Swift 6 and Swift 5, each with and without the
# main actor as the default isolation, in which a class of XCTest does not compile.
modes() {
  mkdir -p "$packages/modes"
  for name in Six Five SixOnMain FiveOnMain; do
    ln -sfn "$root/Tests/DocumentationTests/Snippets" "$packages/modes/$name"
  done
  cat >"$packages/modes/Package.swift" <<EOF
// swift-tools-version: 6.2
import PackageDescription

let products = [
  "LibGPS", "GPSDLocation", "LocationCore", "VirtualTimeTesting", "LocationTestKit", "GPSDTestKit",
]

func target(_ name: String, _ settings: SwiftSetting...) -> Target {
  .testTarget(
    name: name, dependencies: products.map { .product(name: \$0, package: "locwatch") }, path: name,
    exclude: name.hasSuffix("OnMain") ? ["LighthouseXCTests.swift"] : [],
    swiftSettings: settings + [.treatAllWarnings(as: .error)])
}

let package = Package(
  name: "modes",
  dependencies: [.package(name: "locwatch", path: "$locwatch")],
  targets: [
    target("Six", .swiftLanguageMode(.v6)),
    target("Five", .swiftLanguageMode(.v5)),
    target("SixOnMain", .swiftLanguageMode(.v6), .defaultIsolation(MainActor.self)),
    target("FiveOnMain", .swiftLanguageMode(.v5), .defaultIsolation(MainActor.self)),
  ])
EOF
  echo "== the code of the articles in Swift 6 and Swift 5 mode"
  swift test --package-path "$packages/modes" --scratch-path "$live"
}

# What does not, where it is hidden.
hidden() {
  export PKG_CONFIG_PATH=/nonexistent PKG_CONFIG_LIBDIR=/nonexistent
  if printf '#include <gps.h>\nstruct gps_data_t data;\n' \
    | clang -fsyntax-only -x c - 2>/dev/null; then
    fail "gps.h is still there"
  fi
  ! pkg-config --exists libgps 2>/dev/null || fail "pkg-config still knows libgps"
  scratch=$packages/without-libgps
  rm -rf "$scratch"

  package LocationCore
  { block '^public struct Harbour'; echo 'print(Coordinate(latitude: 0, longitude: 0)!)'; } \
    >"$sources/main.swift"
  package GPSDLocation
  echo 'import GPSDLocation
let session = try RecordedSession(contentsOf: "drive.jsonl")
for try await update in GPSDLocationSource(replaying: session).updates() {
  if case .fix(let fix) = update { print(fix.coordinate) }
}' >"$sources/main.swift"
  for product in LocationCore GPSDLocation; do
    build "$product" "$scratch"
    no_libgps "$scratch/debug/places"
  done
  answer=$(cd "$root/Fixtures" && "$scratch/debug/places" | head -n 1)
  case $answer in
    *48.1*11.5*) echo "$answer" ;;
    *) fail "the replay says '$answer'" ;;
  esac

  guide Harbours
  tested "the package for iOS" "$packages/Harbours"

  package VirtualTimeTesting test
  block '^@Test.*schedules' >"$sources/LimitTests.swift"
  tested VirtualTimeTesting "$packages/VirtualTimeTesting"

  # The tests of LocationTestKit, except one file that uses declarations of package access.
  mkdir -p "$packages/testkit"
  ln -sfn "$root/Tests/LocationTestKitTests" "$packages/testkit/Tests"
  cat >"$packages/testkit/Package.swift" <<EOF
// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "testkit",
  dependencies: [.package(name: "locwatch", path: "$root")],
  targets: [
    .testTarget(
      name: "LocationTestKitTests",
      dependencies: [
        .product(name: "LocationTestKit", package: "locwatch"),
        .product(name: "VirtualTimeTesting", package: "locwatch"),
      ], path: "Tests",
      exclude: ["EventSequenceProviderTests.swift"])
  ])
EOF
  tested "the tests of LocationTestKit" "$packages/testkit"
  tested "the example" "$root/Tests/Example"
  rm -rf "$scratch"
  by_url
}

# A package that has this one by its URL, with the tag of a release. What is not committed is not in it.
by_url() {
  version=$(sed -n 's/^## \([0-9.]*\).*/\1/p' "$root/CHANGELOG.md" | head -n 1)
  rm -rf "$packages/url"
  mkdir -p "$packages/url"
  git clone -q --bare "$root" "$packages/url/locwatch.git"
  git -C "$packages/url/locwatch.git" tag -f "$version" >/dev/null
  package LocationCore
  sed -i "s|\.package(.*\")|.package(url: \"file://$packages/url/locwatch.git\", from: \"$version\")|" \
    "$packages/LocationCore/Package.swift"
  echo 'import LocationCore
print(Coordinate(latitude: 0, longitude: 0)!)' >"$sources/main.swift"
  echo "== a package that has this one by its URL"
  swift build --package-path "$packages/LocationCore" --scratch-path "$packages/url/build" \
    --cache-path "$packages/url/cache"
  rm -rf "$packages/url"
}

# tested NAME PACKAGE
tested() {
  echo "== $1"
  rm -f "$scratch"/debug/*.xctest
  # Otherwise, a package that is older than the one before it is not looked at, and that one is tested again.
  swift test --disable-build-manifest-caching --package-path "$2" --scratch-path "$scratch"
  no_libgps "$scratch"/debug/*.xctest
}

no_libgps() {
  ! readelf -d "$1" | grep NEEDED | grep -q gps || fail "$1 is linked with libgps"
}

# Runs the program with a gpsd, where gpsd has its usual port for itself.
alone() {
  ip link set lo up
  directory=$(mktemp -d)
  mkfifo "$directory/site"
  "$programs/simulated-site" --port 2947 --scenario tunnel >"$directory/site" &
  site=$!
  trap 'kill $site 2>/dev/null; wait; rm -rf "$directory"' EXIT
  read -r _ <"$directory/site" || fail "the simulated site did not start"
  # The program never ends: the first states and three fixes are enough.
  timeout 30 stdbuf -oL "$live/debug/places" | grep -m 3 '48\.[0-9]*.*11\.[0-9]*' \
    >"$directory/places" || true
  cat "$directory/places"
  [ "$(wc -l <"$directory/places")" = 3 ] || fail "the program does not print three places"
}

case ${2-} in
  hidden) hidden ;;
  alone) alone ;;
  '')
    header=$(printf '#include <gps.h>\n' | clang -H -fsyntax-only -x c - 2>&1 | sed -n 's/^\. //p')
    # shellcheck disable=SC2086 # no option is no argument
    if [ -z "$header" ]; then
      "$self" "$programs" hidden
      exit
    elif unshare --mount $user true 2>/dev/null; then
      unshare --mount $user sh -c 'mount --bind /dev/null "$1" && exec "$2" "$3" hidden' \
        sh "$header" "$self" "$programs"
    else
      echo "skipped: gps.h cannot be hidden, as no mount namespace may be made here"
    fi
    mkdir -p "$tutorial"
    ln -sfn "$root" "$tutorial/locwatch"
    locwatch=$tutorial/locwatch
    modes
    needing_libgps
    # shellcheck disable=SC2086
    if unshare --net --ipc $user true 2>/dev/null; then
      unshare --net --ipc $user "$self" "$programs" alone
    else
      echo "skipped: the program was built and not run, as no network namespace may be made here"
    fi
    ;;
esac
