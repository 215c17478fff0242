#!/usr/bin/env bash
# Fails when a file is not formatted as .clang-format says; `clang-format-14 -i FILE` mends it. Usage: deploy/check_format.sh
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
log="$(mktemp)"
if ! find client common libtune server tests worker -name '*.h' -o -name '*.hpp' -o -name '*.cc' |
  xargs -P "$(nproc)" -n 50 clang-format-14 --dry-run -Werror 2>"$log"; then
  grep error: "$log" | cut -d: -f1 | sort -u >&2
  echo "  -> run clang-format-14 -i on these files" >&2
  rm "$log"
  exit 1
fi
rm "$log"
echo "format holds"
