#!/bin/sh
# Whether data/po/offload-lab.pot has the texts of the lab as they are. Exit status 77: not looked at.
set -eu
cd -- "$(dirname -- "$(readlink -f -- "$0")")/../.."
command -v xgettext >/dev/null || {
  echo "SKIPPED: xgettext is missing (package: gettext)" >&2
  exit 77
}
made=$(mktemp)
trap 'rm -f "$made" "$made.old"' EXIT
data/po/template.sh "$made"
grep -v '^"POT-Creation-Date' data/po/offload-lab.pot >"$made.old"
if ! grep -v '^"POT-Creation-Date' "$made" | diff "$made.old" -; then
  echo "data/po/offload-lab.pot is out of date: run data/po/template.sh data/po/offload-lab.pot" >&2
  exit 1
fi
