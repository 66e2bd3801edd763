#!/usr/bin/env bash
# under-mpirun.sh N PROGRAM [ARGUMENTS]: the program as N processes of this machine, also as root and
# on fewer cores. Skips, and says why, where there is no mpirun.
set -euo pipefail

command -v mpirun >/dev/null || {
  echo "skipped: mpirun is missing (package openmpi-bin)"
  exit 77
}
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
# Open MPI itself leaves thousands of blocks behind.
export ASAN_OPTIONS="${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0"
exec mpirun --oversubscribe --bind-to none -n "$@"
