#!/bin/sh
# Builds the tests that need no gpsd for arm64, optimised, and runs them under qemu with the shared libraries of
# Debian sid's Swift.
# Says at the end which tests cannot run there, and why.
# Usage: arm64-tests.sh SKIPPED-TESTS
set -eu
cd "$(dirname "$0")/../.."
# That Swift has the module _Testing_Foundation without its library, of which the tests use nothing.
empty=.build/arm64/empty
mkdir -p $empty
ar qc $empty/lib_Testing_Foundation.a
# Its libraries need a newer glibc than the program is linked with, which is there when the tests run.
Sources/Packaging/arm64/build.sh - --build-tests --configuration release --disable-index-store -debug-info-format none \
  -Xswiftc -enable-testing -Xlinker --allow-shlib-undefined -Xlinker -L$empty
debian=$(Tests/Checks/debian.sh --folder --architecture arm64 sid libswiftlang)
# qemu takes a path there before that of this machine, whose devices and folders the tests use.
rm -rf "$debian/dev" "$debian/etc" "$debian/tmp" "$debian/var"
# Its loader is named by a link that another package makes.
[ -e "$debian/lib" ] || ln -s usr/lib "$debian/lib"
# What cannot run: the tests of these files, or of these names.
impossible=.build/arm64/impossible
cat >$impossible <<'LIST'
FullScreenTests.swift           qemu does not know how a new glibc asks for the mode of a terminal
A terminal takes as much        the same
Where lines may not be drawn    the same
A message on a screen           the same
SupervisorTests.swift           of qemu's processes, the parent is not told that a program could not be started
standard streams are there      qemu names the standard streams differently
grows while the leg goes on     Debian's Swift has no library of XML for Foundation
RunOutputTests.swift            the mode of a terminal, again
in their first rounds           hundreds of thousands of rounds of the fuzzer take too long
PublicSurfaceTests.swift        asks the compiler of this machine about what another one compiled
says that it does not hold 129  what a process of a test says before it traps is lost
LIST
# One after the other: slow as they are, those under way would have more than the 1,023 descriptors that
# Foundation's processes can do with.
skipped=$(sed -E 's/  .*//; s/\./\\./' $impossible | paste -sd '|')
status=0
qemu-aarch64 -L "$debian" -E LD_LIBRARY_PATH=/usr/libexec/swift/lib/swift/linux \
  .build/arm64/build/aarch64-unknown-linux-gnu/release/locwatchPackageTests.xctest \
  --testing-library swift-testing --no-parallel --skip "$1|$skipped" || status=$?
echo "left out, as they cannot run under emulation:"
cat $impossible
exit "$status"
