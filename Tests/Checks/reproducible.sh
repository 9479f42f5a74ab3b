#!/bin/sh
# Makes the files of a release in two folders, by different times, languages and permissions, and
# compares them.
# Usage: reproducible.sh
set -eu
cd "$(dirname "$0")/../.."
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# build NAME UMASK VARIABLES…
build() {
  name=$1 mask=$2
  shift 2
  mkdir "$folder/$name"
  tar --create --exclude=./.build --exclude=./.git --exclude=./.docs . \
    | tar --extract --directory "$folder/$name"
  (umask "$mask" && env "$@" make --no-print-directory -C "$folder/$name" release-files >"$folder/log" 2>&1) \
    || { cat "$folder/log" >&2; exit 1; }
  cat "$folder/$name"/.build/locwatch-*/SHA256SUMS
}
build here 022 TZ=UTC LC_ALL=C.UTF-8
build another-place 077 TZ=Pacific/Auckland LC_ALL=C TMPDIR="$folder"
cmp "$folder"/here/.build/locwatch-*/SHA256SUMS "$folder"/another-place/.build/locwatch-*/SHA256SUMS
echo "two builds, the same bytes"
