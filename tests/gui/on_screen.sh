#!/bin/sh
# SPDX-License-Identifier: MIT
# Runs a program on a virtual screen with a session bus and fresh folders:
#   on_screen.sh [--skip REASON] PROGRAM [ARGUMENT…]
# SCREEN_PX is the screen's size, 1920x1200 unless it is given.
if [ "$1" = --skip ]; then
  echo "1..0 # SKIP $2"
  exit 0
fi

for tool in xvfb-run xauth dbus-run-session; do
  if ! command -v "$tool" >/dev/null 2>&1; then
    echo "1..0 # SKIP $tool is not installed"
    exit 0
  fi
done

home=$(mktemp -d) || exit 1
trap 'rm -rf "$home"' EXIT
mkdir -m 700 "$home/run"
export HOME="$home" XDG_RUNTIME_DIR="$home/run" XDG_CONFIG_HOME="$home/config" \
  XDG_DATA_HOME="$home/data" XDG_CACHE_HOME="$home/cache" XDG_STATE_HOME="$home/state"
export GSETTINGS_BACKEND=memory GTK_THEME="${GTK_THEME:-Adwaita}" GDK_BACKEND=x11 \
  NO_AT_BRIDGE=1 LC_ALL=C.UTF-8
unset DBUS_SESSION_BUS_ADDRESS WAYLAND_DISPLAY DISPLAY FRETSAW_LOG

# The bus and what it starts talk on both streams, which must not end up in the TAP stream.
xvfb-run -a -s "-screen 0 ${SCREEN_PX:-1920x1200}x24" dbus-run-session -- \
  sh -c 'exec "$@" >&4 4>&-' sh "$@" 4>&1 >&2
