#!/bin/sh
# run.sh PROGRAM SECONDS [FOLDER]: lets a target of libFuzzer look for so long, from its seeds and what FOLDER holds
# (default: beside the program, PROGRAM.corpus), where what it finds stays. Fails when an input does not come back; that is
# then beside it as PROGRAM.crash-*, and `PROGRAM FILE` repeats it.
set -eu
program="$1"
corpus="${3:-$program.corpus}"
mkdir -p "$corpus"
"$program" --seeds "$corpus"
exec env ASAN_OPTIONS=detect_container_overflow=0:allocator_may_return_null=1 \
  "$program" -max_total_time="$2" -timeout=20 -rss_limit_mb=4096 -max_len=20000 -detect_leaks=0 \
  -print_final_stats=1 -artifact_prefix="$program." "$corpus"
