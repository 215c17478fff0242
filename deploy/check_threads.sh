#!/usr/bin/env bash
# Fails when a file touches what a mutex guards without holding it: clang's -Wthread-safety, on files that say in
# their text, or in that of their header, what is guarded (ABSL_GUARDED_BY).
# Usage: deploy/check_threads.sh BUILD    (a build folder with the generated messages)
set -euo pipefail
build="$(cd "$1" && pwd)"
cd "$(dirname "${BASH_SOURCE[0]}")/.."

# Headers of CUDA, where this machine has them.
cuda=()
while read -r folder; do
  [ -d "$folder" ] && cuda+=(-isystem "$folder")
done < <(sed -nE 's/^TUNE_(CUDA|NVRTC|CUPTI)_INCLUDE:PATH=//p' "$build/CMakeCache.txt")

files=()
while read -r file; do
  source="${file%.h}"
  source="${source%.cc}.cc"
  [ "${#cuda[@]}" = 0 ] && [[ "$source" = worker/cuda/* ]] && continue
  [ -f "$source" ] && files+=("$source")
done < <(grep -rlE 'ABSL_(GUARDED_BY|EXCLUSIVE_LOCKS_REQUIRED|SHARED_LOCKS_REQUIRED|LOCKS_EXCLUDED)' \
  common client server worker --include='*.h' --include='*.cc')

printf '%s\n' "${files[@]}" | sort -u |
  xargs -P "$(nproc)" -n 1 clang++-16 -std=c++20 -fsyntax-only -I. -isystem "$build/proto" "${cuda[@]}" \
    -Wno-everything -Wthread-safety -Werror=thread-safety
echo "$(printf '%s\n' "${files[@]}" | sort -u | wc -l) files hold what they touch"
