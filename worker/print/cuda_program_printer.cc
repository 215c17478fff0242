#include "worker/print/cuda_program_printer.h"

#include <algorithm>
#include <map>
#include <set>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "common/array/element_type.h"
#include "common/program/neighbour_access.h"
#include "worker/print/asynchronous_fill_text.h"
#include "worker/print/complex_text.h"
#include "worker/print/cuda_kernel_printer.h"
#include "worker/print/half_text.h"
#include "worker/print/index_text.h"
#include "worker/print/launch_sequence_printer.h"
#include "worker/print/matrix_functions.h"
#include "worker/print/merged_kernel_printer.h"
#include "worker/print/texture_text.h"

namespace tune {
namespace {

// "k[S0]@2 k[S1]@2", or of all kernels "all kernels".
std::string NameOf(const MergedLaunch& merged, const DeviceProgram& program) {
  std::vector<std::string> names;
  ForEachNode(merged.body, [&](const Node& node) {
    const auto* const turns = node.As<BlockTurns>();
    if (turns == nullptr) return;
    const std::string& name = program.kernels[turns->launch.kernel].name;
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  });
  return names.size() == program.kernels.size() ? "all kernels" : absl::StrJoin(names, " ");
}

// In the order of LaunchedNumber.
std::vector<CudaKernelFacts> FactsOf(const DeviceProgram& program) {
  std::vector<CudaKernelFacts> all;
  for (const DeviceKernel& kernel : program.kernels) {
    if (kernel.is_function) continue;
    CudaKernelFacts facts{kernel.function, kernel.name, kernel.threads};
    facts.carveout = kernel.carveout;
    facts.dynamic_shared_bytes = kernel.given_shared_bytes;
    all.push_back(std::move(facts));
  }
  for (const MergedLaunch* merged : MergedLaunchesOf(program)) {
    CudaKernelFacts facts{merged->function, NameOf(*merged, program), {merged->threads, 1, 1}};
    facts.cooperative = merged->HasGridBarriers();
    ForEachNode(merged->body, [&](const Node& node) {
      if (const auto* turns = node.As<BlockTurns>())
        facts.dynamic_shared_bytes =
            std::max(facts.dynamic_shared_bytes, program.kernels[turns->launch.kernel].given_shared_bytes);
    });
    all.push_back(std::move(facts));
  }
  return all;
}

}  // namespace

std::vector<int64_t> AlignmentsOf(const DeviceProgram& program) {
  std::vector<int64_t> alignments;
  std::map<std::string, size_t> numbers;
  for (const DeviceArray& array : program.arrays) {
    numbers[array.scop_name] = alignments.size();
    alignments.push_back(static_cast<int64_t>(ElementSize(array.type)));
  }
  for (const DeviceKernel& kernel : program.kernels) {
    ForEachTileFill(kernel, [&](const TileFill& part, const Tile& tile) {
      int64_t& alignment = alignments[numbers.at(tile.array)];
      alignment = std::max(alignment, BytesAtOnce(part, tile));
    });
    ForEachNode(kernel.body, [&](const Node& node) {
      const auto* const loop = node.As<Loop>();
      if (loop == nullptr) return;
      const auto align = [&](const KeptElement& kept, int64_t at_once) {
        int64_t& alignment = alignments[numbers.at(kept.element.array)];
        alignment = std::max(alignment, static_cast<int64_t>(ElementSize(kept.type)) * at_once);
      };
      for (const KeptElement& fetched : loop->fetched)
        align(fetched, loop->wide ? ElementsOfLoad(fetched.type, loop->ahead) : fetched.width);
      for (const KeptElement& collected : loop->collected) align(collected, collected.width);
    });
  }
  return alignments;
}

CudaProgram PrintCudaProgram(const DeviceProgram& program, const v1::Scop& scop, const HelperNames& names) {
  CudaProgram printed;
  printed.arrays = program.arrays;
  printed.alignments = AlignmentsOf(program);
  printed.graph = program.graph;
  printed.facts = FactsOf(program);
  std::string kernels;
  std::set<std::string> macros;
  for (const DeviceKernel& kernel : program.kernels) {
    const CudaKernelText text = PrintCudaKernel(kernel, program.arrays, scop, names);
    absl::StrAppend(&kernels, kernels.empty() ? "" : "\n", text.text);
    macros.insert(text.macros.begin(), text.macros.end());
  }
  const HalfText halves = TextOfHalves(scop, names);
  printed.kernels = absl::StrCat(
      MacroDefinitions(names, macros), halves.before, TextureFunctions(program.arrays, names.texture),
      FillFunctions(program, names.fill), MatrixFunctions(program, scop, names), kernels);
  for (const MergedLaunch* merged : MergedLaunchesOf(program))
    absl::StrAppend(&printed.kernels, "\n", PrintMergedKernel(program, *merged, names));
  printed.kernels = WithComplexNumbers(scop, names, printed.kernels + halves.behind);
  printed.launches = PrintLaunchSequence(program, names);
  return printed;
}

}  // namespace tune
