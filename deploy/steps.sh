# Functions of the set-up scripts; sourced, not run.
# Every step announces itself, does nothing when there is nothing to do, and says how to go on when it fails.

set -euo pipefail
root="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"
build="${TUNE_BUILD:-$root/build}"

announce() { printf '\n== %s\n' "$*"; }

fail() {
  printf '\nerror: %s\n' "$*" >&2
  exit 1
}

wanted_packages() { sed -e 's/#.*//' -e '/^[[:space:]]*$/d' "$root/deploy/packages.txt"; }

# A line PACKAGE:COMMAND is wanted only where it can be had: the command is enough, wherever it comes from.
missing_packages() {
  local package
  for package in $(wanted_packages); do
    case "$package" in
      *:*) command -v "${package#*:}" >/dev/null || echo "$package" ;;
      *) [ "$(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null)" = installed ] || echo "$package" ;;
    esac
  done
}

# The names that apt is to install of what is missing: of PACKAGE:COMMAND those that it knows.
installable() {
  local package
  for package in "$@"; do
    if [ "$package" = "${package%:*}" ] || apt-cache show "${package%:*}" >/dev/null 2>&1; then
      echo "${package%:*}"
    else
      echo "left out, not known here: ${package%:*}" >&2
    fi
  done
}

# Installs what is missing of deploy/packages.txt.
install_packages() {
  announce "packages"
  command -v apt-get >/dev/null && command -v dpkg-query >/dev/null ||
    fail "this script installs Debian packages, and apt-get is not here. Install the equivalents of
deploy/packages.txt, then run: cmake -S . -B build -G Ninja && ninja -C build"
  local missing sudo=""
  missing="$(missing_packages)"
  if [ -z "$missing" ]; then
    echo "all $(wanted_packages | wc -l) packages are installed"
    return
  fi
  echo "missing: $(echo $missing)"
  if [ "$(id -u)" != 0 ]; then
    command -v sudo >/dev/null || fail "packages are missing and neither root nor sudo is available.
As root: apt-get install $(echo $missing)"
    sudo="sudo"
  fi
  $sudo apt-get update -qq || fail "apt-get update failed: check the network and /etc/apt/sources.list"
  missing="$(installable $missing)"
  [ -n "$missing" ] || return 0
  $sudo env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing >/dev/null ||
    fail "apt-get could not install: $(echo $missing)"
  echo "installed"
}

# Says which optional parts of the host are there; none is needed.
report_host() {
  announce "host"
  local nvcc="" candidate
  for candidate in "$(command -v nvcc || true)" /usr/local/cuda/bin/nvcc; do
    if [ -n "$candidate" ] && [ -x "$candidate" ]; then nvcc="$candidate" && break; fi
  done
  echo "compiler: $(${CC:-cc} --version | head -n 1)"
  if [ -n "$nvcc" ]; then
    echo "CUDA toolkit: $nvcc, $("$nvcc" --version | sed -n 's/^Cuda compilation tools, //p')"
  else
    echo "CUDA toolkit: none found (not needed: this machine tunes for its CPU)"
  fi
  if command -v nvidia-smi >/dev/null && nvidia-smi -L >/dev/null 2>&1; then
    nvidia-smi -L
  else
    echo "GPU: none found (not needed)"
  fi
}

# configure_and_build TARGET...: brings the named targets up to date in $build.
configure_and_build() {
  announce "build ($build)"
  local log="$build/configure.log"
  if [ ! -f "$build/build.ninja" ]; then
    mkdir -p "$build"
    cmake -S "$root" -B "$build" -G Ninja >"$log" 2>&1 || {
      tail -n 30 "$log" >&2
      fail "configuring failed; the whole output is in $log"
    }
  fi
  ninja -C "$build" "$@" || fail "the build failed; the messages above say where"
}
