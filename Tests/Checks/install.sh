#!/bin/sh
# Installs into an empty place, runs what is there without Swift, and removes it again.
# Usage: install.sh
set -eu
cd "$(dirname "$0")/../.."
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
fail() {
  echo "$*" >&2
  exit 1
}

make --no-print-directory install DESTDIR="$place" PREFIX=/usr >/dev/null
for file in bin/locwatch share/man/man1/locwatch.1 share/man/man5/locwatch-formats.5 \
  share/man/man7/locwatch-report.7 share/man/man7/locwatch-recipes.7 share/bash-completion/completions/locwatch \
  share/zsh/site-functions/_locwatch share/fish/vendor_completions.d/locwatch.fish; do
  [ -s "$place/usr/$file" ] || fail "$file is not installed"
done
program=$place/usr/bin/locwatch
if ldd "$program" | grep -i -e libswift -e libFoundation -e libdbus -e 'not found'; then
  fail "the program needs what a machine without Swift has not"
fi
! grep -q _StringProcessing "$program" || fail "the program has the regular expression library in it, which takes 1.3 MB"
! readelf --sections "$program" | grep -q -F .symtab || fail "the program is not stripped"

# Hides the toolchain, where that is allowed.
swift=$(dirname "$(dirname "$(dirname "$(readlink -f "$(command -v swift)")")")")
hide="mkdir -p \"$place/empty\" && mount --bind \"$place/empty\" \"$swift\" && exec \"\$@\""
try() {
  if [ "$swift" != / ] && unshare --mount true 2>/dev/null; then
    env -i PATH=/usr/bin:/bin unshare --mount sh -c "$hide" sh "$@"
  else
    env -i PATH=/usr/bin:/bin "$@"
  fi
}
answer=$(try "$program" --replay "$PWD/Fixtures/tunnel.jsonl" --once)
[ "$answer" = "48.1222307 11.517333333 545.4" ] || fail "it says '$answer'"

# A library that was preloaded, and has moved the environment before the program begins.
"$(command -v clang || command -v cc)" -shared -fPIC -o "$place/moved.so" Tests/Checks/moved-environment.c
answer=$(try env LD_PRELOAD="$place/moved.so" timeout 10 "$program" --version) || true
[ "$answer" = "$("$program" --version)" ] || fail "with an environment that was moved it says '$answer'"

make --no-print-directory uninstall DESTDIR="$place" PREFIX=/usr >/dev/null
left=$(find "$place" -type f -path '*/usr/*')
[ -z "$left" ] || fail "still there: $left"
echo "installed, run and removed"
