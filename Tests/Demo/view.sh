#!/bin/sh
# Writes what --view shows of a recording after some seconds, with its colours as control sequences.
# Usage: view.sh PROGRAM RECORDING COLUMNS ROWS SECONDS [OPTION...]    (needs tmux)
set -eu
program=$1 recording=$2 columns=$3 rows=$4 seconds=$5
shift 5
socket=locwatch-view-$$
trap 'tmux -L "$socket" kill-server 2>/dev/null || true' EXIT
tmux -L "$socket" -f /dev/null new-session -d -x "$columns" -y "$rows" \
  "LC_ALL=C.UTF-8 TERM=tmux-256color '$program' --view --replay '$recording' $*"
tmux -L "$socket" set status off
tmux -L "$socket" resize-window -x "$columns" -y "$rows"
sleep "$seconds"
tmux -L "$socket" capture-pane -p -e
