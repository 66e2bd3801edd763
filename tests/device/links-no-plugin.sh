#!/bin/sh
# links-no-plugin.sh PROGRAM…: none of them needs a library of CUDA or of MPI, by itself or through
# another: those are the plug-ins' affair.
status=0
for program; do
  libraries=$(ldd "$program") || exit 1
  if printf '%s\n' "$libraries" |
    grep -Ei 'libcu(da|dart|blas|rand|solver|sparse|fft)|nvidia|libnv|nccl|libmpi|libopen-(rte|pal)'; then
    echo "$program needs what only a plug-in may need: see above"
    status=1
  fi
done
exit $status
