#include "worker/check/placement_check.h"

#include "common/isl/dimensions.h"
#include "common/isl/relations.h"
#include "worker/check/launch_grid.h"
#include "worker/check/simple_hull.h"

namespace tune {
namespace {

// Checks one kernel.
class KernelCheck {
 public:
  KernelCheck(const KernelPlacement& placement, const isl::set& values)
      : placement_(placement), kernel_(*placement.kernel), grid_(*placement.kernel, values) {}

  absl::Status Check() const {
    TUNE_RETURN_IF_ERROR(CheckLeaves());
    TUNE_RETURN_IF_ERROR(CheckOnePlace());
    TUNE_RETURN_IF_ERROR(CheckInGrid());
    return CheckContext();
  }

 private:
  template <typename... Parts>
  absl::Status Error(const Parts&... parts) const {
    return absl::FailedPreconditionError(absl::StrCat("kernel ", placement_.name(), ": ", parts...));
  }

  // No thread meets an instance at two leaves.
  absl::Status CheckLeaves() const {
    for (size_t i = 0; i < placement_.leaves.size(); ++i) {
      const isl::union_set instances = placement_.leaves[i].instances();
      for (size_t j = i + 1; j < placement_.leaves.size(); ++j) {
        const isl::union_set both = instances.intersect(placement_.leaves[j].instances());
        if (!both.is_empty())
          return Error("a thread runs ", Example(both), " twice, at two leaves of its tree");
      }
    }
    return absl::OkStatus();
  }

  // Every instance belongs to one thread of one launch.
  absl::Status CheckOnePlace() const {
    const isl::union_map& places = placement_.places;
    if (IsFunction(places)) return absl::OkStatus();
    // { [[h, b, t] -> [h', b', t']] } of two places of an instance
    const isl::union_map pairs = places.reverse().apply_range(places);
    const isl::union_map different = pairs.subtract(pairs.domain().identity());
    const isl::union_map two = isl::union_set(different.wrap().sample_point()).unwrap();
    const isl::union_set instances =
        two.domain().apply(places.reverse()).intersect(two.range().apply(places.reverse()));
    return Error(Example(instances), " runs on several threads: ", Example(two.wrap()),
                 " (host loops, block, thread)");
  }

  absl::Status CheckInGrid() const {
    const isl::union_set outside =
        placement_.places.intersect_range(isl::union_set(grid_.Outside().coalesce())).domain();
    if (!outside.is_empty()) {
      const isl::union_set instance(outside.sample_point());
      return Error("the place of ", Example(instance),
                   " is outside of the grid: ", placement_.Describe(instance), ", with ", kernel_.threads[0],
                   " x ", kernel_.threads[1], " x ", kernel_.threads[2], " threads in a block");
    }
    const isl::union_map launches = isl::union_map(grid_.ToLaunch().as_map());  // { [h, b, t] -> K[h] }
    const isl::union_set missing =
        placement_.places.range().apply(launches).subtract(isl::union_set(grid_.Launches()));
    if (missing.is_empty()) return absl::OkStatus();
    return Error("its thread tree has instances of a launch that does not take place: ", Example(missing));
  }

  // What the code generator takes for granted holds for every thread of the grid.
  absl::Status CheckContext() const {
    const isl::map places = MapFromRange(grid_.Inside());  // [] -> [h, b, t]
    const int all = static_cast<int>(placement_.coordinates.size());
    isl::map threads = MoveDimensions(places, isl_dim_param, 0, isl_dim_out, 0, all);
    for (int i = 0; i < all; ++i)
      threads = WithDimensionName(threads, isl_dim_param, i, placement_.coordinates[i]);
    const isl::set parameters = Parameters(threads);
    const isl::set forgotten = parameters.subtract(grid_.Known(kernel_.context));
    if (forgotten.is_empty()) return absl::OkStatus();
    return Error("its context excludes threads that run, for example ", IslText(forgotten.sample_point()));
  }

  const KernelPlacement& placement_;
  const MappedKernel& kernel_;
  const LaunchGrid grid_;
};

// The launches of the host tree are those of the kernels, each once.
absl::Status CheckLaunches(const std::vector<KernelPlacement>& placements, const MappedProgram& program,
                           const isl::set& values) {
  isl::union_set wanted = isl::union_set::empty(values.ctx());
  for (const KernelPlacement& placement : placements)
    wanted = wanted.unite(isl::union_set(placement.kernel->launches));
  isl::union_set launched = isl::union_set::empty(values.ctx());
  for (const TreeLeaf& leaf : FindLeaves(program.host)) {
    const isl::union_set here = leaf.instances().intersect_params(values);
    const isl::union_set twice = here.intersect(launched);
    if (!twice.is_empty())
      return absl::FailedPreconditionError(absl::StrCat("the host tree launches ", Example(twice), " twice"));
    launched = launched.unite(here);
  }
  const isl::union_set missing = wanted.intersect_params(values).subtract(launched);
  if (!missing.is_empty())
    return absl::FailedPreconditionError(absl::StrCat("the host tree never launches ", Example(missing)));
  const isl::union_set added = launched.subtract(wanted);
  if (added.is_empty()) return absl::OkStatus();
  return absl::FailedPreconditionError(
      absl::StrCat("the host tree launches ", Example(added), ", which is no launch of a kernel"));
}

// The kernels share out the scop's instances.
absl::Status CheckCovered(const std::vector<KernelPlacement>& placements, const ParsedScop& scop,
                          const isl::set& values) {
  isl::union_set executed = isl::union_set::empty(values.ctx());  // { S }
  for (const KernelPlacement& placement : placements) {
    const isl::union_set instances = placement.places.domain();
    const isl::union_set twice = instances.intersect(executed);
    if (!twice.is_empty()) {
      return absl::FailedPreconditionError(absl::StrCat("kernel ", placement.name(), " runs ", Example(twice),
                                                        ", as a kernel before it does"));
    }
    executed = executed.unite(instances);
  }
  for (const ParsedStatement& statement : scop.statements) {
    const isl::union_set own = InstancesOf(executed, statement.name);
    const isl::union_set wanted(statement.kind == v1::Statement::KILL
                                    ? isl::set::empty(statement.domain.space())
                                    : statement.domain.intersect_params(values).project_out_all_params());
    const isl::union_set missing = wanted.subtract(own);
    if (!missing.is_empty())
      return absl::FailedPreconditionError(absl::StrCat("no thread of any launch runs ", Example(missing)));
    const isl::union_set added = own.subtract(wanted);
    if (!added.is_empty()) {
      return absl::FailedPreconditionError(
          absl::StrCat("a thread runs ", Example(added), ", which is no instance of the region"));
    }
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status CheckPlacements(const std::vector<KernelPlacement>& placements, const MappedProgram& program,
                             const ParsedScop& scop, const isl::set& values) {
  for (const KernelPlacement& placement : placements)
    TUNE_RETURN_IF_ERROR(KernelCheck(placement, values).Check());
  TUNE_RETURN_IF_ERROR(CheckCovered(placements, scop, values));
  return CheckLaunches(placements, program, values);
}

}  // namespace tune
