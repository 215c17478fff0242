#!/usr/bin/env bash
# Makes the PTX texts and the cubin of this folder again: nvcc 13.0.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
for name in loops matrix_multiplication; do nvcc -arch=sm_90 -ptx "$name.cu" -o "$name.ptx"; done
nvcc -arch=sm_90 -cubin resources.cu -o resources.cubin
