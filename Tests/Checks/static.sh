#!/bin/sh
# Checks the tarball of the static program: in an empty root, in one that has /proc alone, in one without a C library but with
# busybox, and in Debian 11, each recording in six forms as the local program writes it, and a position of a
# gpsd outside; and the start and the memory, beside those of the other program and of gpspipe.
# Of a tarball for arm64 it checks the first two, with qemu in the root. As root.
# Usage: static.sh TARBALL OTHER-PROGRAM DIRECTORY-OF-THE-TOOLS RECORDING…
set -eu
cd "$(dirname "$0")/../.."
tarball=$1 other=$(realpath "$2") tools=$3
shift 3
fail() {
  echo "$*" >&2
  exit 1
}
[ "$(id -u)" = 0 ] || fail 'it needs root'

folder=$(mktemp -d)
site=
trap 'kill $site 2>/dev/null || true; rm -rf "$folder"' EXIT
mkdir "$folder/files"
tar --extract --gzip --directory "$folder/files" --strip-components=1 --file "$tarball"
for file in bin/locwatch share/man/man1/locwatch.1 share/man/man7/locwatch-recipes.7 \
  share/man/man5/locwatch-formats.5 share/man/man7/locwatch-report.7 share/bash-completion/completions/locwatch share/zsh/site-functions/_locwatch \
  share/fish/vendor_completions.d/locwatch.fish lib/systemd/system/locwatch@.service; do
  [ -s "$folder/files/$file" ] || fail "$file is not in the tarball"
done
! grep -r -e '/usr/bin/locwatch' "$folder/files/lib" \
  || fail 'a unit runs what the package installs'
program=$folder/files/bin/locwatch
if readelf --program-headers --dynamic --wide "$program" | grep -E 'INTERP|NEEDED'; then
  fail 'it needs a loader or a library'
fi

emulator=
if readelf --file-header "$program" | grep -q AArch64; then
  emulator=$(command -v qemu-aarch64-static) || fail 'qemu-user-static is missing'
fi

mkfifo "$folder/started"
"$tools/simulated-site" --scenario still >"$folder/started" &
site=$!
read -r port _ <"$folder/started" || fail 'the simulated site did not start'

# Runs in a root, with /proc if it has a folder for it: try ROOT ARGUMENT…
try() {
  root=$1
  shift
  unshare --mount --propagation private sh -c 'root=$1; shift
    [ ! -d "$root/proc" ] || mount -t proc none "$root/proc"
    exec chroot "$root" "$@"' sh "$root" ${emulator:+/qemu} /locwatch "$@"
}

# Compares in a root with what the other program writes: compare NAME ROOT RECORDING…
compare() {
  name=$1 root=$2 count=0
  shift 2
  mkdir -p "$root/recordings"
  cp "$program" "$root/locwatch"
  [ -z "$emulator" ] || cp "$emulator" "$root/qemu"
  cp "$@" "$root/recordings"
  for recording; do
    for form in json csv gpx nmea kml text; do
      file=/recordings/$(basename "$recording")
      (cd "$root" && "$other" --replay ".$file" --format $form) >"$folder/expected" 2>/dev/null || true
      try "$root" --replay ".$file" --format $form >"$folder/found" 2>/dev/null || true
      cmp "$folder/expected" "$folder/found" || fail "$name: --replay $recording --format $form differs"
      count=$((count + 1))
    done
  done
  answer=$(try "$root" --once --timeout 30 "127.0.0.1:$port")
  echo "$name: $(try "$root" --version), $count replays as the other program writes them; live $answer"
}

mkdir "$folder/empty"
compare 'an empty root, without /proc' "$folder/empty" "$@"
mkdir "$folder/empty/proc"
compare 'with /proc' "$folder/empty" "$@"
[ -z "$emulator" ] || exit 0

busybox=$(Tests/Checks/debian.sh --folder bookworm busybox-static) && {
  mkdir -p "$folder/busybox/bin" "$folder/busybox/proc"
  cp "$busybox/bin/busybox" "$folder/busybox/bin/sh"
  compare 'a root of busybox alone' "$folder/busybox" "$@"
}

# debian.sh gives 77 where this machine cannot have it.
status=0
debian=$(Tests/Checks/debian.sh --folder bullseye libc6,zlib1g) || status=$?
case $status in
  0)
    cp -al "$debian" "$folder/bullseye"
    mkdir -p "$folder/bullseye/proc"
    compare 'Debian 11' "$folder/bullseye" "$@"
    cp "$other" "$folder/bullseye/locwatch.dynamic"
    chroot "$folder/bullseye" /locwatch.dynamic --version 2>&1 | head -n 1 | sed 's/^/the other program there: /'
    ;;
  77) echo 'skipped: no Debian 11' ;;
  *) fail "no Debian 11: status $status" ;;
esac

# Instructions of a start, and memory of a run with a gpsd.
measure() {
  name=$1
  shift
  counted=$(valgrind --tool=callgrind --callgrind-out-file=/dev/null "$@" 2>&1 >/dev/null \
    | sed -n 's/.*Collected *: *//p')
  echo "$name: $counted instructions to start"
}
if command -v valgrind >/dev/null; then
  measure static "$program" --version
  measure dynamic "$other" --version
  ! command -v gpspipe >/dev/null || measure gpspipe gpspipe -V
fi
for name in static dynamic; do
  [ $name = static ] && run=$program || run=$other
  "$run" --json "127.0.0.1:$port" >/dev/null 2>&1 &
  reader=$!
  sleep 10
  echo "$name: $(sed -n 's/^VmRSS:[[:space:]]*//p' "/proc/$reader/status") of memory after 10 s, $(stat --format %s "$run") bytes"
  kill "$reader"
  wait "$reader" || true
done
