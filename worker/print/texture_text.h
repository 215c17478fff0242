// Reads through texture objects as text (CUDA C++ Programming Guide, texture object API of linear memory).
#pragma once

#include <string>
#include <vector>

#include "common/program/device_array.h"
#include "worker/print/c_text.h"

namespace tune {

// An element of an array that stands in the texture object of its name:
// "tex1Dfetch<float>(A, tune_c0 * 1100 + tune_c1)"; `prefix` begins the names of TextureFunctions.
// Precondition: FitsTexture.
CText TextureFetch(const DeviceArray& array, const std::vector<CText>& subscripts, const std::string& prefix);

// Functions for elements of 8 bytes, which textures hold as two words.
std::string TextureFunctions(const std::vector<DeviceArray>& arrays, const std::string& prefix);

}  // namespace tune
