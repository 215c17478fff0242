// CUDA's shared libraries, found at run time.
#pragma once

#include <string>
#include <vector>

#include "common/base/status.h"

namespace tune {

// Opens the first library of `names` that there is: where the loader looks, then below $CUDA_HOME and
// /usr/local/cuda. It stays open until the process ends. NOT_FOUND with the loader's words about the first
// name.
absl::StatusOr<void*> OpenCudaLibrary(const std::vector<std::string>& names);

// Puts the address of `symbol` into *function (a pointer to function). False when the library has no such
// symbol.
template <typename Function>
bool FindSymbol(void* library, const char* symbol, Function* function);

void* FindSymbolAddress(void* library, const char* symbol);

template <typename Function>
bool FindSymbol(void* library, const char* symbol, Function* function) {
  *function = reinterpret_cast<Function>(FindSymbolAddress(library, symbol));
  return *function != nullptr;
}

}  // namespace tune
