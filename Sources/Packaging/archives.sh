#!/bin/sh
# Collects what a release links statically: libgps, the C++ runtime, and a libgps.pc for both. D-Bus stays
# out: libgps uses it only for the host "DBUS export", and locwatch passes it no host with a space.
# With 'shared' the folder stays empty, so that the system's libraries are linked.
# Usage: [SYSROOT=FOLDER] [CC=COMPILER] [OBJCOPY=PROGRAM] archives.sh static|shared FOLDER
set -eu
kind=$1
fail() {
  printf '%s\n' "$@" >&2
  exit 1
}
mkdir -p "$2"
folder=$(cd "$2" && pwd)
rm -f "$folder"/*
case $kind in
  static) ;;
  shared) exit ;;
  *) fail "LIBGPS is static or shared, not '$kind'" ;;
esac

objcopy=${OBJCOPY-objcopy}
command -v "$objcopy" >/dev/null || fail "$objcopy is missing: 'make deps' installs it with binutils"
libgps=${SYSROOT-}$(pkg-config --variable=libdir libgps)/libgps.a
# shellcheck disable=SC2086 # a compiler may have options
runtime=$(${CC-$(command -v clang || command -v cc)} -print-file-name=libstdc++.a)
for archive in "$libgps" "$runtime"; do
  [ -f "$archive" ] || fail "$archive is missing: 'make deps' installs it on Debian;" \
    "LIBGPS=shared links to the system's libraries instead"
done
"$objcopy" --weaken-symbol=gps_dbus_open --weaken-symbol=gps_dbus_mainloop "$libgps" "$folder/libgps.a"
ln -s "$runtime" "$folder"
{
  printf 'libdir=%s\n' "$(printf %s "$folder" | sed 's/[ "\\]/\\&/g')"
  sed '/^libdir=/d' "$(pkg-config --variable=pcfiledir libgps)/libgps.pc"
} >"$folder/libgps.pc"
