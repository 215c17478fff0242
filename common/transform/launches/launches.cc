#include "common/transform/launches/launches.h"

#include <algorithm>
#include <cmath>

#include "common/decision/offer.h"
#include "common/mapping/cuda_limits.h"
#include "common/transform/launches/block_arrays.h"
#include "common/transform/launches/merge_launches.h"
#include "common/transform/launches/register_loops.h"
#include "common/transform/launches/step_conditions.h"
#include "common/transform/loads_ahead/loads_ahead.h"
#include "common/transform/shared_memory/shared_memory.h"

namespace tune {
namespace {

// Turns of a block's threads up to which the launches that it saves cost more than it: the device runs the
// blocks of a launch at once, one block takes turns. Measured on an H200, where a launch takes as long as
// some twenty turns of 1024 threads.
constexpr double kMostTurnsOfOneBlock = 32;
// From here on one block is out of the question.
constexpr double kTooManyTurnsOfOneBlock = 32 * kMostTurnsOfOneBlock;
constexpr int kInnerDepth = 2;  // loops of the host around a kernel that stands in an inner one
// Registers that a thread of several blocks in one launch can have, which is what most kernels want.
constexpr int64_t kRegistersOfThread = 64;

// All combinations of values of the root band's members; infinite when unknown.
double Iterations(const Kernel& kernel) {
  double iterations = 1;
  if (kernel.bands.empty()) return iterations;
  for (const int64_t trip_count : kernel.bands[0].trip_counts)
    iterations *= trip_count < 0 ? HUGE_VAL : static_cast<double>(std::max<int64_t>(1, trip_count));
  return iterations;
}

double MostIterations(const std::vector<Kernel>& kernels) {
  double most = 0;
  for (const Kernel& kernel : kernels) most = std::max(most, Iterations(kernel));
  return most;
}

bool HasBarriers(const KernelPlan& plan) { return plan.Get<SharedTiles>().on || plan.threads.HasReduction(); }

// Whether it stands in an inner loop of the host, which runs it many times for each iteration of an outer
// one.
bool IsInner(const Kernel& kernel) {
  return kernel.host_depth >= kInnerDepth && kernel.tile_loops.count == 0;
}

// Threads of the blocks that run tiles: those of the largest kernel of them; 0: there are none.
int64_t TileThreads(const ProgramSite& site) {
  int64_t threads = 0;
  for (size_t i = 0; i < site.kernels.size(); ++i) {
    if (site.kernels[i].tile_loops.count > 0) threads = std::max(threads, site.plans[i].threads.Threads());
  }
  return threads;
}

// Whether all threads of such a block wait at the barriers of each kernel of them.
bool TilesFitBlocks(const ProgramSite& site, int64_t threads) {
  for (size_t i = 0; i < site.kernels.size(); ++i) {
    if (site.kernels[i].tile_loops.count > 0 && HasBarriers(site.plans[i]) &&
        site.plans[i].threads.Threads() != threads)
      return false;
  }
  return true;
}

// That a thread of them is to do with; 0: the compiler decides.
int64_t TileRegisters(const ProgramSite& site) {
  int64_t registers = 0;
  for (const Kernel& kernel : site.kernels) registers = std::max(registers, kernel.tile_loops.registers);
  return registers;
}

bool LoadsAheadSomewhere(const std::vector<KernelPlan>& plans) {
  return std::any_of(plans.begin(), plans.end(),
                     [](const KernelPlan& plan) { return plan.Get<LoadsAhead>().iterations > 0; });
}

bool FitOneLaunch(const std::vector<KernelPlan>& plans, const DeviceFacts& device) {
  return FitBlocks(plans, CommonThreads(plans, device)) &&
         std::none_of(plans.begin(), plans.end(),
                      [](const KernelPlan& plan) { return plan.Get<SharedTiles>().opt_in; });
}

// Blocks of so many threads, with so much shared memory each, that a multiprocessor holds at once: all of a
// launch must be there, or the driver refuses it.
int64_t BlocksAtOnce(const DeviceFacts& device, int64_t threads, int64_t shared) {
  const int64_t threads_at_once = std::min<int64_t>(device.max_threads_per_multiprocessor,
                                                    device.registers_per_multiprocessor / kRegistersOfThread);
  int64_t blocks = std::min<int64_t>(threads_at_once / threads, device.max_blocks_per_multiprocessor);
  const int64_t taken = shared + device.reserved_shared_bytes_per_block;
  if (taken > 0) blocks = std::min(blocks, device.shared_bytes_per_multiprocessor / taken);
  return std::max<int64_t>(1, blocks);
}

// Blocks of so many threads that a multiprocessor holds at once where each thread has so many registers; 1
// where their number is not known.
int64_t BlocksOfRegisters(const DeviceFacts& device, int64_t threads, int64_t registers) {
  if (registers == 0) return 1;
  const int64_t lanes = (threads + kWarp - 1) / kWarp * kWarp;
  return std::max<int64_t>(1, std::min({device.registers_per_multiprocessor / (lanes * registers),
                                        device.max_threads_per_multiprocessor / lanes,
                                        static_cast<int64_t>(device.max_blocks_per_multiprocessor)}));
}

// One launch of one block for the launches of inner kernels.
struct InnerBlock {
  double turns = HUGE_VAL;  // that a block takes for the largest of them; infinite: it cannot be
  int64_t threads = 1;
};

InnerBlock BlockForInner(const ProgramSite& site) {
  std::vector<KernelPlan> plans;
  double most = 0;  // iterations
  for (size_t i = 0; i < site.kernels.size(); ++i) {
    if (!IsInner(site.kernels[i])) continue;
    plans.push_back(site.plans[i]);
    most = std::max(most, Iterations(site.kernels[i]));
  }
  if (plans.empty() || !FitOneLaunch(plans, site.device)) return {};
  return {most / static_cast<double>(site.device.max_threads_per_block), CommonThreads(plans, site.device)};
}

class LaunchesTransformation : public CudaTransformation {
  const char* name() const override { return "launches"; }

