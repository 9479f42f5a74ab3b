#!/bin/sh
# Checks the Debian package with lintian, and its program here. Then installs it in each of the given
# Debians, booted by systemd and without Swift, where that Debian's gpsd reads a simulated receiver: it
# must give a fix, its unit must rotate and compress its files, record through a restart of gpsd and notice that the receiver
# is unplugged, its instances must start again in an upgrade and end with the removal, and once it is purged,
# nothing but the recording may be left.
# Usage: deb.sh PACKAGE SIMULATED-RECEIVER [SUITE…]
set -eu
cd "$(dirname "$0")/../.."
fail() {
  echo "$*" >&2
  exit 1
}

# until DESCRIPTION COMMAND…: waits until the command succeeds.
until_true() {
  description=$1 tries=0
  shift
  until "$@" >/dev/null 2>&1; do
    tries=$((tries + 1))
    [ "$tries" -lt 150 ] || fail "waited in vain for $description"
    sleep 0.2
  done
}

here() {
  lintian --allow-root --pedantic --fail-on error,warning,info,pedantic "$package"
  echo "lintian --pedantic: no tag; $(du -k "$package" | cut -f 1) kB"
  dpkg-deb --extract "$package" "$folder"
  [ "$("$folder/usr/bin/locwatch" --replay Fixtures/tunnel.jsonl --once)" \
    = "48.1222307 11.517333333 545.4" ] || fail "the program does not replay"
  for page in man1/locwatch.1 man5/locwatch-formats.5 man7/locwatch-report.7 man7/locwatch-recipes.7; do
    ! man --warnings --local-file "$folder/usr/share/man/$page.gz" 2>&1 >/dev/null | grep . \
      || fail "the manual page $page has warnings"
  done
}

files() { find / -xdev ! -path '/var/log/*' ! -path '/var/lib/systemd/*' | LC_ALL=C sort; }
recording=/var/lib/locwatch/localhost/
transitions() {
  journalctl --quiet --output=cat --unit=locwatch@localhost | grep -v ^locwatch: | cut -d ' ' -f 2
}
recorded() {
  [ "$(transitions | grep -c fix-3d)" = "$1" ] && [ "$(zcat -f "$recording"* | grep -c '"class":"VERSION"')" = "$1" ]
}

served() { journalctl --quiet --output=cat --unit=locwatch-page | grep -q fix-3d; }

# Has the unit begin a new file after 2 s, as an administrator would have it do.
rotate() {
  drop_in=/run/systemd/system/locwatch@localhost.service.d
  mkdir -p $drop_in
  sed -n -e '1i [Service]\nExecStart=' -e '/^ExecStart=/ s/ -- / --rotate 2s&/p' \
    /usr/lib/systemd/system/locwatch@.service >$drop_in/rotate.conf
}
recordings() { find "$recording" -type f | wc -l; }
compressed() { [ "$(find "$recording" -name '*.gz' | wc -l)" -ge 2 ]; }

# The processes of the instances; 0 for one that does not run.
processes() { systemctl show --property=MainPID --value locwatch@localhost locwatch@127.0.0.1 | grep . | paste -s -d ' '; }
restarted() {
  for process in $(processes); do
    [ "$process" != 0 ] || return 1
    case " $1 " in *" $process "*) return 1 ;; esac
  done
}

unplugged() { [ "$(transitions | tail -n 1)" = no-device ]; }

# As root in a booted Debian, with the receiver as /dev/ttyACM0.
inside() {
  files >/tmp/before
  dpkg --install "$package" >/dev/null
  echo "Debian $(cat /etc/debian_version), $(gpsd -V 2>&1 | head -n 1), $(locwatch --version):"

  printf '%s\n' DEVICES=/dev/ttyACM0 "GPSD_OPTIONS='-n -b -s 38400 -f 8N1'" >/etc/default/gpsd
  systemctl restart gpsd
  fix=$(locwatch --once)
  echo "  from the gpsd there: $fix"

  systemctl stop gpsd.socket gpsd
  fix=$(locwatch --once /dev/ttyACM0)
  echo "  from a gpsd of its own: $fix"
  systemctl start gpsd.socket gpsd

  systemd-analyze verify --man=no locwatch@localhost.service locwatch-page.service
  [ "$(systemctl is-enabled locwatch@localhost)" = disabled ] || fail "the unit is enabled"
  systemctl start locwatch-page
  until_true "a page with a fix" served
  grep -q ' 0100007F:26DB 00000000:0000 0A ' /proc/net/tcp || fail "port 9947 is not open"
  systemctl stop locwatch-page
  [ "$(systemctl is-failed locwatch-page)" = inactive ] || fail "the page has failed"
  rotate
  systemctl start locwatch@localhost
  until_true "a recording" recorded 1
  until_true "two compressed files" compressed
  systemctl restart gpsd
  until_true "a recording that goes on" recorded 2
  # Nothing is heard of the receiver, and its device is gone.
  systemctl kill --signal=STOP gpsd
  umount --lazy /dev/ttyACM0
  until_true "the receiver to be gone" unplugged
  [ "$(systemctl show --property=NRestarts --value locwatch@localhost)" = 0 ] || fail "the unit was started again"
  systemctl stop locwatch@localhost
  [ "$(systemctl is-failed locwatch@localhost)" = inactive ] || fail "the unit has failed"
  fix=$(locwatch --replay "$recording" --once)
  echo "  from its unit: $(transitions | paste -s -d ' '), with $(recordings) files and their first fix $fix"
  systemd-analyze security --no-pager locwatch@localhost | sed -n 's/^→/ /p'

  systemctl enable --now --quiet locwatch@localhost locwatch@127.0.0.1
  until_true "two instances" restarted ""
  old=$(processes)
  dpkg --install "$package" >/dev/null
  until_true "two instances of the new version" restarted "$old"
  dpkg --remove locwatch >/dev/null
  [ "$(processes)" = "0 0" ] || fail "instances still run after the removal: $(processes)"
  [ -z "$(systemctl list-units --plain --no-legend 'locwatch@*')" ] || fail "systemd still knows instances"
  echo "  its instances were started again by an upgrade, and ended by the removal"

  dpkg --purge locwatch >/dev/null
  files >/tmp/after
  left=$(comm -13 /tmp/before /tmp/after | grep -v -E '^/var/lib/(private|locwatch)(/|$)' || true)
  [ -z "$left" ] || fail "left after its purge: $left"
  locwatch=$(! command -v locwatch) || fail "there is still $locwatch"
  [ "$(recordings)" -ge 3 ] || fail "the purge has removed the recording"
  echo "  purged: nothing is left but the recording"
}

if [ "$1" = --inside ]; then
  package=$2
  inside
  exit
fi
package=$1 receiver=$2
shift 2
folder=$(mktemp -d)
trap 'kill "$receiving" 2>/dev/null || true; rm -rf "$folder"' EXIT
receiving=
here
for suite in "$@"; do
  "$receiver" --scenario still --rate 5 --link "$folder/gps0" >/dev/null &
  receiving=$!
  until_true "the simulated receiver" [ -e "$folder/gps0" ]
  Tests/Checks/debian.sh --boot --device "$(realpath "$folder/gps0"):/dev/ttyACM0" \
    "$suite" gpsd,systemd-sysv "$PWD/Tests/Checks/deb.sh" --inside "$PWD/$package"
  kill "$receiving"
  wait "$receiving" 2>/dev/null || true
done
