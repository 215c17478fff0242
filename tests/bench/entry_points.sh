#!/usr/bin/env bash
# The cost of a call by each entry point of tuned CUDA files: tests/bench/entry_points.sh [--simulated] [FOLDER]
# Builds FOLDER/entry_points (default: a new folder) with nvcc for ARCH (environment; default sm_90), to be run on a
# device; with --simulated small sizes, counted on the simulated runtime. Needs a build in build/ (TUNE_BUILD).
set -euo pipefail
root="$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)"
build="${TUNE_BUILD:-$root/build}"
simulated=no
[ "${1:-}" = --simulated ] && simulated=yes && shift
folder="${1:-$(mktemp -d)}"
arch="${ARCH:-sm_90}"
sizes=(ni=1000 nj=1100 nk=1200) steps=(n=2000 tsteps=500)
[ "$simulated" = no ] || sizes=(ni=20 nj=24 nk=28) steps=(n=40 tsteps=4)

macros=()
for size in "${sizes[@]}" "${steps[@]}"; do macros+=("-D${size^^}"); done
generate() { # NAME PROGRAM SIZE...
  local name="$1" program="$2"
  shift 2
  "$build/bin/tunectl" generate "$root/tests/programs/$program.c" --arch "$arch" "${@/#/--parameter=}" \
    -o "$folder/$name.c" --force >/dev/null
}
generate gemm gemm "${sizes[@]}"
generate smooth jacobi-1d "${steps[@]}"

if [ "$simulated" = yes ]; then
  c++ -std=c++17 -O1 -fPIC -shared -DSIMULATED "${macros[@]}" -I "$folder" -I "$root/tests/simulated_cudart" \
    "$root/tests/bench/entry_points.cc" -o "$folder/entry_points.so"
  "$build/tests/simulated/run_on_simulated_device" "$folder/gemm.cu" "$folder/smooth.cu" "$folder/entry_points.so"
  cat "$folder/entry_points.so.err" "$folder/entry_points.so.counts"
else
  nvcc="$(command -v nvcc || echo /usr/local/cuda/bin/nvcc)"
  "$nvcc" -O3 -std=c++17 "-arch=$arch" "${macros[@]}" -I "$folder" "$root/tests/bench/entry_points.cc" \
    "$folder/gemm.cu" "$folder/smooth.cu" -o "$folder/entry_points"
  echo "run $folder/entry_points on a device of $arch"
fi
