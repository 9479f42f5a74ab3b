#!/bin/sh
# Builds the project with the Swift of Debian sid, and runs the tests that need no gpsd. That Swift has the
# module _Testing_Foundation without its library, of which the tests use nothing: an empty one will do.
# The public API is not compared, because each compiler lists it in its own way.
# Usage: swift-sid.sh SKIPPED-TESTS
set -eu
cd "$(dirname "$0")/../.."
packages=swiftlang,g++,libgps-dev,zlib1g-dev,pkg-config,binutils,tzdata,python3,mandoc
Tests/Checks/debian.sh sid "$packages" sh -euc "
  swift --version
  mkdir -p .build/sid
  ar qc .build/sid/lib_Testing_Foundation.a
  set -- --scratch-path .build/sid -Xlinker -L.build/sid
  swift build --build-tests --disable-index-store -debug-info-format none \"\$@\"
  Tests/Checks/run-tests.py .build/sid/tests.log .build/sid/debug/locwatchPackageTests.xctest \
    --skip '$1|PublicSurfaceTests'
"
