#!/bin/sh
# Whether .clang-format would leave every source as it is: those that git tracks, and only by the
# clang-format of Debian 12, since others break the same lines elsewhere. Exit status 77: not looked at.
set -eu
cd -- "$(dirname -- "$(readlink -f -- "$0")")/.."

skip() {
  echo "SKIPPED: $*" >&2
  exit 77
}

tool=$(command -v clang-format-14 || command -v clang-format) ||
  skip "there is no clang-format (package: clang-format)"
case $("$tool" --version) in
*'version 14.'*) ;;
*) skip "$("$tool" --version), and the sources are formatted by version 14" ;;
esac
command -v git >/dev/null || skip "there is no git to say which files are sources"
list=$(mktemp)
trap 'rm -f "$list"' EXIT
# Whoever owns the checkout: only names are read.
git -c safe.directory='*' ls-files -z '*.c' '*.h' >"$list" 2>/dev/null && [ -s "$list" ] ||
  skip "this is no git checkout"

xargs -0 "$tool" --dry-run -Werror <"$list"
