#!/usr/bin/env bash
# From a fresh clone to a tuned program: installs what is missing, builds, tunes FILE.c on this machine.
# Usage: deploy/quickstart.sh [FILE.c [tunectl tune options...]]    default: client/examples/gemm.c
source "$(dirname "${BASH_SOURCE[0]}")/steps.sh"

case "${1:-}" in
  -h | --help)
    sed -n '2,3s/^# //p' "${BASH_SOURCE[0]}"
    exit 0
    ;;
esac
file="${1:-$root/client/examples/gemm.c}"
[ $# -eq 0 ] || shift
[ -f "$file" ] || fail "$file: no such file. Usage: deploy/quickstart.sh [FILE.c]"

install_packages
report_host
configure_and_build installable
announce "tune $file"
exec "$build/bin/tunectl" tune "$file" "$@"
