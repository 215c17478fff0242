#!/usr/bin/env bash
# Fails when clang-tidy finds something (.clang-tidy) in what was changed last: of the .cc files that differ from the
# commit before, at most eight, for each takes a quarter of a minute.
# Usage: deploy/check_tidy.sh BUILD [--all | FILE...]    (a build folder with the generated messages)
set -euo pipefail
build="$(cd "$1" && pwd)"
shift
cd "$(dirname "${BASH_SOURCE[0]}")/.."
most=8

cuda="$(sed -nE 's/^TUNE_CUDA_INCLUDE:PATH=//p' "$build/CMakeCache.txt")"
if [ "${1:-}" = --all ]; then
  list="$(git ls-files common client libtune server worker)"
elif [ "$#" -gt 0 ]; then
  list="$(printf '%s\n' "$@")"
else
  list="$(git diff --name-only --diff-filter=d HEAD~1 -- common client libtune server worker 2>/dev/null | grep "\.cc$" | head -n "$most" || true)"
fi
[ -d "$cuda" ] || list="$(grep -v '^worker/cuda/' <<<"$list" || true)"
list="$(grep '\.cc$' <<<"$list" || true)"
[ -n "$list" ] || {
  echo "no file to look at"
  exit 0
}

includes=(-I. -Ilibtune/include -isystem "$build/proto" -isystem /usr/lib/llvm-16/include)
while read -r folder; do
  [ -d "$folder" ] && includes+=(-isystem "$folder")
done < <(sed -nE 's/^TUNE_(CUDA|NVRTC|CUPTI)_INCLUDE:PATH=//p' "$build/CMakeCache.txt")
# What it says of the number of warnings that it does not show goes to the standard error.
xargs -P "$(nproc)" -I{} clang-tidy-16 --quiet --warnings-as-errors='*' {} -- -std=c++20 "${includes[@]}" \
  -Wno-everything <<<"$list" 2>/dev/null
echo "clang-tidy finds nothing in $(wc -l <<<"$list") files"
