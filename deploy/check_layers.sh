#!/usr/bin/env bash
# Fails when a file includes one of a layer that it must not know: client, server, worker -> common -> proto;
# client, server and worker never each other; clang only in client/extract, SQLite only in server/store, HTTP only in
# server/dashboard and, to ask another server, client/exchange/http_client.cc, Z3 only in common/constraints, isl only
# through common/isl, its C functions only there, and nothing of it, by any way, in programs as data, passes and
# printers; CUDA's headers only in worker/cuda; a transformation's folder only in common/transform and, where spaces ask
# for schedules, common/space.
# libtune, which goes into users' programs, knows itself, the standard library and POSIX alone, and nobody knows it.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
status=0

# forbid FOLDER PATTERN REASON [EXCEPTION]: no file below FOLDER includes what matches PATTERN.
forbid() {
  local hits
  hits="$(grep -rnE "^#include [<\"]($2)" "$1" --include='*.h' --include='*.cc' | grep -vE "${4:-^$}" || true)"
  if [ -n "$hits" ]; then
    printf '%s\n  -> %s\n' "$hits" "$3" >&2
    status=1
  fi
}

forbid common '(client|server|worker)/' 'common knows none of the programs'
forbid client '(server|worker)/' 'client knows neither server nor worker'
forbid server '(client|worker)/' 'server knows neither client nor worker'
forbid worker '(client|server)/' 'worker knows neither client nor server'
forbid libtune '(common|client|server|worker|tests|proto|tune|absl|google|grpc|grpcpp|isl|clang|llvm|spdlog|nlohmann|CLI)/' \
  'libtune knows the standard library and POSIX alone'
for folder in common client server worker; do
  forbid "$folder" 'libtune/' 'libtune is for users'"'"' programs' '^client/exchange/application_(wisdom|tries|captures)\.cc:'
  forbid "$folder" '(clang|llvm)/' 'clang belongs to client/extract' '^client/extract'
  forbid "$folder" '(SQLiteCpp|sqlite3)' 'SQLite belongs to server/store' '^server/store/'
  forbid "$folder" 'httplib' 'HTTP belongs to server/dashboard and client/exchange/http_client.cc' \
    '^(server/dashboard/|client/exchange/http_client\.cc:)'
  forbid "$folder" 'prometheus/' 'metrics belong to server/dashboard' '^server/dashboard/'
  forbid "$folder" 'z3' 'Z3 belongs to common/constraints' '^common/constraints/consistency\.cc:'
  forbid "$folder" 'isl/' 'include common/isl/isl.h instead' '^common/isl/(isl\.h|vertices\.cc|quasi_polynomial\.cc):'
  forbid "$folder" '(cuda\.h|nvrtc|cupti|nvml|nvperf)' "CUDA's headers belong to worker/cuda" '^worker/cuda/'
  forbid "$folder" 'tests/' 'programs do not include tests'
done

raw="$(grep -rnE '\bisl_[a-z_0-9]+\(|isl::manage\(' common client server worker --include='*.h' --include='*.cc' |
  grep -v '^common/isl/' || true)"
if [ -n "$raw" ]; then
  printf '%s\n  -> isl'"'"'s C functions have their wrappers in common/isl\n' "$raw" >&2
  status=1
fi

# reaches_isl FOLDER: no file below it includes common/isl, directly or through headers of this project.
reaches_isl() {
  local todo seen=" " file header
  todo="$(find "$1" -name '*.h' -o -name '*.cc')"
  while [ -n "$todo" ]; do
    local next=""
    for file in $todo; do
      for header in $(sed -nE 's|^#include "((common\|worker)/[^"]*)".*|\1|p' "$file"); do
        case "$header" in
          common/isl/*)
            printf '%s includes %s\n  -> what is below %s knows no isl\n' "$file" "$header" "$1" >&2
            status=1
            ;;
        esac
        case "$seen" in *" $header "*) continue ;; esac
        seen="$seen$header "
        next="$next $header"
      done
    done
    todo="$next"
  done
}
for folder in common/program worker/passes worker/print; do reaches_isl "$folder"; done

# Transformations are known by their list alone: adding one adds a folder and a line.
for folder in client server worker; do
  forbid "$folder" 'common/transform/[a-z_]*/' 'common/transform/transformations.h has the list of transformations'
done
forbid common 'common/transform/[a-z_]*/' 'common/transform/transformations.h has the list of transformations' \
  '^common/(transform|space)/'

long="$(find common client libtune server worker -name '*.h' -o -name '*.cc' | xargs wc -l | awk '$2 != "total" && $1 > 500')"
if [ -n "$long" ]; then
  printf '%s\n  -> longer than 500 lines: split by concept\n' "$long" >&2
  status=1
fi
[ "$status" = 0 ] && echo "layers hold"
exit "$status"
