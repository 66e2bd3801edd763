#!/bin/sh
# template.sh FILE: all texts that people read, as a template for translators.
set -eu
target=$(readlink -f -- "$1")
cd -- "$(dirname -- "$(readlink -f -- "$0")")/../.."
texts=$(mktemp)
trap 'rm -f "$texts"' EXIT
python3 data/po/texts.py data >"$texts"
# The paths of the texts are those that they name themselves.
find engine lessons app -name '*.[ch]' | LC_ALL=C sort |
  xgettext --files-from=- --output="$target" --from-code=UTF-8 --language=C --no-wrap --add-location=file --sort-by-file \
    --keyword=_ --keyword=N_ --keyword=C_:1c,2 --keyword=ol_ngettext:1,2 --flag=g_strdup_printf:1:c-format \
    --package-name=offload-lab --copyright-holder='the Offload Lab authors' "$texts" -
