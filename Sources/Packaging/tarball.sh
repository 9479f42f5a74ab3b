#!/bin/sh
# Makes a tarball of an installed tree, to be unpacked into /usr/local or ~/.local. The same tree and
# SOURCE_DATE_EPOCH make the same bytes.
# Usage: tarball.sh TREE NAME.tar.gz
set -eu
tree=$1 tarball=$(realpath "$2")
name=$(basename "$tarball" .tar.gz)
install -D --mode 644 --target-directory "$tree/usr/share/doc/locwatch" "$(dirname "$0")/copyright"
tar --directory "$tree/usr" --create --sort=name --format=ustar --mode=u=rwX,go=rX \
  --owner=0 --group=0 --numeric-owner --mtime="@$SOURCE_DATE_EPOCH" --transform="s|^\.|$name|" . \
  | gzip --best --no-name >"$tarball"
