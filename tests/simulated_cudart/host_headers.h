// What the host's part of a generated CUDA file includes (worker/print/cuda_region_text.h), to be compiled
// once.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>
#include <new>
#include <utility>

#include "cuda_runtime.h"
