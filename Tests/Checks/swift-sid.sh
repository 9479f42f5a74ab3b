#!/bin/sh
# Builds the project with the Swift 6.2 of Debian sid, and runs the tests that need no gpsd. That Swift has no virtual time,
# so the tests in it have to end with the error that says so. It has the module _Testing_Foundation without its library, of
# which the tests use nothing: an empty one will do.
# The public API is not compared, because each compiler lists it in its own way; nor are tests of XCTest run, which takes
# the arguments of a process of Swift Testing for its own there. Tests run one by one, because that Swift Testing knows no
# limit of those that run at once: with all of them, one that waits for a socket got no turn for half a minute.
# Usage: swift-sid.sh SKIPPED-TESTS
set -eu
cd "$(dirname "$0")/../.."
packages=swiftlang,g++,libgps-dev,zlib1g-dev,pkg-config,binutils,tzdata,python3,mandoc
log=.build/sid/tests.log
Tests/Checks/debian.sh sid "$packages" sh -euc "
  swift --version
  mkdir -p .build/sid
  ar qc .build/sid/lib_Testing_Foundation.a
  set -- --scratch-path .build/sid -Xlinker -L.build/sid
  LOCWATCH_OPTIMIZED=1 swift build --build-tests --disable-index-store -debug-info-format none \"\$@\"
  .build/sid/debug/locwatchPackageTests.xctest --testing-library swift-testing --no-parallel \
    --skip '$1|PublicSurfaceTests|VirtualTime|XCTest' >$log 2>&1 || true
"
grep 'Test run with' $log || { tail -n 40 $log; exit 1; }
lacking='leaves virtual time'
echo "$(grep 'recorded an issue' $log | grep -c "$lacking") issues are that there is no virtual time"
! grep 'recorded an issue' $log | grep -v "$lacking"
