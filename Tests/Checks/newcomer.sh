#!/bin/sh
# Follows the README on a fresh Debian 12 that has only Swift: runs the lines of its blocks for a shell under
# "Install" and "Contributing", as it stands there, in a clone of this repository, and asks the installed program for its version.
# That Debian uses the local Swift, with the packages that swift.org lists for it.
# Usage: newcomer.sh
set -eu
cd "$(dirname "$0")/../.."
swift=$(dirname "$(dirname "$(readlink -f "$(command -v swift)")")")
needed=binutils,ca-certificates,git,gnupg2,libc6-dev,libcurl4-openssl-dev,libedit2,libgcc-12-dev,libncurses6
needed=$needed,libpython3-dev,libsqlite3-0,libstdc++-12-dev,libxml2-dev,libz3-dev,make,sudo,tzdata,zlib1g-dev
lent=.build/newcomer
rm -rf $lent
mkdir -p $lent/swift
git clone --quiet . $lent/locwatch
cp -al "$swift/." $lent/swift/usr 2>/dev/null || cp -a "$swift/." $lent/swift/usr
awk '/^## / { inside = $2 == "Install" || $2 == "Contributing" } /^```/ { open = inside && /^```sh/; next } open' README.md >$lent/lines
cat >$lent/follow.sh <<FOLLOW
set -eu
PATH=$PWD/$lent/swift/usr/bin:\$PATH
mv $PWD/$lent/locwatch /srv/locwatch
cd /srv/locwatch
while read -r line <&3; do
  echo "\\$ \$line"
  start=\$(date +%s)
  # apt asks before it installs.
  yes | sh -euc "\$line" >/tmp/output 2>&1 \\
    || { status=\$?; tail -n 100 /tmp/output; echo "status \$status"; exit 1; }
  grep -E '^Installing |^✘|Test run with|^tests and suites|fix-3d' /tmp/output || true
  echo "(\$((\$(date +%s) - start)) s)"
done 3<$PWD/$lent/lines
locwatch --version
man -w locwatch 2>/dev/null || ls /usr/share/man/man1/locwatch.1.gz
FOLLOW
exec Tests/Checks/debian.sh bookworm "$needed" sh "$PWD/$lent/follow.sh"
