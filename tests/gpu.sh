#!/usr/bin/env bash
# tests/gpu.sh [FOLDER]   all that is to be run on a machine with a GPU, in one call, within 10 minutes:
#   builds the lab with CUDA in FOLDER (build-gpu), holds every kernel and copy of the CUDA device
#   against the virtual one, the same under compute-sanitizer, and trains with states in different
#   places, whose weights must have the same hash.
# tests/gpu.sh --pack [FOLDER]   on a machine without a GPU: builds, and puts the libraries that the
#   build needs (but CUDA's and the C library's) beside it, for a GPU machine that has no compiler.
#
# Exit status 0: all that could be run is right; 1: something is wrong; 77: no GPU here. A line is
# printed for each part: ok, FAILED, or not run with the reason.
set -uo pipefail
cd -- "$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")/.." || exit 1

pack=false
if [ "${1:-}" = --pack ]; then
  pack=true
  shift
fi
folder=${1:-build-gpu}
tests=(test-plugin test-behaviour test-compare test-compare-products)
programs=("${tests[@]/#/$folder/tests/device/}" "$folder/app/cli/offload-lab-cli")
failures=0

build() {
  [ -e "$folder/build.ninja" ] || meson setup "$folder" -Dcuda=enabled -Dbuildtype=release || return 1
  ninja -C "$folder"
}

# The libraries of the programs and the plug-in that a bare machine may lack.
pack_libraries() {
  mkdir -p "$folder/libraries"
  ldd "${programs[@]}" "$folder/engine/device/cuda/cuda.so" | awk '$2 == "=>" { print $3 }' | sort -u |
    grep -Ev '/(libcu|libnv|ld-linux|libc\.so|libm\.so|libpthread|libdl\.|librt\.)' |
    xargs -r cp -Lt "$folder/libraries"
}

if $pack; then
  build && pack_libraries
  exit
fi

# part NAME SECONDS COMMAND…: runs it, within its time, and says how it went.
part() {
  local name=$1 seconds=$2 begin=$SECONDS status
  shift 2
  echo "== $name: $*"
  timeout "$seconds" "$@"
  status=$?
  if [ "$status" = 0 ]; then
    echo "== $name: ok ($((SECONDS - begin)) s)"
  else
    echo "== $name: FAILED with status $status ($((SECONDS - begin)) s)"
    failures=$((failures + 1))
  fi
}

not_run() { echo "== $1: not run: $2"; }

if ! nvidia-smi --query-gpu=name,driver_version,memory.total,compute_cap --format=csv; then
  not_run "everything" "nvidia-smi finds no GPU"
  exit 77
fi
if command -v nvcc >/dev/null && command -v meson >/dev/null; then
  part "build" 400 build
elif [ -d "$folder/libraries" ]; then
  export LD_LIBRARY_PATH="$PWD/$folder/libraries:/usr/local/cuda/lib64:${LD_LIBRARY_PATH:-}"
  export OFFLOAD_LAB_PLUGINS="$PWD/$folder/engine/device/cuda" OFFLOAD_LAB_DATA="$PWD/data"
  not_run "build" "no nvcc or no meson here; $folder was built elsewhere"
else
  not_run "everything" "no nvcc or no meson, and no $folder made by tests/gpu.sh --pack"
  exit 1
fi

# Exit status 77 means skipped, which here is a failure: there is a GPU.
part "plug-in" 60 "$folder/tests/device/test-plugin"
part "behaviour" 60 "$folder/tests/device/test-behaviour" cuda
for round in 1 2 3; do
  part "compare, seed of round $round" 60 "$folder/tests/device/test-compare" cuda
  part "products, seed of round $round" 60 "$folder/tests/device/test-compare-products" cuda
done

sanitizer=$(command -v compute-sanitizer || echo /usr/local/cuda/bin/compute-sanitizer)
for tool in memcheck racecheck; do
  if [ -x "$sanitizer" ]; then
    for kernels in test-compare test-compare-products; do
      part "$tool of $kernels" 100 "$sanitizer" --tool "$tool" --error-exitcode 1 \
        "$folder/tests/device/$kernels" cuda
    done
  else
    not_run "$tool" "compute-sanitizer is not here"
  fi
done

# The hash of the weights after a run on the GPU with these settings; words on standard error.
hash_of() {
  local arguments=(run --summary --set hardware.device=cuda) setting
  for setting in "$@"; do
    arguments+=(--set "$setting")
  done
  timeout 60 "$folder/app/cli/offload-lab-cli" "${arguments[@]}" |
    sed -n 's/.*"weights\.hash": *"\([0-9a-f]*\)".*/\1/p'
}

same_hashes() {
  local first='' hash placement
  for placement in optimizer.runs_on=host optimizer.runs_on=gpu; do
    local settings=("$placement")
    [ "$placement" = optimizer.runs_on=gpu ] &&
      settings+=(placement.optimizer=gpu placement.gradients=gpu)
    hash=$(hash_of "${settings[@]}")
    echo "${settings[*]}: ${hash:-no hash}"
    [ -n "$hash" ] && [ "${first:=$hash}" = "$hash" ] || return 1
  done
}
export -f same_hashes hash_of
export folder
part "the same weights wherever the states are" 130 bash -c same_hashes

echo "== $failures parts failed ($SECONDS s)"
[ "$failures" = 0 ]