  static Offer Options(const ProgramSite& site) {
    const bool fit = TileThreads(site) == 0 && FitOneLaunch(site.plans, site.device);
    const bool small =
        MostIterations(site.kernels) <= kTooManyTurnsOfOneBlock * site.device.max_threads_per_block;
    return {"launches",
            {"separate", "one_block", "grid", "graph"},
            {true, fit && small, fit && site.device.cooperative_launch, true}};
  }

  static LaunchForm::Form Default(const ProgramSite& site, const Offer& offer, const InnerBlock& inner) {
    const double most = MostIterations(site.kernels);
    const bool repeated = std::any_of(site.kernels.begin(), site.kernels.end(), [](const Kernel& kernel) {
      return kernel.host_depth > kernel.tile_loops.count;
    });
    if (!repeated) return LaunchForm::kSeparate;
    // What is loaded ahead waits in registers, of which threads of one launch for all have few.
    if (LoadsAheadSomewhere(site.plans)) return LaunchForm::kGraph;
    const double block = site.device.max_threads_per_block;
    if (offer.legal[LaunchForm::kOneBlock] && most <= kMostTurnsOfOneBlock * block)
      return LaunchForm::kOneBlock;
    // A barrier of all blocks takes about as long as a launch: what is saved is the way from the host, which
    // counts while no thread of the device has more than an iteration, and where most launches are not made
    // by the host.
    if (inner.turns > kMostTurnsOfOneBlock && offer.legal[LaunchForm::kGrid] && most <= site.device.Threads())
      return LaunchForm::kGrid;
    return LaunchForm::kGraph;
  }

  absl::Status DecideTogether(const ProgramSite& site, Chooser& chooser, std::vector<KernelPlan>*,
                              Decisions* together) const override {
    const bool one_launch = site.kernels.size() == 1 && site.kernels[0].host_depth == 0;
    if (site.kernels.empty() || one_launch) return absl::OkStatus();
    const Offer offer = Options(site);
    const InnerBlock inner = BlockForInner(site);
    TUNE_ASSIGN_OR_RETURN(const int form, Ask(chooser, offer, Default(site, offer, inner)));
    LaunchForm launches{static_cast<LaunchForm::Form>(form)};
    launches.tile_threads = TileThreads(site);
    launches.tile_registers = TileRegisters(site);
    launches.tiles_fit = TilesFitBlocks(site, launches.tile_threads);
    if (!launches.IsOne()) TUNE_RETURN_IF_ERROR(DecideInner(inner, chooser, &launches));
    together->Set(launches);
    return absl::OkStatus();
  }

  // Whether the launches of inner loops become one of one block.
  static absl::Status DecideInner(const InnerBlock& inner, Chooser& chooser, LaunchForm* launches) {
    if (inner.turns > kTooManyTurnsOfOneBlock) return absl::OkStatus();
    const Offer offer{"inner_launches", {"apart", "one_block"}, {true, true}};
    TUNE_ASSIGN_OR_RETURN(const int merged, Ask(chooser, offer, inner.turns <= kMostTurnsOfOneBlock ? 1 : 0));
    launches->merges_inner = merged == 1;
    launches->inner_threads = inner.threads;
    return absl::OkStatus();
  }

  // Of one launch: the kernel is a function, which takes its blocks in turns, and must do without texture
  // objects, as others may read the array in another way.
  void SetParameters(const KernelPass& pass, DeviceKernel* kernel) const override {
    if (!pass.together.Get<LaunchForm>().Merges(pass.kernel)) return;
    kernel->is_function = true;
    kernel->linear_grid = false;
    for (KernelArray& used : kernel->arrays) {
      used.shared = pass.arrays[used.array].written;
      if (used.loads == ArrayLoads::kTexture) used.loads = ArrayLoads::kReadOnly;
    }
  }

