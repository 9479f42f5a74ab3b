#!/bin/sh
# Makes repositories for apt of packages that contain nothing, with keys of its own in a folder that is removed, and
# puts into them what a stranger could who can write to the folder that is served: nothing of that may get into the
# index that is signed.
# Usage: apt-signs.sh
set -eu
cd "$(dirname "$0")/../.."
failures=0
fail() {
  echo "apt-signs.sh: $*" >&2
  failures=$((failures + 1))
}

folder=$(mktemp -d)
# A socket of gpg has a path of at most 108 bytes.
GNUPGHOME=$(mktemp -d)
export GNUPGHOME
trap 'gpgconf --kill all; rm -rf "$folder" "$GNUPGHOME"' EXIT
trap 'exit 1' INT TERM HUP
for name in own strange; do
  gpg --batch --quiet --passphrase '' --quick-generate-key "$name@check.invalid" ed25519 sign never 2>/dev/null
done
# package FILE VERSION [ARCHITECTURE] [WORDS]
package() {
  mkdir -p "$folder/tree/DEBIAN"
  {
    printf 'Package: locwatch\nVersion: %s\nArchitecture: %s\n' "$2" "${3-amd64}"
    printf 'Maintainer: check <check@check.invalid>\nDescription: %s\n' "${4-a package of a check}"
  } >"$folder/tree/DEBIAN/control"
  dpkg-deb --root-owner-group --build "$folder/tree" "$1" >/dev/null
}
pool=pool/main/l/locwatch
first=$folder/locwatch_1_amd64.deb second=$folder/locwatch_2_amd64.deb arm64=$folder/locwatch_2_arm64.deb
package "$first" 1
package "$second" 2
package "$arm64" 2 arm64
package "$folder/strange.deb" 9.9
repository() {
  timeout 20 Sources/Packaging/apt.sh "$folder/$1" "$2@check.invalid" "$3" ${4+"$4"} >"$folder/output" 2>&1
}
# What the signed index offers: a version and a file for each package.
offered() {
  gpg --batch --quiet --decrypt "$folder/$1/dists/stable/InRelease" 2>/dev/null >"$folder/release"
  for index in main/binary-amd64/Packages main/binary-arm64/Packages; do
    sum=$(sha256sum <"$folder/$1/dists/stable/$index" | cut -d ' ' -f 1)
    grep -q "^ $sum  *[0-9]* $index\$" "$folder/release" || echo "$index is not signed"
    awk '/^Version:/ { version = $2 } /^Filename:/ { file = $2 } /^SHA256:/ { print version, file, $2 }' \
      "$folder/$1/dists/stable/$index"
  done | while read -r version file sum; do
    # An index of which the packages are not there is of no use.
    echo "$sum  $folder/$1/$file" | sha256sum --check --status 2>/dev/null || echo "$file is not what was signed"
    echo "$version ${file##*/}"
  done
}
# offers WHAT EXPECTED: the repository 'copy' was signed, and offers this
offers() {
  [ "$(offered copy)" = "$2" ] || fail "$1: offered are" "$(offered copy | tr '\n' ',')" "not" "$(echo "$2" | tr '\n' ',')"
}
begin() {
  rm -rf "$folder/copy"
  cp -R "$folder/published" "$folder/copy"
}
refused() {
  description=$1
  shift
  if repository "$@"; then fail "signed: $description"; fi
}
# stranger WHAT: after the last change, the next release contains what this key has signed, and nothing else
stranger() {
  repository copy own "$second" "$arm64" || fail "$1: refused: $(cat "$folder/output")"
  offers "$1" "$both"
  begin
}

repository published own "$first" || fail "no repository is made: $(cat "$folder/output")"
one='1 locwatch_1_amd64.deb'
both="$one
2 locwatch_2_amd64.deb
2 locwatch_2_arm64.deb"
begin
offers 'as published' "$one"
repository copy own "$first" || fail "a published package cannot be added again: $(cat "$folder/output")"
offers 'added again' "$one"
stranger 'nothing strange'

