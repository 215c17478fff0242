#include "common/program/device_array.h"

#include "common/array/element_type.h"

namespace tune {

int64_t DeviceBytes(const DeviceArray& array) {
  if (array.by_value || array.of_block > 0 || array.contracted) return 0;
  int64_t bytes = static_cast<int64_t>(ElementSize(array.type));
  for (const int64_t extent : array.extents) bytes *= extent;
  return bytes;
}

bool FitsTexture(const DeviceArray& array) {
  constexpr int64_t kMostTexels = int64_t{1} << 27;
  const auto size = static_cast<int64_t>(ElementSize(array.type));
  return size >= 4 && !IsComplex(array.type) && !array.extents.empty() &&
         DeviceBytes(array) / size <= kMostTexels;
}

}  // namespace tune
