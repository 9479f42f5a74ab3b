#!/bin/sh
# Writes what --view shows of a simulated receiver after some seconds, with its colours as control sequences. The receiver
# appears as /dev/ttyACM0.
# Usage: view.sh DIRECTORY-OF-THE-PROGRAMS COLUMNS ROWS SECONDS SCENARIO    (needs tmux)
set -eu
programs=$1 columns=$2 rows=$3 seconds=$4 scenario=$5
directory=$(mktemp -d)
socket=locwatch-view-$$
"$programs/simulated-receiver" --scenario "$scenario" --link "$directory/ttyACM0" >"$directory/started" &
receiver=$!
trap 'tmux -L "$socket" kill-server 2>/dev/null || true; kill "$receiver" 2>/dev/null; rm -rf "$directory"' EXIT
until [ -s "$directory/started" ]; do sleep 0.05; done
tmux -L "$socket" -f /dev/null new-session -d -x "$columns" -y "$rows" \
  "LC_ALL=C.UTF-8 TERM=tmux-256color '$programs/locwatch' --view '$directory/ttyACM0'"
tmux -L "$socket" set status off
tmux -L "$socket" resize-window -x "$columns" -y "$rows"
sleep "$seconds"
tmux -L "$socket" capture-pane -p -e | sed "s|$directory|/dev|; 1s|  *\(.\[2m?\)|$(printf '%*s' $((columns - 38)) '')\1|"
