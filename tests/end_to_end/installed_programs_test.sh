#!/usr/bin/env bash
# Installs the programs into a folder of its own and lets them tune: they find each other there, and nothing of the
# build. Usage: installed_programs_test.sh BUILD SOURCES
set -euo pipefail
build="$1"
sources="$2"
folder="$(mktemp -d)"
trap 'rm -rf "$folder"' EXIT

cmake --install "$build" --component programs --prefix "$folder/first" >"$folder/log"
mv "$folder/first" "$folder/moved"
unset TUNE_LIBEXEC
export PATH="$folder/moved/bin:$PATH" XDG_DATA_HOME="$folder/data" XDG_RUNTIME_DIR="$folder/run" HOME="$folder"
mkdir -p "$folder/work" "$folder/data" "$folder/run"
cd "$folder/work"
for program in tunectl tuned-server tune-worker; do "$program" --version; done
cp "$sources/client/examples/gemm.c" .
tune-sandbox --check || exit 77  # it has said why nothing can be tuned here
tunectl tune gemm.c --target cpu --evaluations 2 --force >out 2>&1 || { cat out; exit 1; }
grep -q "2 of 2" out || { cat out; exit 1; }
test -s gemm.tuned.c