cp "$folder/strange.deb" "$folder/copy/$pool/locwatch_9.9_amd64.deb"
stranger 'a file'
cp "$folder/strange.deb" "$folder/copy/$pool/.locwatch_9.9_amd64.deb"
stranger 'a hidden file'
for name in .x locwatch_1 other; do
  mkdir "$folder/copy/$pool/$name"
  cp "$folder/strange.deb" "$folder/copy/$pool/$name/locwatch_9.9_amd64.deb"
  stranger "a folder $name"
done
# The beginning and the end of a listed name.
for name in locwatch_1_amd64.de locwatch_1 cwatch_1_amd64.deb; do
  cp "$folder/strange.deb" "$folder/copy/$pool/$name"
  stranger "a file named $name"
done
ln -s "$folder/strange.deb" "$folder/copy/$pool/locwatch_9.9_amd64.deb"
stranger 'a link'
mkfifo "$folder/copy/$pool/locwatch_9.9_amd64.deb"
stranger 'a FIFO'
mkdir -p "$folder/copy/dists/stable/main/binary-i386" "$folder/copy/dists/other"
cp "$folder/copy/dists/stable/main/binary-amd64/Packages" "$folder/copy/dists/stable/main/binary-i386"
stranger 'an index of another architecture'
cp "$folder/strange.deb" "$folder/copy/$pool/.locwatch_2_amd64.deb.new"
stranger 'a file where another is written first'
# Files of the packager, which no release may write to.
mkdir "$folder/home"
echo mine >"$folder/home/mine"
for name in "$pool/locwatch_2_amd64.deb" "$pool/locwatch_2_amd64.deb.new" dists/stable/Release.new dists/stable/InRelease.new \
  dists/stable/main/binary-amd64/Packages.new locwatch.asc; do
  ln -sf "$folder/home/mine" "$folder/copy/$name"
  repository copy own "$second" "$arm64" || true
  [ "$(cat "$folder/home/mine")" = mine ] || fail "written to what $name is a link to"
  echo mine >"$folder/home/mine"
  begin
done
for name in pool/main/l/locwatch pool dists dists/stable/main dists/stable/main/binary-amd64/by-hash; do
  mv "$folder/copy/$name" "$folder/elsewhere"
  ln -s "$folder/elsewhere" "$folder/copy/$name"
  cp -R "$folder/elsewhere" "$folder/before"
  repository copy own "$second" "$arm64" || true
  diff --recursive --brief "$folder/before" "$folder/elsewhere" || fail "written into the folder that $name is a link to"
  rm -rf "$folder/elsewhere" "$folder/before"
  begin
done

# What cannot be what was signed is not passed over in silence.
printf 'x' | dd of="$folder/copy/$pool/locwatch_1_amd64.deb" bs=1 seek=100 conv=notrunc status=none
refused 'a published package that was changed' copy own "$second"
begin
rm "$folder/copy/$pool/locwatch_1_amd64.deb"
refused 'a published package that is gone' copy own "$second"
mkfifo "$folder/copy/$pool/locwatch_1_amd64.deb"
refused 'a published package that became a FIFO' copy own "$second"
begin
rm "$folder/copy/$pool/locwatch_1_amd64.deb"
ln -s /dev/zero "$folder/copy/$pool/locwatch_1_amd64.deb"
refused 'a published package that became endless' copy own "$second"
begin
sed -i 's/^Suite: stable/Suite: Stable/' "$folder/copy/dists/stable/InRelease"
refused 'a repository that was changed' copy own "$second"
begin
sed -i 's/^Version: 1/Version: 2/' "$folder/copy/dists/stable/main/binary-amd64/Packages"
refused 'a repository with another index' copy own "$second"
begin
refused 'a repository of another key' copy strange "$second"
begin
mkdir "$folder/other"
package "$folder/other/locwatch_1_amd64.deb" 1 amd64 'other bytes'
refused 'a published version with other bytes' copy own "$folder/other/locwatch_1_amd64.deb"
[ "$failures" = 0 ] || exit 1
echo "a repository offers what its key has signed, whatever a stranger puts beside it"
