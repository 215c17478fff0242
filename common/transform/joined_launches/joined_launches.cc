#include "common/transform/joined_launches/joined_launches.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <utility>

#include "common/decision/offer.h"
#include "common/mapping/cuda_limits.h"
#include "common/transform/joined_launches/join_launches.h"
#include "common/transform/launches/launches.h"
#include "common/transform/row_pieces/row_pieces.h"
#include "common/transform/shared_memory/given_shared_memory.h"

namespace tune {
namespace {

int64_t LargestBlock(const std::vector<KernelPlan>& plans) {
  int64_t threads = 1;
  for (const KernelPlan& plan : plans) threads = std::max(threads, plan.threads.Threads());
  return threads;
}

enum Joined { kApart, kOutsideLoops, kSmall, kTogether };

// Of all launches of a kernel's largest grid; infinite when unknown.
double ThreadsOfLaunch(const Kernel& kernel, const KernelPlan& plan) {
  auto threads = static_cast<double>(plan.threads.Threads());
  for (const CudaAxis& axis : plan.threads.axes) {
    if (!axis.HasBlocks()) continue;
    const int64_t values = kernel.bands[0].trip_counts[static_cast<size_t>(axis.member)];
    threads *=
        values < 0 ? HUGE_VAL : std::ceil(static_cast<double>(values) / static_cast<double>(axis.tile));
  }
  return threads;
}

// Numbers of groups.
struct Groups {
  // Of the host, but for those of several kernels that load along rows, or that share an array.
  std::set<int> outside_loops;
  // These, and those in loops or with such an array of which no kernel has more threads than the device
  // holds at once.
  std::set<int> small;
  std::set<int> all;

  // By options.
  const std::set<int>& Of(Joined joined) const {
    return joined == kOutsideLoops ? outside_loops : joined == kSmall ? small : all;
  }
};

// Groups of several kernels that are launched by themselves and fit blocks of one size.
Groups GroupsThatFit(const ProgramSite& site) {
  struct Group {
    std::vector<KernelPlan> plans;
    int host_depth = 0;
    bool shares_arrays = false;
    int along_rows = 0;       // kernels whose threads load ahead along rows
    double most_threads = 0;  // of a kernel
  };
  std::map<int, Group> groups;
  for (size_t i = 0; i < site.kernels.size(); ++i) {
    const Kernel& kernel = site.kernels[i];
    if (site.together.Get<LaunchForm>().Merges(kernel)) continue;
    Group& group = groups[kernel.launch_group];
    group.plans.push_back(site.plans[i]);
    group.host_depth = kernel.host_depth;
    group.shares_arrays = group.shares_arrays || kernel.shares_arrays;
    group.along_rows += site.plans[i].Get<RowPieces>().on ? 1 : 0;
    group.most_threads = std::max(group.most_threads, ThreadsOfLaunch(kernel, site.plans[i]));
  }
  Groups fit;
  for (const auto& [number, group] : groups) {
    if (group.plans.size() < 2 || !FitBlocks(group.plans, LargestBlock(group.plans))) continue;
    fit.all.insert(number);
    if (group.along_rows >= 2) continue;
    const bool outside_loops = group.host_depth == 0 && !group.shares_arrays;
    if (outside_loops) fit.outside_loops.insert(number);
    if (outside_loops || group.most_threads <= site.device.Threads()) fit.small.insert(number);
  }
  return fit;
}

Offer Options(const Groups& groups) {
  const bool others = groups.small != groups.outside_loops && groups.small != groups.all;
  return {"independent_launches",
          {"apart", "outside_loops", "small", "together"},
          {true, !groups.outside_loops.empty(), others, groups.all != groups.outside_loops},
          /*unrecorded=*/kApart};
}

Joined Default(const Groups& groups, const Offer& offer) {
  if (groups.small.empty()) return kApart;
  if (groups.small == groups.outside_loops) return kOutsideLoops;
  return offer.legal[kSmall] ? kSmall : kTogether;
}

// INVALID_ARGUMENT where some launch has too many blocks.
absl::Status CheckBlocks(const DeviceProgram& program) {
  absl::Status status;
  ForEachNode(program.host, [&](const Node& node) {
    const auto* const launch = node.As<MergedLaunch>();
    if (launch == nullptr || !launch->joined || launch->blocks <= kMostBlocks) return;
    status.Update(absl::InvalidArgumentError(
        absl::StrCat("one launch for independent kernels would have ", launch->blocks,
                     " blocks, and at most ", kMostBlocks, " can be counted; their tiles must be larger")));
  });
  return status;
}

class JoinedLaunchesTransformation : public CudaTransformation {
  const char* name() const override { return "joined_launches"; }

  absl::Status DecideTogether(const ProgramSite& site, Chooser& chooser, std::vector<KernelPlan>* plans,
                              Decisions* together) const override {
    const Groups groups = GroupsThatFit(site);
    if (groups.all.empty()) return absl::OkStatus();
    const Offer offer = Options(groups);
    TUNE_ASSIGN_OR_RETURN(const int joined, Ask(chooser, offer, Default(groups, offer)));
    if (joined != kApart) Join(site, groups.Of(static_cast<Joined>(joined)), plans, together);
    return absl::OkStatus();
  }

  static void Join(const ProgramSite& site, const std::set<int>& groups, std::vector<KernelPlan>* plans,
                   Decisions* together) {
    JoinedGroups joined;
    for (size_t i = 0; i < site.kernels.size(); ++i) {
      const Kernel& kernel = site.kernels[i];
      if (groups.count(kernel.launch_group) == 0 || site.together.Get<LaunchForm>().Merges(kernel)) continue;
      joined.kernels.emplace(kernel.name, kernel.launch_group);
      (*plans)[i].Set(JoinedKernel{true});
    }
    together->Set(std::move(joined));
  }

  // Texture objects are arguments of launches, which functions do without.
  void SetParameters(const KernelPass& pass, DeviceKernel* kernel) const override {
    if (!pass.together.Get<JoinedGroups>().Joins(pass.kernel)) return;
    kernel->is_function = true;
    kernel->linear_grid = false;
    for (KernelArray& used : kernel->arrays) {
      if (used.loads == ArrayLoads::kTexture) used.loads = ArrayLoads::kReadOnly;
    }
  }

  // Each block runs one kernel: its tiles lie where those of the others do.
  void ApplyAfterBarriers(const KernelPass& pass, DeviceKernel* kernel) const override {
    if (pass.together.Get<JoinedGroups>().Joins(pass.kernel) && kernel->given_shared_bytes == 0)
      LayOutGivenMemory(kernel);
  }

  absl::Status ApplyTogether(const ProgramPass& pass, DeviceProgram* program) const override {
    const JoinedGroups& joined = pass.together.Get<JoinedGroups>();
    if (joined.kernels.empty()) return absl::OkStatus();
    JoinLaunches(pass.name + "_together", joined.kernels, program);
    return CheckBlocks(*program);
  }

  absl::Status Check(const KernelPass& pass, const DeviceKernel& kernel) const override {
    const bool merged = pass.together.Get<LaunchForm>().Merges(pass.kernel);
    if (kernel.is_function == (merged || pass.together.Get<JoinedGroups>().Joins(pass.kernel)))
      return absl::OkStatus();
    return absl::FailedPreconditionError("it has another kind of launch");
  }
};

}  // namespace

const CudaTransformation& JoinedLaunches() {
  static const JoinedLaunchesTransformation transformation;
  return transformation;
}

}  // namespace tune
