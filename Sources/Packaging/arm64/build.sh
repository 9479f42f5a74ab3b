#!/bin/sh
# Builds for arm64 on amd64, only from Debian's packages: the compiler is Debian sid's Swift, the runtime is from sid's
# package for arm64, and headers and libraries are from Debian 12, so the program runs on Debian 12 and anything newer.
# Run it as root, with mmdebstrap; everything stays in .build/debian and .build/arm64, and nothing is installed. OPTIONs
# are those of 'swift build'. PROGRAM is the path of the stripped program, or '-' for none. Builds with other options need
# a PROGRAM in another folder, because the build folder is next to it.
# Usage: build.sh PROGRAM|- OPTION…
set -eu
cd "$(dirname "$0")/../../.."
sdk=$PWD/.build/arm64/sdks/arm64.artifactbundle
sysroot=$sdk/sysroot
archives=$PWD/.build/arm64/archives
compiler=swiftlang,g++,libgps-dev,zlib1g-dev,pkg-config,binutils,tzdata,python3,mandoc
triple=aarch64-linux-gnu

# The packages of the runtime, as new as the compiler: tests need its shared libraries.
download_runtime() {
  version=$(dpkg-query --show --showformat '${Version}' swiftlang)
  runtime=.build/arm64/$version
  [ ! -d "$runtime" ] || return 0
  dpkg --add-architecture arm64
  apt-get update --quiet=2
  (cd /tmp && apt-get download --quiet=2 "swiftlang:arm64=$version" "libswiftlang:arm64=$version")
  mkdir -p "$runtime.new"
  for package in /tmp/*swiftlang_*.deb; do
    dpkg-deb --fsys-tarfile "$package" \
      | tar --extract --directory "$runtime.new" --strip-components=5 --wildcards './usr/libexec/swift/lib/swift*'
  done
  mv "$runtime.new" "$runtime"
}

# Debian 12 for arm64 with that runtime. Links out of it are made to stay in it.
make_sysroot() {
  rm -rf "$sdk"
  mkdir -p "$sdk"
  cp Sources/Packaging/arm64/*.json "$sdk"
  cp -al "$1" "$sysroot"
  find "$sysroot/usr/lib" -type l -lname '/*' | while read -r link; do
    ln -sfnr "$sysroot$(readlink "$link")" "$link"
  done
  cp -al "$runtime"/* "$sysroot/usr/lib"
  cp -a /usr/libexec/swift/lib/clang "$sysroot/usr/lib"
}

inside() {
  PATH=/usr/libexec/swift/bin:$PATH
  download_runtime
  make_sysroot "$1"
  program=$2
  shift 2
  scratch=.build/arm64/build
  [ "$program" = - ] || scratch=$(dirname "$program")/build
  export PKG_CONFIG_LIBDIR="$sysroot/usr/lib/$triple/pkgconfig"
  SYSROOT=$sysroot CC="clang --target=$triple --sysroot=$sysroot" OBJCOPY=llvm-objcopy \
    Sources/Packaging/archives.sh static "$archives"
  clang --target=$triple --sysroot="$sysroot" -O2 -c Sources/Packaging/arm64/isoc23.c -o "$archives/isoc23.o"
  # The live tests, which need a local gpsd, are not compiled.
  LOCWATCH_LIVE_TESTS=0 PKG_CONFIG_PATH=$archives swift build --swift-sdks-path .build/arm64/sdks --swift-sdk arm64 \
    --scratch-path "$scratch" -Xlinker -L"$archives" -Xlinker "$archives/isoc23.o" "$@"
  [ "$program" = - ] || llvm-objcopy --strip-all --remove-section=.comment --remove-section=.note \
    "$scratch/aarch64-unknown-linux-gnu/release/locwatch" "$program"
}

if [ "${1-}" = --inside ]; then
  shift
  inside "$@"
  exit
fi
debian12=$(Tests/Checks/debian.sh --folder --architecture arm64 bookworm \
  libc6-dev,libstdc++-12-dev,libgcc-12-dev,libgps-dev,zlib1g-dev)
exec Tests/Checks/debian.sh sid $compiler "$PWD/Sources/Packaging/arm64/build.sh" --inside "$debian12" "$@"
