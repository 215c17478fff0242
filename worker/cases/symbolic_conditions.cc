#include "worker/cases/symbolic_conditions.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "common/array/element_type.h"
#include "worker/cases/plain_expression.h"
#include "worker/print/merged_kernel_printer.h"

namespace tune {
namespace {

// Turns of the threads of one block for the blocks of a kernel: twice those up to which defaults make one
// launch of one block.
constexpr int64_t kMostTurns = 64;

// Arrays of which indices are `int`, at addresses from which several elements can be loaded at once.
std::string ArrayConditions(const SymbolicProgram& program, const std::string& prefix) {
  std::string text;
  for (const DeviceArray& array : program.device.arrays) {
    if (array.extent_names.empty()) continue;
    absl::StrAppend(&text, "  if (", absl::StrJoin(array.extent_names, " < 1 || "), " < 1 || (double)",
                    absl::StrJoin(array.extent_names, " * (double)"), " > ", kMostElements,
                    ".) return false;\n");
    for (size_t i = 0; i < array.extents.size(); ++i)
      if (array.extents[i] > 1)
        absl::StrAppend(&text, "  if (", array.extent_names[i], " % ", array.extents[i],
                        " != 0) return false;\n");
    const int64_t alignment = program.alignments[array.index];
    if (alignment > CAlignment(array.type))
      absl::StrAppend(&text, "  if ((size_t)", prefix, "memory[", array.index, "] % ", alignment,
                      " != 0) return false;\n");
  }
  return text;
}

// Of all axes, a double.
std::string BlocksText(const SymbolicProgram& program, size_t kernel) {
  std::vector<std::string> blocks = {"1."};
  for (const IndexExpression& count : program.most_blocks[kernel])
    blocks.push_back(absl::StrCat("(", PlainText(count), ")"));
  return absl::StrJoin(blocks, " * ");
}

// That blocks of kernels that run in one launch can be counted, and are not too many for its block.
std::string MergedConditions(const SymbolicProgram& program) {
  std::string text;
  for (const MergedLaunch* const merged : MergedLaunchesOf(program.device)) {
    ForEachNode(merged->body, [&](const Node& node) {
      const auto* const turns = node.As<BlockTurns>();
      if (turns == nullptr) return;
      const int kernel = turns->launch.kernel;
      const int64_t most = merged->joined
                               ? kMostElements / static_cast<int64_t>(program.device.kernels.size())
                               : kMostTurns * merged->threads / program.device.kernels[kernel].ThreadCount();
      absl::StrAppend(&text, "  if (", BlocksText(program, kernel), " > ", most, ".) return false;\n");
    });
  }
  return text;
}

// Of all that kernels of a launched function declare.
int64_t DeclaredSharedBytes(const SymbolicProgram& program, const std::string& function) {
  const auto of_kernel = [&](const DeviceKernel& kernel) {
    return kernel.given_shared_bytes > 0 ? 0 : kernel.SharedBytes();
  };
  int64_t bytes = 0;
  for (const DeviceKernel& kernel : program.device.kernels)
    if (kernel.function == function) bytes += of_kernel(kernel);
  for (const MergedLaunch* const merged : MergedLaunchesOf(program.device)) {
    if (merged->function != function) continue;
    ForEachNode(merged->body, [&](const Node& node) {
      if (const auto* const turns = node.As<BlockTurns>())
        bytes += of_kernel(program.device.kernels[turns->launch.kernel]);
    });
  }
  return bytes;
}

// That a block can have what it needs.
std::string MachineConditions(const SymbolicProgram& program, const std::string& prefix) {
  std::string text;
  for (const CudaKernelFacts& launched : program.launched) {
    const int64_t shared = DeclaredSharedBytes(program, launched.function);
    if (shared > 0)
      absl::StrAppend(&text, "  if (", prefix, "machine.shared < ", shared, ") return false;\n");
    absl::StrAppend(&text, "  if (!IsReady(", prefix, "machine, (const void *)", launched.function, ", ",
                    launched.threads[0] * launched.threads[1] * launched.threads[2], ", ", launched.carveout,
                    ", ", launched.dynamic_shared_bytes, ")) return false;\n");
  }
  return text;
}

// Whether it is for sizes of which extents are multiples.
bool HasWholeRows(const SymbolicProgram& program) {
  const std::vector<DeviceArray>& arrays = program.device.arrays;
  return std::any_of(arrays.begin(), arrays.end(), [](const DeviceArray& array) {
    return !array.extents.empty() && array.extents.back() > 1;
  });
}

}  // namespace

std::string ConditionsText(const SymbolicProgram& program, const std::string& prefix) {
  return absl::StrCat("  if (!(", PlainText(program.requirement), ")) return false;\n",
                      ArrayConditions(program, prefix), MergedConditions(program),
                      MachineConditions(program, prefix));
}

std::string ConditionsOfProgram(const SymbolicProgram& program) {
  return absl::StrCat(PlainText(program.requirement),
                      HasWholeRows(program) ? ", rows of arrays are whole pieces of 16 bytes" : "",
                      ", no array has more elements than `int` counts");
}

}  // namespace tune
