#include "worker/check/dependence_check.h"

#include "common/isl/tuple_name.h"
#include "worker/check/barrier.h"
#include "worker/check/instance_order.h"
#include "worker/check/reduction_check.h"
#include "worker/check/tile_loops_check.h"

namespace tune {
namespace {

// { S }: all instances of the kernel's statements that a register tile serves; `partial`: only of those whose
// updates go to a tile of partial values.
isl::union_set UsingRegisters(const KernelPlacement& placement, bool partial) {
  const LocalMemory& memory = placement.kernel->memory;
  isl::union_set instances = isl::union_set::empty(placement.places.ctx());
  for (const auto& [reference, place] : memory.references) {
    const std::string name = place.is_null() ? "" : TupleName(place, isl_dim_out);
    for (const LocalTile& tile : memory.tiles) {
      if (tile.name != name || tile.shared) continue;
      if (partial && tile.combined_by == v1::NONE) continue;
      instances = instances.unite(InstancesOf(placement.places.domain(), reference.first));
    }
  }
  return instances;
}

// The orderings that need not be kept inside a launch: { S -> S' }, between updates of partial values.
isl::union_map RelaxedBy(const KernelPlacement& placement, const isl::set& values) {
  const std::optional<isl::union_map>& relaxed = placement.kernel->relaxed;
  if (!relaxed) return isl::union_map::empty(values.ctx());
  const isl::union_set updates = UsingRegisters(placement, /*partial=*/true);
  return relaxed->intersect_params(values).project_out_all_params().intersect_domain(updates).intersect_range(
      updates);
}

// { S -> K[h] } of all kernels
isl::union_pw_multi_aff LaunchOf(const std::vector<KernelPlacement>& placements) {
  isl::union_map launches = isl::union_map::empty(placements.at(0).places.ctx());
  for (const KernelPlacement& placement : placements) {
    const std::string name = TupleName(placement.kernel->launches);
    OuterMembers(placement.places, placement.host_depth).foreach_map([&](const isl::map& map) {
      launches = launches.unite(isl::union_map(WithTupleName(map, isl_dim_out, name)));
    });
  }
  return launches.as_union_pw_multi_aff();
}

const KernelPlacement& KernelOf(const std::vector<KernelPlacement>& placements,
                                const isl::union_set& instances) {
  for (const KernelPlacement& placement : placements) {
    if (!placement.places.intersect_domain(instances).is_empty()) return placement;
  }
  throw isl::exception("a dependence of an instance that no kernel runs");
}

// Checks `pairs`, the dependences inside the launches of one kernel: { S -> S' }.
class LaunchCheck {
 public:
  LaunchCheck(const KernelPlacement& placement, const isl::union_map& pairs, const isl::set& values)
      : placement_(placement), pairs_(pairs), values_(values) {}

  absl::Status Check() const {
    if (placement_.axes == 0) return CheckOrder(pairs_);
    const isl::union_map in_block = pairs_.eq_at(placement_.Block());
    const isl::union_map between_blocks = pairs_.subtract(in_block);
    if (!between_blocks.is_empty())
      return Error("a dependence connects different blocks of one launch: ", between_blocks);
    const isl::union_map in_thread = in_block.eq_at(placement_.Thread());
    const isl::union_map between_threads = in_block.subtract(in_thread);
    const isl::union_map unordered = WithoutBarrier(placement_, between_threads);
    if (!unordered.is_empty())
      return Error("no barrier orders a dependence between threads of one block: ", unordered);
    const isl::union_map in_registers =
        between_threads.intersect_domain(UsingRegisters(placement_, /*partial=*/false));
    if (!in_registers.is_empty())
      return Error("a value that another thread of the block needs may still be in registers: ",
                   in_registers);
    return CheckOrder(in_thread);
  }

 private:
  // `pairs`: inside threads.
  absl::Status CheckOrder(const isl::union_map& pairs) const {
    const PairOrder order = OrderOf(placement_.kernel->thread,
                                    pairs.intersect_params(values_).intersect_domain(placement_.OfThread()));
    if (order.backward)
      return Error(absl::StrCat("a thread runs a dependence backward ", order.where, ": "), *order.backward);
    if (!order.tied.is_empty())
      return Error("a thread's tree leaves a dependence without order: ", order.tied);
    return absl::OkStatus();
  }

  absl::Status Error(absl::string_view what, const isl::union_map& pairs) const {
    return absl::FailedPreconditionError(
        absl::StrCat("kernel ", placement_.name(), ": ", what, ExamplePair(pairs, placement_, placement_)));
  }

  const KernelPlacement& placement_;
  const isl::union_map& pairs_;
  const isl::set& values_;
};

}  // namespace

absl::Status CheckDependences(const std::vector<KernelPlacement>& placements, const MappedProgram& program,
                              const ParsedScop& scop, const Dependences& dependences,
                              const isl::set& values) {
  if (placements.empty()) return absl::OkStatus();
  const isl::union_map pairs = dependences.validity().intersect_params(values);
  const isl::schedule host = program.host.pullback(LaunchOf(placements));  // over { S }
  const PairOrder order = OrderOf(host, pairs);
  if (order.backward) {
    const isl::union_map one = isl::union_set(order.backward->wrap().sample_point()).unwrap();
    const KernelPlacement& source = KernelOf(placements, one.domain());
    const KernelPlacement& sink = KernelOf(placements, one.range());
    return absl::FailedPreconditionError(absl::StrCat("the host tree launches a dependence from kernel ",
                                                      source.name(), " to ", sink.name(), " backward ",
                                                      order.where, ": ", ExamplePair(one, source, sink)));
  }
  TUNE_RETURN_IF_ERROR(CheckTileLoops(placements, scop, dependences, values));
  const isl::union_map tied = order.tied.project_out_all_params();
  for (const KernelPlacement& placement : placements) {
    const isl::union_set instances = placement.places.domain();
    isl::union_map own = tied.intersect_domain(instances);
    const isl::union_map leaving = own.subtract_range(instances);
    if (!leaving.is_empty()) {
      const KernelPlacement& sink = KernelOf(placements, leaving.range());
      return absl::FailedPreconditionError(absl::StrCat(
          "the host tree gives no order to a dependence from kernel ", placement.name(), " to ", sink.name(),
          ": ", ExamplePair(leaving.intersect_range(sink.places.domain()), placement, sink)));
    }
    own = own.subtract(RelaxedBy(placement, values));
    TUNE_RETURN_IF_ERROR(CheckReducedElements(placement, scop, values, &own));
    TUNE_RETURN_IF_ERROR(LaunchCheck(placement, own, values).Check());
  }
  return absl::OkStatus();
}

}  // namespace tune
