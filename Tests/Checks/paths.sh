#!/bin/sh
# Installs, packages, uninstalls and cleans up in folders whose names have spaces and quotes, with stand-ins
# for the compiler and what it needs. What is made must be where it was asked for, and what is removed must
# have been there: a path that the shell splits would remove a neighbour.
set -eu
project=$(realpath "$(dirname "$0")/../..")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
fail() {
  echo "paths.sh: $*" >&2
  exit 1
}

# Whatever else the Makefiles name is relative to the folder of the project.
! (cd "$project" && grep -n -E '\$[({](CURDIR|DESTDIR|PREFIX|PKG_CONFIG_PATH|PWD|abspath|realpath)' \
  Makefile Tests/checks.mk Sources/Packaging/release.mk) \
  | grep -v -F '$(call quoted,' >&2 || fail "a Makefile has a path that is not quoted"

# stand_in NAME: what stands in for a program
stand_in() {
  { echo '#!/bin/sh' && cat; } >"$folder/bin/$1"
  chmod +x "$folder/bin/$1"
}
mkdir "$folder/bin" "$folder/lib"
touch "$folder/lib/libgps.a" "$folder/lib/libstdc++.a"
echo 'libdir=/usr/lib' >"$folder/lib/libgps.pc"
stand_in swift <<'STAND_IN'
case " $* " in *' --product locwatch '*) ;; *) exit ;; esac
mkdir -p .build/release
cp "$(command -v program)" .build/release/locwatch
STAND_IN
stand_in program <<'STAND_IN'
echo "$@"
STAND_IN
stand_in pkg-config <<'STAND_IN'
case $1 in --variable=*) echo "$(dirname "$0")/../lib" ;; esac
STAND_IN
stand_in clang <<'STAND_IN'
echo "$(dirname "$0")/../lib/libstdc++.a"
STAND_IN
stand_in objcopy <<'STAND_IN'
cp "$3" "$4"
STAND_IN
stand_in readelf <<'STAND_IN'
echo 'Machine: AArch64' GLIBC_2.36
STAND_IN
stand_in dpkg-query <<'STAND_IN'
echo install ok installed
STAND_IN
stand_in strip </dev/null

place="$folder/my gps's \"box\""
mkdir "$place" "$folder/my"
touch "$folder/my/own" "$folder/gps's"
tar --create --directory "$project" Makefile CHANGELOG.md Sources/Packaging Tests/checks.mk \
  Sources/LocwatchSystem/Version.swift | tar --extract --directory "$place"
stand_in arm64 <<'STAND_IN'
cp "$(command -v program)" "$1"
STAND_IN
mkdir -p "$place/.build/arm64"
cp "$folder/bin/arm64" "$place/Sources/Packaging/arm64/build.sh"

run() {
  (cd "$place" && env -u MAKEFLAGS -u MAKELEVEL -u MAKEOVERRIDES PATH="$folder/bin:$PATH" make "$@") \
    >"$folder/log" 2>&1 || { cat "$folder/log" >&2; fail "make $* failed"; }
}

# there FILE…: each file has been made
there() { for file; do [ -f "$file" ] || fail "$file is missing"; done; }

destination="$folder/a b's" prefix='/usr "local"'
run install DESTDIR="$destination" PREFIX="$prefix"
there "$destination$prefix/bin/locwatch" "$destination$prefix/share/man/man1/locwatch.1" \
  "$destination$prefix/share/man/man5/locwatch-formats.5" \
  "$destination$prefix/share/man/man7/locwatch-report.7" \
  "$destination$prefix/share/man/man7/locwatch-recipes.7" \
  "$destination$prefix/share/bash-completion/completions/locwatch" \
  "$destination$prefix/share/zsh/site-functions/_locwatch" \
  "$destination$prefix/share/fish/vendor_completions.d/locwatch.fish"
run uninstall DESTDIR="$destination" PREFIX="$prefix"
left=$(find "$destination" -type f)
[ -z "$left" ] || fail "still there: $left"
rm -r "$destination"

if command -v dpkg-deb >/dev/null; then
  run release-files
  there "$place"/.build/locwatch_*.deb "$place"/.build/locwatch-*/SHA256SUMS \
    "$place/.build/archives/libgps.a"
fi
run clean
[ ! -e "$place/.build" ] || fail "clean has left .build"

there "$folder/my/own" "$folder/gps's"
names=$(cd "$folder" && printf '%s|' *)
[ "$names" = "bin|gps's|lib|log|my|my gps's \"box\"|" ] || fail "there are other files now: $names"
