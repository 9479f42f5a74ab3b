#!/bin/sh
# Makes repositories for apt of a package and of an older version of it, with keys of its own in a folder that is
# removed, serves them on the loopback interface, and has each of the given Debians use them: install the old
# version, upgrade to the new one, and refuse what another key has signed, what was changed after it was signed, and
# a package that was changed.
# Usage: apt.sh PACKAGE PACKAGE-FOR-ARM64 SUITE…
set -eu
cd "$(dirname "$0")/../.."
fail() {
  echo "apt.sh: $*" >&2
  exit 1
}

version() { dpkg-query --show --showformat '${Version}' locwatch; }
install_it() { DEBIAN_FRONTEND=noninteractive apt-get install --yes --quiet=2 --no-install-recommends locwatch >/dev/null 2>&1; }
update() { apt-get update --quiet=2 --error-on=any >/tmp/update 2>&1; }
# refused REPOSITORY WORDS: an update from it fails for this reason, and changes nothing
refused() {
  serve "$1"
  ! update || fail "apt takes the repository '$1'"
  grep -q -i -E "$2" /tmp/update || { cat /tmp/update; fail "apt refuses '$1' for another reason"; }
}
serve() { ln -sfn "$1" "$folder/current"; }

# In a Debian, whose own sources are left out: what the package depends on is installed.
inside() {
  rm -rf /etc/apt/sources.list /etc/apt/sources.list.d/* /var/lib/apt/lists/*
  serve old
  /usr/lib/apt/apt-helper download-file "$address/locwatch.asc" /etc/apt/keyrings/locwatch.asc >/dev/null 2>&1
  echo "deb [signed-by=/etc/apt/keyrings/locwatch.asc] $address stable main" >/etc/apt/sources.list.d/locwatch.list
  update || { cat /tmp/update; fail "apt refuses the repository"; }
  install_it
  [ "$(version)" = "$older" ] || fail "installed $(version), not $older"

  refused strange 'NO_PUBKEY|not signed|Missing key|verif'
  refused altered 'BADSIG|verif|invalid'
  refused swapped 'Hash Sum mismatch|unexpected size'
  install_it
  [ "$(version)" = "$older" ] || fail "upgraded to $(version) by a repository that was refused"

  serve new
  update || { cat /tmp/update; fail "apt refuses the new repository"; }
  DEBIAN_FRONTEND=noninteractive apt-get upgrade --yes --quiet=2 >/dev/null 2>&1
  [ "$(version)" = "$newer" ] || fail "upgraded to $(version), not $newer"
  locwatch --version >/dev/null
  # With the index as it was signed, a package of which a byte was changed.
  serve broken
  update || { cat /tmp/update; fail "apt refuses the index of the broken repository"; }
  cd /tmp
  ! apt-get download --quiet=2 locwatch >/tmp/download 2>&1 || fail "apt takes a package that was changed"
  grep -q 'Hash Sum mismatch' /tmp/download || { cat /tmp/download; fail "apt refuses the package for another reason"; }
  serve new
  update
  dpkg --add-architecture arm64
  update || { cat /tmp/update; fail "the index of arm64 is refused"; }
  apt-get download --quiet=2 locwatch:arm64 >/dev/null 2>&1 || fail "there is no package for arm64"
  [ "$(dpkg-deb --field "locwatch_${newer}_arm64.deb" Architecture)" = arm64 ]
  echo "Debian $(cat /etc/debian_version), apt $(dpkg-query --show --showformat '${Version}' apt): $older installed," \
    "$newer by an upgrade; another key, an altered index and an altered package refused; arm64 downloaded"
}

if [ "$1" = --inside ]; then
  folder=$2 address=$3 older=$4 newer=$5
  inside
  exit
fi

package=$1 arm64=$2
shift 2
newer=$(dpkg-deb --field "$package" Version) older=0.0.1
mkdir -p .build
folder=$(mktemp -d "$PWD/.build/check-apt.XXXXXX")
server=
chmod 755 "$folder"
# A socket of gpg has a path of at most 108 bytes.
GNUPGHOME=$(mktemp -d)
export GNUPGHOME
trap '[ -z "$server" ] || kill "$server"; gpgconf --kill all; rm -rf "$folder" "$GNUPGHOME"' EXIT
trap 'exit 1' INT TERM HUP
for name in own strange; do
  gpg --batch --quiet --passphrase '' --quick-generate-key "$name@check.invalid" ed25519 sign never
done

# The package as it is, with an older version.
dpkg-deb --raw-extract "$package" "$folder/older"
sed -i "s/^Version: .*/Version: $older/" "$folder/older/DEBIAN/control"
dpkg-deb --root-owner-group --build "$folder/older" "$folder/locwatch_${older}_amd64.deb" >/dev/null

repository() { Sources/Packaging/apt.sh "$folder/$1" "$2@check.invalid" "$3" ${4+"$4"}; }
repository old own "$folder/locwatch_${older}_amd64.deb" >/dev/null
cp -R "$folder/old" "$folder/new"
repository new own "$package" "$arm64"
repository strange strange "$package" "$arm64" >/dev/null
cp -R "$folder/new" "$folder/altered"
sed -i 's/^Suite: stable/Suite: Stable/' "$folder/altered/dists/stable/InRelease" "$folder/altered/dists/stable/Release"
# Signed, but with an index of something else.
cp -R "$folder/new" "$folder/swapped"
for index in "$folder"/swapped/dists/stable/main/binary-amd64/Packages* \
  "$folder"/swapped/dists/stable/main/binary-amd64/by-hash/SHA256/*; do
  printf 'x' | dd of="$index" bs=1 seek=30 conv=notrunc status=none
done
cp -R "$folder/new" "$folder/broken"
printf 'x' | dd of="$folder/broken/pool/main/l/locwatch/${package##*/}" bs=1 seek=3000 conv=notrunc status=none

ln -s new "$folder/current"
python3 -u -m http.server --bind 127.0.0.1 --directory "$folder" 0 >"$folder/log" 2>&1 &
server=$!
tries=0
until port=$(sed -n 's/.* port \([0-9]*\).*/\1/p' "$folder/log" | grep .); do
  tries=$((tries + 1))
  [ "$tries" -lt 150 ] || fail "the web server does not start"
  sleep 0.2
done
for suite; do
  Tests/Checks/debian.sh "$suite" gpsd,systemd-sysv "$PWD/Tests/Checks/apt.sh" \
    --inside "$folder" "http://127.0.0.1:$port/current" "$older" "$newer"
done
