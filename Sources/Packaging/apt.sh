#!/bin/sh
# Adds packages to an apt repository, a folder of files that any web server can serve, and signs it. The folder may come
# from a server that somebody else can write to, so nothing in it is indexed. The index is made from copies in a separate
# folder: the given packages, and packages of earlier versions whose checksums KEY has signed. The file that apt reads
# first is replaced last, and each file is replaced atomically.
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
# The new repository, of files that nobody else can write to.
own=$new/own pool=pool/main/l/locwatch stable=dists/stable
mkdir -p "$own/$pool" "$own/$stable"

# copy FILE SIZE TO: copies at most SIZE bytes of a regular file, and nothing of a link or of anything else
copy() {
  [ -f "$folder/$1" ] \
    && dd if="$folder/$1" of="$3" iflag=nofollow,nonblock,fullblock,count_bytes bs=64K count="$2" status=none 2>/dev/null
}
if [ -e "$folder/$stable/InRelease" ]; then
  signer=$(gpg --batch --with-colons --list-secret-keys "$key" | awk -F : '$1 == "fpr" { print $10; exit }')
  copy "$stable/InRelease" 1048576 "$new/signed" || fail "$folder/$stable/InRelease cannot be read"
  { gpg --batch --status-fd 1 --output "$new/release" --decrypt "$new/signed" 2>/dev/null || true; } \
    | grep -q "^\[GNUPG:\] VALIDSIG .* $signer\$" || fail "$folder/$stable/InRelease is not signed by '$key'"
  for architecture in amd64 arm64; do
    index=main/binary-$architecture/Packages
    copy "$stable/$index" 16777216 "$new/index" || fail "$folder/$stable/$index cannot be read"
    sum=$(sha256sum <"$new/index" | cut -d ' ' -f 1)
    grep -q "^ $sum  *[0-9]* $index\$" "$new/release" || fail "$folder/$stable/$index is not what was signed"
    awk '/^Filename: / { file = $2 } /^Size: / { size = $2 } /^SHA256: / { sum = $2 } /^$/ { print sum, size, file }' \
      "$new/index" >>"$new/listed"
  done
  while read -r sum size file; do
    copy "$file" "$size" "$own/$file" && echo "$sum  $own/$file" | sha256sum --check --status \
      || fail "$folder/$file is not what was signed"
  done <"$new/listed"
fi
for package; do
  [ "$(dpkg-deb --field "$package" Package)" = locwatch ] || fail "$package is not a package of locwatch"
  file=$own/$pool/${package##*/}
  # A version that was published never changes: apt would refuse what it has already read about.
  if [ -e "$file" ]; then
    cmp -s "$package" "$file" || fail "$folder/$pool/${package##*/} differs: give $package another version"
  else
    cp "$package" "$file"
  fi
done

cd "$own"
for architecture in amd64 arm64; do
  index=$stable/main/binary-$architecture
  mkdir -p "$index"
  apt-ftparchive --arch "$architecture" packages "$pool" >"$index/Packages"
  gzip --best --no-name --keep "$index/Packages"
done
apt-ftparchive -o APT::FTPArchive::Release::Origin=locwatch -o APT::FTPArchive::Release::Label=locwatch \
  -o APT::FTPArchive::Release::Suite=stable -o APT::FTPArchive::Release::Codename=stable \
  -o APT::FTPArchive::Release::Architectures='amd64 arm64' -o APT::FTPArchive::Release::Components=main \
  -o APT::FTPArchive::Release::Acquire-By-Hash=yes \
  release "$stable" >"$new/Release"
# An index is also found by its sum, so that a client that has read the old Release finds the old one.
find "$stable/main" -type f >"$new/indices"
while read -r file; do
  by_hash=${file%/*}/by-hash/SHA256
  mkdir -p "$by_hash"
  cp "$file" "$by_hash/$(sha256sum <"$file" | cut -d ' ' -f 1)"
done <"$new/indices"
sign() { gpg --batch --yes --local-user "$key" --digest-algo SHA512 "$@"; }
mv "$new/Release" "$stable"
sign --clearsign --output "$stable/InRelease" "$stable/Release"
sign --armor --detach-sign --output "$stable/Release.gpg" "$stable/Release"
gpg --batch --armor --export "$key" >locwatch.asc

# Packages, indices, signatures: the order of their names, but for pool.
{ find pool -type f; find dists locwatch.asc -type f ! -path "$stable/[IR]*" | LC_ALL=C sort
  printf '%s\n' "$stable/Release" "$stable/Release.gpg" "$stable/InRelease"; } >"$new/files"
cd "$OLDPWD"
mkdir -p "$folder"
(cd "$own" && find . -mindepth 1 -type d) | while read -r part; do
  [ ! -L "$folder/$part" ] || fail "$folder/$part is a link: nothing is written through it"
done
while read -r file; do
  ! { [ ! -L "$folder/$file" ] && [ -f "$folder/$file" ] && cmp -s "$own/$file" "$folder/$file"; } || continue
  mkdir -p "$(dirname "$folder/$file")"
  rm -rf "$folder/$file.new"
  install -T -m 644 "$own/$file" "$folder/$file.new"
  mv -T "$folder/$file.new" "$folder/$file"
done <"$new/files"
LC_ALL=C sort "$new/files"
