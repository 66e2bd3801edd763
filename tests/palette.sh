#!/bin/sh
# Whether colours are written down in one place alone: app/charts/style.c. Everything else takes them
# from there, or from the desktop by name.
set -eu
cd -- "$(dirname -- "$(readlink -f -- "$0")")/.."

found=$(
  grep -rnE '0x[0-9A-Fa-f]{6}\b|"#[0-9A-Fa-f]{3,8}"|cairo_set_source_rgb\(|gdk_rgba_parse' \
    app/charts app/window --include='*.c' --include='*.h' | grep -v '^app/charts/style\.c:' || true
  grep -nE '#[0-9A-Fa-f]{3,8}\b|\brgba?\(|:[^;]*\b(white|black|red|green|blue|gr[ae]y|orange)\b' \
    data/style/*.css || true
)
[ -z "$found" ] || {
  echo "colours beside the palette:" >&2
  echo "$found" >&2
  exit 1
}
