#include "worker/ptx/kernel_analysis.h"

#include <algorithm>
#include <cmath>

#include "common/base/plain_text.h"
#include "worker/ptx/blocking.h"
#include "worker/ptx/ptx_opcode.h"

namespace tune {
namespace {

// CUDA C++ Programming Guide, "Technical Specifications per Compute Capability".
constexpr int64_t kMostBlocksX = (int64_t{1} << 31) - 1;
constexpr int64_t kMostBlocksYZ = 65535;
constexpr int64_t kMostThreadsXY = 1024;
constexpr int64_t kMostThreadsZ = 64;

absl::Status CheckLaunch(const PtxLaunch& launch, const PtxAnalysisOptions& options) {
  for (int axis = 0; axis < 3; ++axis) {
    const int64_t most_blocks = axis == 0 ? kMostBlocksX : kMostBlocksYZ;
    const int64_t most_threads = axis == 2 ? kMostThreadsZ : kMostThreadsXY;
    if (launch.grid[axis] < 1 || launch.grid[axis] > most_blocks)
      return absl::InvalidArgumentError(absl::StrCat("a launch of ", launch.grid[axis], " blocks along ",
                                                     std::string(1, static_cast<char>('x' + axis)),
                                                     "; it can have from 1 to ", most_blocks));
    if (launch.block[axis] < 1 || launch.block[axis] > most_threads)
      return absl::InvalidArgumentError(absl::StrCat("a block of ", launch.block[axis], " threads along ",
                                                     std::string(1, static_cast<char>('x' + axis)),
                                                     "; it can have from 1 to ", most_threads));
  }
  constexpr double kMostTrips = 1e15;
  const auto is_count = [](double trips) {
    return std::isfinite(trips) && trips >= 0 && trips <= kMostTrips;
  };
  bool good = is_count(options.assumed_trips);
  for (const auto& [line, trips] : options.trips_of_line) good = good && is_count(trips);
  if (!good)
    return absl::InvalidArgumentError(absl::StrCat("trips of a loop are a number from 0 to ", kMostTrips));
  if (!is_count(options.multiplication))
    return absl::InvalidArgumentError(absl::StrCat("a multiplication counts as ", options.multiplication,
                                                   " instructions; give a number from 0"));
  if (options.transaction_bytes < 1)
    return absl::InvalidArgumentError(absl::StrCat("transactions of ", options.transaction_bytes, " bytes"));
  return absl::OkStatus();
}

void AddAccess(const AnalysedAccess& analysed, int64_t transaction_bytes, KernelMetrics* metrics) {
  const GlobalAccess& access = analysed.access;
  const double bytes = static_cast<double>(access.bytes) * analysed.executions;
  (analysed.is_load ? metrics->loaded_bytes : metrics->stored_bytes) += bytes;
  metrics->global_accesses += analysed.executions;
  if (!access.transactions.has_value()) {
    metrics->unknown_accesses += analysed.executions;
    metrics->moved_bytes += bytes;
    return;
  }
  if (!access.transactions->AreCoalesced()) metrics->uncoalesced_accesses += analysed.executions;
  metrics->moved_bytes += static_cast<double>(access.transactions->touched * transaction_bytes) /
                          static_cast<double>(access.transactions->threads) * analysed.executions;
}

}  // namespace

bool KernelAnalysis::IsSure() const {
  return unknown_branches == 0 && calls == 0 && !is_irreducible &&
         std::none_of(loops.begin(), loops.end(),
                      [](const LoopTrips& loop) { return loop.source == TripSource::kAssumed; });
}

absl::StatusOr<KernelAnalysis> AnalyseKernel(const PtxModule& module, const std::string& kernel,
                                             const PtxLaunch& launch, double launches,
                                             const KernelResources& resources, const DeviceFacts& device,
                                             const PtxAnalysisOptions& options) {
  TUNE_RETURN_IF_ERROR(CheckLaunch(launch, options));
  const PtxFunction* const function = module.Find(kernel);
  if (function == nullptr)
    return absl::InvalidArgumentError(absl::StrCat("PTX: it has no function ", EscapeLine(kernel)));
  const int64_t shared_bytes = function->shared_bytes + module.shared_bytes + resources.dynamic_shared_bytes;
  PtxLaunch told = launch;
  told.dynamic_shared_bytes = resources.dynamic_shared_bytes;
  told.all_shared_bytes = shared_bytes;
  if (device.multiprocessors > 1) told.multiprocessors = device.multiprocessors;
  TUNE_ASSIGN_OR_RETURN(const ControlFlow flow, ControlFlowOf(*function));
  TUNE_ASSIGN_OR_RETURN(const ValueGraph graph, ValuesOf(*function, flow, told));
  ExecutionCounts counts = CountExecutions(*function, flow, graph, launch, options);
  const std::vector<int64_t> waits = WaitsOfBlocks(*function, flow);

  KernelAnalysis analysis;
  KernelMetrics& metrics = analysis.metrics;
  metrics.kernel = kernel;
  metrics.launches = launches;
  std::vector<double> executions(function->instructions.size());
  for (size_t i = 0; i < flow.blocks.size(); ++i) {
    const BasicBlock& block = flow.blocks[i];
    metrics.regions += counts.blocks[i] * static_cast<double>(waits[i]);
    for (size_t at = block.begin; at < block.end; ++at) {
      executions[at] = counts.blocks[i];
      const PtxInstruction& instruction = function->instructions[at];
      metrics.instructions += counts.blocks[i] * (IsMultiplication(instruction) ? options.multiplication : 1);
      if (instruction.Is("call")) ++analysis.calls;
    }
  }
  int64_t threads = 1;
  double blocks = 1;
  for (int axis = 0; axis < 3; ++axis) {
    threads *= launch.block[axis];
    blocks *= static_cast<double>(launch.grid[axis]);
  }
  metrics.threads = static_cast<double>(threads) * blocks;
  metrics.warps_per_block = WarpsOf(threads);
  metrics.blocks_per_multiprocessor =
      BlocksPerMultiprocessor({threads, resources.registers, shared_bytes}, device);
  for (GlobalAccess& access :
       GlobalAccesses(*function, flow, graph, launch, counts.middle, options.transaction_bytes)) {
    const PtxInstruction& instruction = function->instructions[access.instruction];
    const double of_thread = executions[access.instruction];
    analysis.accesses.push_back(
        {std::move(access), !IsStore(instruction), instruction.line, instruction.source_line, of_thread});
    AddAccess(analysis.accesses.back(), options.transaction_bytes, &metrics);
  }
  analysis.loops = std::move(counts.loops);
  analysis.unknown_branches = counts.unknown_branches;
  analysis.is_irreducible = flow.is_irreducible;
  return analysis;
}

}  // namespace tune
