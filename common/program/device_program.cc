#include "common/program/device_program.h"

#include <algorithm>

#include "common/array/element_type.h"

namespace tune {

int64_t Tile::Elements() const {
  int64_t elements = 1;
  for (const int64_t extent : extents) elements *= extent;
  return elements;
}

int64_t Tile::Bytes() const {
  int64_t elements = copies * row_length;
  for (size_t i = 0; i + 1 < extents.size(); ++i) elements *= extents[i];
  return elements * static_cast<int64_t>(ElementSize(type));
}

const Tile* DeviceKernel::FindTile(const std::string& tile) const {
  for (const Tile& candidate : tiles) {
    if (candidate.name == tile) return &candidate;
  }
  return nullptr;
}

int64_t DeviceKernel::SharedBytes() const {
  int64_t bytes = 0;
  for (const Tile& tile : tiles) {
    if (tile.shared) bytes += AlignedBytes(tile.Bytes());
    if (tile.combined_by != v1::NONE) bytes += ThreadCount() * static_cast<int64_t>(ElementSize(tile.type));
  }
  return bytes;
}

bool LoadsPlainly(const DeviceKernel& kernel, const std::vector<DeviceArray>& arrays,
                  const std::string& array) {
  for (const KernelArray& used : kernel.arrays) {
    if (arrays[used.array].scop_name != array) continue;
    if (used.loads == ArrayLoads::kTexture) return false;
    return used.loads != ArrayLoads::kStreaming || used.shared;
  }
  return false;
}

int64_t BytesAtOnce(const TileFill& part, const Tile& tile) {
  return part.width * static_cast<int64_t>(ElementSize(tile.type));
}

bool ReadsSharedTile(const DeviceKernel& kernel, const Node& node) {
  const auto shared = [&](const ElementAccess& access) {
    const Tile* const tile = kernel.FindTile(access.array);
    return tile != nullptr && tile->shared;
  };
  if (const auto* transfer = node.As<Transfer>()) return shared(transfer->from);
  const auto* const instance = node.As<Instance>();
  return instance != nullptr && std::any_of(instance->accesses.begin(), instance->accesses.end(), shared);
}

}  // namespace tune
