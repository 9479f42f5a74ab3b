#!/bin/sh
# Makes a Debian package of an installed tree. The same tree, version and SOURCE_DATE_EPOCH make the
# same bytes.
# Usage: deb.sh TREE VERSION PACKAGE
set -eu
tree=$(realpath "$1") version=$2 package=$(realpath "$3")
sources=$(dirname "$(realpath "$0")")
maintainer='locwatch authors <locwatch@packages.invalid>'
date=$(date --utc --date="@$SOURCE_DATE_EPOCH" --rfc-email)
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
fail() {
  echo "$*" >&2
  exit 1
}

# Files that Debian compresses.
cp -R "$tree/." "$root"
gzip --best --no-name "$root"/usr/share/man/man[157]/locwatch*
mv "$root/usr/share/zsh/site-functions" "$root/usr/share/zsh/vendor-completions"

documents=$root/usr/share/doc/locwatch
install -D --mode 644 --target-directory "$documents" "$sources/copyright"
awk -v version="$version" -v signature=" -- $maintainer  $date" \
  -f "$sources/changelog.awk" "$sources/../../CHANGELOG.md" \
  | gzip --best --no-name >"$documents/changelog.gz"
install -D --mode 644 --target-directory "$root/usr/lib/systemd/system" \
  "$sources"/*.service "$sources"/*.socket

cd "$root"
mkdir DEBIAN
program=usr/bin/locwatch
case $(readelf --file-header "$program" | sed -n 's/^ *Machine: *//p') in
  *X86-64*) architecture=amd64 ;;
  *AArch64*) architecture=arm64 ;;
  *) fail "$program is for neither amd64 nor arm64" ;;
esac
# The oldest C library that has all symbols which the program uses, and the only libraries that it may need: zlib
# is the system's, so that its security updates count, and all versions have the same name.
others=$(readelf --dynamic --wide "$program" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p' \
  | grep -v -x -E 'lib(c|m)\.so\.6|libz\.so\.1|ld-linux.*' || true)
[ -z "$others" ] || fail "$program needs $others"
# Packed relocations (DT_RELR) came with 2.36.
glibc=$(readelf --version-info --wide "$program" | grep -o 'GLIBC_[0-9A-Z._]*' \
  | sed -n 's/^GLIBC_ABI_DT_RELR$/2.36/p; s/^GLIBC_\([0-9.]*\)$/\1/p' | sort -Vu | tail -n 1)

cat >DEBIAN/control <<CONTROL
Package: locwatch
Version: $version
Architecture: $architecture
Maintainer: $maintainer
Installed-Size: $(find usr -type f -printf '%s\n' | awk '{ size += int($1 / 1024) + 1 } END { print size }')
Depends: libc6 (>= $glibc), zlib1g
Recommends: gpsd, openssl, ca-certificates
Suggests: gpsbabel, jq
Enhances: gpsd
Section: utils
Priority: optional
Description: watch the position that gpsd reports
 locwatch reads a GPS receiver through gpsd. It prints the current position
 and reports every change of state: searching, 2D fix, 3D fix, lost, no device,
 no daemon. It reconnects when gpsd goes away, never shows an old fix as a
 current one, and can wait for a fix, up to a time limit.
 .
 It writes text, JSON, CSV, GPX, GeoJSON and templates, records what gpsd
 reports, replays recordings, and measures how good the fixes were. Systemd
 units record a gpsd all the time (locwatch@.service), and serve its positions
 as NMEA 0183 to GeoClue, OpenCPN and others (locwatch-nmea.socket), and as a
 page and metrics to browsers and Prometheus (locwatch-page.service).
CONTROL
install --mode 755 --target-directory DEBIAN "$sources/postinst" "$sources/prerm" "$sources/postrm"
find usr -type f -print | LC_ALL=C sort | xargs md5sum >DEBIAN/md5sums
chmod -R u=rwX,go=rX .
find . -exec touch --no-dereference --date="@$SOURCE_DATE_EPOCH" {} +
dpkg-deb --root-owner-group --threads-max=1 -Zxz --build . "$package"
