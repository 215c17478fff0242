#!/usr/bin/env bash
# run.sh FILE: a test or program of this folder with node; 77 with one line where the machine lacks something.
# TUNE_SOURCE_DIR, TUNE_BINARY_DIR and TUNE_NPM (the folder with node_modules) are set by ctest.
set -euo pipefail
skip() {
  echo "skipped: $*"
  exit 77
}
command -v node >/dev/null || skip "node is not installed"
[ -n "${TUNE_CHROMIUM:-}" ] || TUNE_CHROMIUM="$(command -v chromium || command -v chromium-browser || command -v google-chrome || true)"
[ -n "$TUNE_CHROMIUM" ] || skip "chromium is not installed"
[ -d "$TUNE_NPM/node_modules/ws" ] || skip "npm's libraries were not there when the server was built"
export TUNE_CHROMIUM
exec node --test-reporter=spec "$(dirname "${BASH_SOURCE[0]}")/$1"
