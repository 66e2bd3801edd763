#!/bin/sh
# links-no-cuda.sh PROGRAM…: none of them needs a library of CUDA, by itself or through another.
status=0
for program; do
  libraries=$(ldd "$program") || exit 1
  if printf '%s\n' "$libraries" | grep -Ei 'libcu(da|dart|blas|rand|solver|sparse|fft)|nvidia|libnv|nccl'; then
    echo "$program needs CUDA: see above"
    status=1
  fi
done
exit $status
