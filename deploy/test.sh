#!/usr/bin/env bash
# Installs what is missing, builds everything and runs all tests.
# Usage: deploy/test.sh [--sanitizers | --fuzz] [ctest options...]
#   --sanitizers   also builds and tests with ASan+UBSan and with TSan (two more builds)
#   --fuzz         instead builds the targets of libFuzzer with clang and runs each for a minute
source "$(dirname "${BASH_SOURCE[0]}")/steps.sh"

sanitizers=no
case "${1:-}" in
  -h | --help)
    sed -n '2,5s/^# //p' "${BASH_SOURCE[0]}"
    exit 0
    ;;
  --fuzz)
    shift
    install_packages
    announce "libFuzzer"
    cmake -S "$root" --preset fuzz >/dev/null
    ninja -C "$root/build-fuzz" fuzz_targets
    cd "$root"
    exec ctest --preset fuzz -j "$(nproc)" "$@"
    ;;
  --sanitizers)
    sanitizers=yes
    shift
    ;;
esac

install_packages
report_host
announce "layers and format"
"$root/deploy/check_layers.sh"
"$root/deploy/check_format.sh"
configure_and_build
announce "locks"
"$root/deploy/check_threads.sh" "$build"
announce "clang-tidy"
"$root/deploy/check_tidy.sh" "$build"
announce "tests"
# One more than there are processors: kill_rounds_test waits more than it works, from the first minute on.
ctest --test-dir "$build" --output-on-failure -j "$(($(nproc) + 1))" "$@"

if [ "$sanitizers" = yes ]; then
  for preset in asan tsan; do
    announce "tests under $preset"
    cmake -S "$root" --preset "$preset" >/dev/null
    ninja -C "$root/build-$preset"
    (cd "$root" && ctest --preset "$preset" -j "$(nproc)" "$@")
  done
fi