  void Apply(const KernelPass& pass, DeviceKernel* kernel) const override {
    const TileLoops& tiles = pass.kernel.tile_loops;
    if (tiles.count > 0 && pass.kernel.host_depth > tiles.first + tiles.count)
      SolveForStep(absl::StrCat(pass.names.host, pass.kernel.host_depth - 1), kernel);
  }

  absl::Status ApplyTogether(const ProgramPass& pass, DeviceProgram* program) const override {
    const LaunchForm& launch = pass.together.Get<LaunchForm>();
    if (program->kernels.empty()) return absl::OkStatus();
    program->graph = launch.form == LaunchForm::kGraph;
    if (!launch.tiles_fit)
      return absl::InvalidArgumentError(
          "threads of a tile share sums, and another kernel of the tile has more threads");
    if (launch.tile_threads > 0) {
      MergedLaunch tiles;
      tiles.function = pass.name + "_tiles";
      tiles.threads = launch.tile_threads;
      tiles.per_processor = BlocksOfRegisters(pass.device, tiles.threads, launch.tile_registers);
      TUNE_RETURN_IF_ERROR(MergeTiles(tiles, program));
      KeepInBlocks(pass.names, pass.device, program);
      UnrollRegisterLoops(program);
    }
    if (launch.IsOne()) return Merge(pass, program);
    return launch.merges_inner ? MergeInner(pass, launch, program) : absl::OkStatus();
  }

  static absl::Status MergeInner(const ProgramPass& pass, const LaunchForm& launch, DeviceProgram* program) {
    TUNE_RETURN_IF_ERROR(SharedBytesOfMerged(pass, *program, kInnerDepth).status());
    MergedLaunch merged;
    merged.function = pass.name + "_inner";
    merged.threads = launch.inner_threads;
    const auto is_inner = [&](int kernel) {
      return program->kernels[kernel].is_function && program->kernels[kernel].host_depth >= kInnerDepth;
    };
    MergeLaunches(merged, is_inner, program);
    return absl::OkStatus();
  }

  // Of a block that runs all kernels that are functions, in so many loops of the host or more.
  // INVALID_ARGUMENT when there is not so much, or a kernel has too many blocks to be counted.
  static absl::StatusOr<int64_t> SharedBytesOfMerged(const ProgramPass& pass, const DeviceProgram& program,
                                                     int least_depth = 0) {
    int64_t shared = 0;
    for (const DeviceKernel& kernel : program.kernels) {
      if (!kernel.is_function || kernel.host_depth < least_depth) continue;
      shared += kernel.SharedBytes();
      double blocks = 1;
      for (const GridAxis& axis : kernel.axes) blocks *= static_cast<double>(axis.most_blocks);
      if (blocks > kMostBlocks)
        return absl::InvalidArgumentError(absl::StrCat("kernel ", kernel.name, " would take ", blocks,
                                                       " blocks in turns, and at most ", kMostBlocks,
                                                       " can be counted; its tiles must be larger"));
    }
    if (shared > pass.device.shared_bytes_per_block) {
      return absl::InvalidArgumentError(absl::StrCat("one launch for several kernels would need ", shared,
                                                     " bytes of shared memory in a block, and there are ",
                                                     pass.device.shared_bytes_per_block));
    }
    return shared;
  }

  // One kernel for all.
  static absl::Status Merge(const ProgramPass& pass, DeviceProgram* program) {
    TUNE_ASSIGN_OR_RETURN(const int64_t shared, SharedBytesOfMerged(pass, *program));
    MergedLaunch merged;
    merged.function = pass.name + "_persistent";
    merged.threads = CommonThreads(pass.plans, pass.device);
    if (pass.together.Get<LaunchForm>().form == LaunchForm::kGrid) {
      merged.per_processor = BlocksAtOnce(pass.device, merged.threads, shared);
      merged.blocks = merged.per_processor * pass.device.multiprocessors;
    }
    MergeLaunches(
        merged, [](int) { return true; }, program);
    return absl::OkStatus();
  }

  absl::Status Check(const KernelPass& pass, const DeviceKernel& kernel) const override {
    if (kernel.is_function || !pass.together.Get<LaunchForm>().Merges(pass.kernel)) return absl::OkStatus();
    return absl::FailedPreconditionError("it has another kind of launch");
  }
};

}  // namespace

bool LaunchForm::Merges(const Kernel& kernel) const {
  return IsOne() || kernel.tile_loops.count > 0 || (merges_inner && IsInner(kernel));
}

const CudaTransformation& Launches() {
  static const LaunchesTransformation transformation;
  return transformation;
}

bool FitBlocks(const std::vector<KernelPlan>& plans, int64_t threads) {
  return std::all_of(plans.begin(), plans.end(), [&](const KernelPlan& plan) {
    return HasBarriers(plan) ? plan.threads.Threads() == threads : threads % plan.threads.Threads() == 0;
  });
}

int64_t CommonThreads(const std::vector<KernelPlan>& plans, const DeviceFacts& device) {
  for (const KernelPlan& plan : plans) {
    if (HasBarriers(plan)) return plan.threads.Threads();
  }
  return device.max_threads_per_block;
}

}  // namespace tune
