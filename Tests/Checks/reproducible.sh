#!/bin/sh
# Makes the files of a release in two folders, with other time zones, languages and permissions, and
# compares them.
# Usage: reproducible.sh
set -eu
cd "$(dirname "$0")/../.."
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir "$folder/here" "$folder/another-place"
tar --create --exclude=./.build --exclude=./.git --exclude=./.docs --file "$folder/sources" .
tar --extract --file "$folder/sources" --directory "$folder/here"
tar --extract --file "$folder/sources" --directory "$folder/another-place"

# build NAME UMASK VARIABLE=VALUE…
build() {
  place=$folder/$1
  (umask "$2" && shift 2 && env "$@" make --no-print-directory -C "$place" release-files) \
    >"$folder/log" 2>&1 || { cat "$folder/log" >&2; exit 1; }
  cat "$place"/.build/locwatch-*/SHA256SUMS
}
build here 022 TZ=UTC LC_ALL=C.UTF-8
build another-place 077 TZ=Pacific/Auckland LC_ALL=C TMPDIR="$folder"
if cmp "$folder"/here/.build/locwatch-*/SHA256SUMS "$folder"/another-place/.build/locwatch-*/SHA256SUMS; then
  echo "two builds, the same bytes"
  exit
fi

echo "the builds differ, and so do these packages, objects and files, which are in .build/reproducible:" >&2
(cd "$folder/here" && find . -path '*/dpkg/status' -o -name '*.[ao]' -path '*/.build/*') | sort | while read -r file; do
  cmp "$folder/here/$file" "$folder/another-place/$file" >&2 || true
done
rm -rf .build/reproducible
for place in here another-place; do
  mkdir -p ".build/reproducible/$place"
  cp "$folder/$place"/.build/locwatch-*/* ".build/reproducible/$place"
  for tarball in ".build/reproducible/$place"/*.tar.gz; do
    mkdir "${tarball%.tar.gz}"
    tar --extract --file "$tarball" --directory "${tarball%.tar.gz}"
  done
done
diff --recursive --brief .build/reproducible/here .build/reproducible/another-place >&2 || true
exit 1
