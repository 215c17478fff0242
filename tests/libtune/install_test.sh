#!/usr/bin/env bash
# Installs libtune into a folder of its own and builds its examples against that, as a program would: by find_package and
# by pkg-config, with the shared library and the archive. Usage: install_test.sh BUILD EXAMPLES
set -euo pipefail
build="$1"
examples="$2"
folder="$(mktemp -d)"
trap 'rm -rf "$folder"' EXIT

cmake --install "$build" --component libtune --prefix "$folder/first" >"$folder/log"
mv "$folder/first" "$folder/moved"  # nothing knows where it was put
prefix="$folder/moved"

announced() {
  "$@" >"$folder/out"
  cat "$folder/out"
  grep -q settled "$folder/out"
}

echo "by find_package"
cmake -S "$examples" -B "$folder/build" -D CMAKE_PREFIX_PATH="$prefix" >"$folder/log"
cmake --build "$folder/build" >"$folder/log" || { cat "$folder/log"; exit 1; }
announced "$folder/build/matrix_product" 40 200 "$folder/wisdom"
grep -q "^entry.matrix_product" "$folder/wisdom"
announced "$folder/build/matrix_product_static" 40 200 "$folder/wisdom"  # settled by the first program
grep -q "settled after 0 tries" "$folder/out"
announced "$folder/build/blocked_product" 20

echo "by pkg-config"
export PKG_CONFIG_PATH
PKG_CONFIG_PATH="$(dirname "$(find "$prefix" -name tune.pc)")"
read -ra flags <<<"$(pkg-config --cflags --libs tune)"
read -ra static_flags <<<"$(pkg-config --static --cflags --libs tune)"
libraries="$(dirname "$PKG_CONFIG_PATH")"
cc -O2 -Wall -Wextra -pedantic -std=c99 "$examples/matrix_product.c" "${flags[@]}" -lm -o "$folder/c"
LD_LIBRARY_PATH="$libraries" announced "$folder/c" 40 50
c++ -O2 -Wall -Wextra -pedantic -std=c++11 "$examples/blocked_product.cc" "${flags[@]}" -o "$folder/cc"
LD_LIBRARY_PATH="$libraries" announced "$folder/cc" 20
cc -O2 -static "$examples/matrix_product.c" "${static_flags[@]}" -lm -o "$folder/static"
announced "$folder/static" 40 50
