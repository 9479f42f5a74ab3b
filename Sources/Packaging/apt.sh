#!/bin/sh
# Adds packages to a repository for apt, a folder of files that any web server can serve, and signs it. Packages of
# earlier versions stay, but only what KEY has signed before: the folder may come from a server that somebody else can
# write to. What apt reads first is replaced last, and each file at once.
# Usage: apt.sh FOLDER KEY PACKAGE…     KEY as gpg(1) takes it: a fingerprint or an address
set -eu
fail() {
  echo "apt.sh: $*" >&2
  exit 1
}
[ $# -ge 3 ] || fail "usage: apt.sh FOLDER KEY PACKAGE…"
folder=$1 key=$2
shift 2
gpg --batch --list-secret-keys "$key" >/dev/null 2>&1 || fail "gpg has no secret key '$key'"
new=$(mktemp -d)
trap 'rm -rf "$new"' EXIT

pool=pool/main/l/locwatch
listed() { awk '/^Filename: / { file = $2 } /^SHA256: / { print $2 "  " file }' "$@"; }
: >"$new/listed"
if [ -e "$folder/dists/stable/InRelease" ]; then
  signer=$(gpg --batch --with-colons --list-secret-keys "$key" | awk -F : '$1 == "fpr" { print $10; exit }')
  { gpg --batch --status-fd 1 --output "$new/signed" --decrypt "$folder/dists/stable/InRelease" 2>/dev/null || true; } \
    | grep -q "^\[GNUPG:\] VALIDSIG .* $signer\$" || fail "$folder/dists/stable/InRelease is not signed by '$key'"
  for architecture in amd64 arm64; do
    index=main/binary-$architecture/Packages
    sum=$(sha256sum <"$folder/dists/stable/$index" | cut -d ' ' -f 1)
    grep -q "^ $sum  *[0-9]* $index\$" "$new/signed" || fail "$folder/dists/stable/$index is not what was signed"
    listed "$folder/dists/stable/$index" >>"$new/listed"
  done
  (cd "$folder" && sha256sum --check --strict --quiet "$new/listed") || fail "a package is not what was signed"
fi
for file in "$folder/$pool"/*; do
  [ -e "$file" ] || continue
  case " $* " in *"/${file##*/} "*) continue ;; esac
  grep -q -F "  $pool/${file##*/}" "$new/listed" || fail "$file was not signed, and is not to be added"
done

mkdir -p "$folder/$pool" "$folder/dists/stable"
for package; do
  [ "$(dpkg-deb --field "$package" Package)" = locwatch ] || fail "$package is not a package of locwatch"
  file=$folder/$pool/${package##*/}
  # A version that was published never changes: apt would refuse what it has already read about.
  if [ -e "$file" ]; then
    cmp -s "$package" "$file" || fail "$file is there, and differs: give $package another version"
  else
    install -m 644 "$package" "$file.new"
    mv "$file.new" "$file"
  fi
done

cd "$folder"
for architecture in amd64 arm64; do
  index=$new/dists/stable/main/binary-$architecture
  mkdir -p "$index"
  apt-ftparchive --arch "$architecture" packages "$pool" >"$index/Packages"
  gzip --best --no-name --keep "$index/Packages"
done
apt-ftparchive -o APT::FTPArchive::Release::Origin=locwatch -o APT::FTPArchive::Release::Label=locwatch \
  -o APT::FTPArchive::Release::Suite=stable -o APT::FTPArchive::Release::Codename=stable \
  -o APT::FTPArchive::Release::Architectures='amd64 arm64' -o APT::FTPArchive::Release::Components=main \
  -o APT::FTPArchive::Release::Acquire-By-Hash=yes \
  release "$new/dists/stable" >"$new/Release"
sign() { gpg --batch --yes --local-user "$key" --digest-algo SHA512 "$@"; }
sign --clearsign --output "$new/InRelease" "$new/Release"
sign --armor --detach-sign --output "$new/Release.gpg" "$new/Release"
gpg --batch --armor --export "$key" >"$new/locwatch.asc"

# An index is also found by its sum, so that a client that has read the old Release finds the old one.
(cd "$new/dists/stable" && find main -type f) | while read -r file; do
  by_hash=dists/stable/${file%/*}/by-hash/SHA256
  mkdir -p "$by_hash"
  install -m 644 "$new/dists/stable/$file" "$by_hash/$(sha256sum <"$new/dists/stable/$file" | cut -d ' ' -f 1)"
  install -m 644 "$new/dists/stable/$file" "dists/stable/$file.new"
  mv "dists/stable/$file.new" "dists/stable/$file"
done
install -m 644 "$new/locwatch.asc" .
for file in Release Release.gpg InRelease; do
  install -m 644 "$new/$file" "dists/stable/$file.new"
  mv "dists/stable/$file.new" "dists/stable/$file"
done
find . -type f ! -path '*/by-hash/*' | LC_ALL=C sort
