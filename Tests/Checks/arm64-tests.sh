#!/bin/sh
# Builds the tests that need no gpsd for arm64, optimised, and runs them under qemu with the shared libraries of
# Debian sid's Swift.
# Usage: arm64-tests.sh SKIPPED-TESTS
set -eu
cd "$(dirname "$0")/../.."
# That Swift has the module _Testing_Foundation without its library, of which the tests use nothing.
empty=.build/arm64/empty
mkdir -p $empty
ar qc $empty/lib_Testing_Foundation.a
# Its libraries need a newer glibc than the program is linked with, which is there when the tests run.
Sources/Packaging/arm64/build.sh - --build-tests --configuration release -debug-info-format none \
  -Xswiftc -enable-testing -Xlinker --allow-shlib-undefined -Xlinker -L$empty
debian=$(Tests/Checks/debian.sh --folder --architecture arm64 sid libswiftlang)
# Its loader is named by a link that another package makes.
[ -e "$debian/lib" ] || ln -s usr/lib "$debian/lib"
exec qemu-aarch64 -L "$debian" -E LD_LIBRARY_PATH=/usr/libexec/swift/lib/swift/linux \
  .build/arm64/build/aarch64-unknown-linux-gnu/release/locwatchPackageTests.xctest \
  --testing-library swift-testing --skip "$1"
