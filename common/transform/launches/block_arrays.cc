#include "common/transform/launches/block_arrays.h"

#include <map>
#include <string>
#include <vector>

#include "common/array/element_type.h"
#include "common/program/node_accesses.h"
#include "common/program/tile_subscripts.h"

namespace tune {
namespace {

void NameSubscripts(const std::string& array, const std::vector<std::string>& names, DeviceKernel* kernel) {
  const auto name = [&](ElementAccess& access) {
    if (access.array != array) return;
    for (size_t i = 0; i < names.size(); ++i) access.subscripts[i] = IndexExpression::Name(names[i]);
  };
  ForEachNode(kernel->body, [&](Node& node) {
    ForEachAccess(node, name);
    auto* const loop = node.As<Loop>();
    if (loop == nullptr) return;
    for (KeptElement& fetched : loop->fetched) name(fetched.element);
    for (KeptElement& collected : loop->collected) name(collected.element);
  });
}

// Of the array's part in a block.
int64_t BytesInBlock(const DeviceArray& array, int64_t tile_subscripts) {
  auto bytes = static_cast<int64_t>(ElementSize(array.type));
  for (size_t i = tile_subscripts; i < array.extents.size(); ++i) bytes *= array.extents[i];
  return AlignedBytes(bytes);
}

}  // namespace

void KeepInBlocks(const HelperNames& names, const DeviceFacts& device, DeviceProgram* program) {
  int64_t left = device.shared_bytes_per_block;
  for (size_t i = 0; i < program->arrays.size(); ++i) {
    std::map<int, std::vector<std::string>> in_kernels;
    const int64_t subscripts = TileSubscriptsOrNumbers(*program, names, static_cast<int>(i), &in_kernels);
    if (subscripts == 0) continue;
    const int64_t bytes = BytesInBlock(program->arrays[i], subscripts);
    if (bytes > left) continue;
    left -= bytes;
    for (const auto& [kernel, own] : in_kernels)
      NameSubscripts(program->arrays[i].scop_name, own, &program->kernels[kernel]);
    program->arrays[i].of_block = subscripts;
  }
}

}  // namespace tune
