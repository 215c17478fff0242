#include "common/transform/launches/block_arrays.h"

#include <map>
#include <string>
#include <vector>

#include "common/array/element_type.h"
#include "common/program/node_accesses.h"
#include "common/program/subscript_names.h"
#include "common/program/thread_subscripts.h"
#include "common/program/tile_subscripts.h"

namespace tune {
namespace {

void NameTiles(const std::string& array, const std::vector<std::string>& names, DeviceKernel* kernel) {
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

// What a thread may have of all arrays in registers: with what else it computes, half of those that there
// are.
constexpr int64_t kMostRegisterBytes = 4 * 96;

// Of the array's elements between so many first and so many last subscripts.
int64_t BytesBetween(const DeviceArray& array, int64_t first, int64_t last) {
  auto bytes = static_cast<int64_t>(ElementSize(array.type));
  for (size_t i = first; i + last < array.extents.size(); ++i) bytes *= array.extents[i];
  return bytes;
}

// Takes `bytes` of what is left, if there are so many.
bool Take(int64_t bytes, int64_t* left) {
  if (bytes > *left) return false;
  *left -= bytes;
  return true;
}

}  // namespace

void KeepInBlocks(const HelperNames& names, const DeviceFacts& device, DeviceProgram* program) {
  int64_t shared = device.shared_bytes_per_block, registers = kMostRegisterBytes;
  for (size_t i = 0; i < program->arrays.size(); ++i) {
    DeviceArray& array = program->arrays[i];
    std::map<int, std::vector<std::string>> in_kernels;
    const int64_t of_block = TileSubscriptsOrNumbers(*program, names, static_cast<int>(i), &in_kernels);
    if (of_block == 0) continue;
    for (const auto& [kernel, own] : in_kernels)
      NameSubscripts(names, array.scop_name, &program->kernels[kernel]);
    const int64_t of_thread = ThreadSubscripts(*program, names, static_cast<int>(i), of_block);
    if (of_thread > 0 && Take(BytesBetween(array, of_block, of_thread), &registers)) {
      array.of_thread = of_thread;
    } else if (!Take(AlignedBytes(BytesBetween(array, of_block, 0)), &shared)) {
      continue;
    }
    array.of_block = of_block;
    for (const auto& [kernel, own] : in_kernels) NameTiles(array.scop_name, own, &program->kernels[kernel]);
  }
}

}  // namespace tune
