#!/bin/sh
# Runs a command as root in a Debian of its own: the essential packages and the given ones, made the first
# time and kept in .build/debian. The command sees this project's folder; whatever else it writes is
# forgotten. With --boot the Debian is booted by systemd, has no network, and can be given a device.
# Usage: debian.sh [--boot [--device FILE:FILE-THERE]] SUITE PACKAGE,… COMMAND…
#        debian.sh --folder [--architecture ARCH] SUITE PACKAGE,…
#                                     prints where their files are, in which nothing can be run
# The status is 77 where this machine cannot make a Debian: not as root, or without network.
set -eu
project=$(realpath "$(dirname "$0")/../..")
self=$project/Tests/Checks/debian.sh
fail() {
  echo "debian.sh: $*" >&2
  exit 1
}

cannot() {
  echo "debian.sh: $*" >&2
  exit 77
}

# make SUITE PACKAGES FOLDER VARIANT ARCHITECTURE, from the mirror that apt uses here
make_debian() {
  mirror=$(apt-get indextargets --format "\$(SITE)" 'Created-By: Packages' | head -n 1)
  mkdir -p "$(dirname "$3")"
  /usr/lib/apt/apt-helper download-file "$mirror/dists/$1/InRelease" "$3.release" \
    || cannot "nothing can be downloaded from $mirror"
  echo "making a Debian $1 with $2"
  rm -rf "$3.new" "$3.release"
  mmdebstrap --quiet --variant="$4" ${5:+"--architectures=$5"} --include="$2" \
    --aptopt='Acquire::Check-Valid-Until "false"' "$1" "$3.new" \
    "deb [trusted=yes] $mirror $1 main"
  mv "$3.new" "$3"
}

# In a mount and process namespace of its own: lays a folder of memory over the Debian, and enters it.
# enter DEBIAN BOOT DEVICE COMMAND…
enter() {
  debian=$1 boot=$2 device=$3
  shift 3
  memory=/run/debian
  mount -t tmpfs none /run
  mkdir -p $memory/written $memory/work $memory/root
  mount -t overlay -o "lowerdir=$debian,upperdir=$memory/written,workdir=$memory/work" none $memory/root
  if [ -n "$boot" ]; then
    boot $memory/root "$device" "$@"
  else
    mkdir -p "$memory/root$project"
    mount --rbind "$project" "$memory/root$project"
    mount -t proc none $memory/root/proc
    mount --rbind /dev $memory/root/dev
    mount --rbind /sys $memory/root/sys
    cp /etc/resolv.conf $memory/root/etc
    exec chroot $memory/root env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin \
      sh -c 'cd "$1" && shift && exec "$@"' sh "$project" "$@"
  fi
}

# Boots the Debian; the command is a service that ends it. Its status is that of the command.
# boot ROOT DEVICE COMMAND…
boot() {
  root=$1 device=$2
  shift 2
  cat >"$root/etc/systemd/system/command.service" <<UNIT
[Unit]
After=basic.target gpsd.socket
SuccessAction=exit
FailureAction=exit
[Service]
Type=oneshot
WorkingDirectory=$project
ExecStart=$(printf '"%s" ' "$@")
StandardOutput=tty
StandardError=tty
TTYPath=/dev/console
UNIT
  mkdir -p "$root/etc/systemd/system/multi-user.target.wants"
  ln -s ../command.service "$root/etc/systemd/system/multi-user.target.wants"
  printf '%s\n' '127.0.0.1 localhost' '::1 localhost' >"$root/etc/hosts"
  # A login would take the console away from the command.
  ln -s /dev/null "$root/etc/systemd/system/console-getty.service"
  # The systemd of newer Debians does without the older hierarchies.
  if [ "$(stat --file-system --format %T /sys/fs/cgroup)" != cgroup2fs ]; then
    umount --recursive /sys/fs/cgroup
    mount -t cgroup2 none /sys/fs/cgroup
  fi
  TERM=dumb exec systemd-nspawn --quiet --directory="$root" --machine=debian --register=no --keep-unit \
    --private-network --link-journal=no --bind="$project" ${device:+"--bind=$device"} \
    --console=read-only --boot -- --show-status=no --log-target=null
}

if [ "$1" = --inside ]; then
  shift
  enter "$@"
  exit
fi
folder='' architecture='' boot='' device=''
[ "$1" != --folder ] || { folder=yes; shift; }
[ "$1" != --architecture ] || { architecture=$2; shift 2; }
[ "$1" != --boot ] || { boot=yes; shift; }
[ "$1" != --device ] || { device=$2; shift 2; }
suite=$1 packages=$2
shift 2
[ "$(id -u)" = 0 ] || cannot "it needs root"
debian=$project/.build/debian/$suite${architecture:+-$architecture}+$(echo "$packages" | tr , +)
variant=minbase
[ -z "$folder" ] || { variant=extract; debian=$debian.files; }
[ -d "$debian" ] || make_debian "$suite" "$packages" "$debian" "$variant" "$architecture" >&2
[ -z "$folder" ] || { echo "$debian"; exit; }
exec unshare --mount --pid --fork --kill-child --mount-proc \
  "$self" --inside "$debian" "$boot" "$device" "$@"
