#!/bin/sh
# Runs a window test under a display, a session bus and an accessibility bus of its own.
#   under-display.sh WINDOW DATA PICTURES TEST.py [LOOK]
# LOOK: light (default), dark, high or high-dark: the two in high contrast. LAB_TEXT: text size in per cent. LAB_SCREEN: "1440x900".
set -eu

for tool in Xvfb dbus-run-session xdotool import pgrep; do
  if ! command -v "$tool" >/dev/null; then
    echo "SKIPPED: $tool is missing (packages: xvfb dbus xdotool imagemagick procps)" >&2
    exit 77
  fi
done
if ! /usr/bin/python3 -c 'import gi, pyatspi; gi.require_version("Gtk", "4.0")' 2>/dev/null; then
  echo "SKIPPED: pyatspi or GTK's bindings are missing (packages: python3-pyatspi gir1.2-gtk-4.0)" >&2
  exit 77
fi

# Ten seconds at most, until the command succeeds.
await() {
  for _ in $(seq 100); do
    ! "$@" || break
    sleep 0.1
  done
}

if [ "${LAB_WORK:-}" = "" ]; then
  LAB_WORK=$(mktemp -d)
  LAB_WINDOW=$1 OFFLOAD_LAB_DATA=$2
  LAB_PICTURES=$3/$(basename "$4" .py)-${5:-light}${LAB_SCREEN:+-$LAB_SCREEN}${LAB_TEXT:+-text-$LAB_TEXT}
  LAB_SCREEN=${LAB_SCREEN:-1440x900}
  export LAB_WORK LAB_WINDOW OFFLOAD_LAB_DATA LAB_PICTURES LAB_SCREEN
  mkdir -p "$LAB_PICTURES"
  rm -f "$LAB_PICTURES"/*.png
  # -displayfd: the server finds a free number itself, which two tests at once cannot both take.
  # -noreset: nor does it start anew, deaf for a moment, when the first program leaves it.
  Xvfb -displayfd 1 -noreset -screen 0 "${LAB_SCREEN}x24" -nolisten tcp \
    >"$LAB_WORK/display" 2>"$LAB_WORK/xvfb" &
  display=$!
  trap 'kill $display 2>/dev/null || true; rm -rf "$LAB_WORK"' EXIT
  await test -s "$LAB_WORK/display"
  DISPLAY=:$(cat "$LAB_WORK/display")
  export DISPLAY
  dbus-run-session -- "$0" "$@"
  exit
fi

mkdir -p "$LAB_WORK/run" "$LAB_WORK/home/config/gtk-4.0"
chmod 700 "$LAB_WORK/run"
export XDG_RUNTIME_DIR="$LAB_WORK/run" LAB_HOME="$LAB_WORK/home" LAB_CACHE="$LAB_WORK/cache"
export GSK_RENDERER=cairo GDK_BACKEND=x11 GSETTINGS_BACKEND=memory NO_AT_BRIDGE=0
export GTK_A11Y=atspi LC_ALL=C.UTF-8 G_DEBUG=fatal-criticals
case ${5:-light} in *dark) export ADW_DEBUG_COLOR_SCHEME=prefer-dark ;; esac
case ${5:-light} in high*) export ADW_DEBUG_HIGH_CONTRAST=1 ;; esac
cat >"$LAB_WORK/home/config/gtk-4.0/settings.ini" <<EOF
[Settings]
gtk-font-name=Inter $((11 * ${LAB_TEXT:-100} / 100))
gtk-enable-animations=0
EOF

for launcher in /usr/libexec/at-spi-bus-launcher /usr/lib/at-spi2-core/at-spi-bus-launcher; do
  if [ -x "$launcher" ]; then
    "$launcher" --launch-immediately >/dev/null 2>&1 &
    break
  fi
done
has_accessibility() {
  dbus-send --session --print-reply --dest=org.freedesktop.DBus / \
    org.freedesktop.DBus.NameHasOwner string:org.a11y.Bus 2>/dev/null | grep -q 'boolean true'
}
await has_accessibility
# Debian's own python: pyatspi belongs to it.
status=0
/usr/bin/python3 "$4" || status=$?
[ -z "${!:-}" ] || kill "$!" 2>/dev/null || true
exit $status
