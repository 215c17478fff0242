#include "worker/mapping/cpu_mapper.h"

#include <algorithm>
#include <stdexcept>

#include "common/isl/functions.h"
#include "common/isl/schedule_node.h"
#include "common/isl/sets.h"
#include "common/mapping/band_loops.h"
#include "common/mapping/mark_node.h"
#include "common/transform/transformations.h"
#include "worker/mapping/whole_iterations.h"

namespace tune {
namespace {

isl::union_pw_aff Member(const isl::schedule_node_band& band, int member) {
  return band.partial_schedule().at(member);
}

// Smallest value of `member` at the known parameter values; 0 when it has none.
isl::val Minimum(const isl::union_pw_aff& member, const isl::set& values) {
  const isl::val least = MinValue(member.intersect_params(values));
  return least.is_int() ? least : isl::val::zero(member.ctx());
}

// First value of the tile that holds the member's value: { S -> [size * floor((f - o) / size) + o] }, o = 0
// or the minimum.
isl::union_pw_aff TileStart(const isl::union_pw_aff& member, const BandLoop& loop, const isl::set& values) {
  const isl::ctx ctx = member.ctx();
  const isl::val size(ctx, static_cast<long>(loop.size));
  const isl::val origin = loop.from_minimum ? Minimum(member, values) : isl::val::zero(ctx);
  // S -> [o]
  const isl::union_pw_aff shift = ConstantOn(member.domain(), origin);
  isl::union_pw_aff tile = ScaleDown(member.sub(shift), size);
  tile = Scale(Floor(tile), size);
  return tile.add(shift);
}

unsigned StatementCount(const isl::schedule_node& node) { return SetCount(NodeDomain(node)); }

// Rewrites the subtree of one kernel.
class KernelMapper {
 public:
  KernelMapper(const Kernel& kernel, const HostKernelPlan& plan, const isl::set& values)
      : kernel_(kernel), plan_(plan), values_(values) {}

  // Returns the node that stands where `node` stood. Bands are met in pre-order.
  isl::schedule_node Map(isl::schedule_node node) {
    if (!node.isa<isl::schedule_node_band>()) {
      for (unsigned i = 0; i < node.n_children(); ++i) node = Map(node.child(i)).parent();
      return node;
    }
    const size_t index = next_band_++;
    if (index >= kernel_.bands.size()) throw std::logic_error("the tree has more bands than the kernel");
    for (const OpenMpTransformation* transformation : OpenMpTransformations()) {
      if (const auto mapped = transformation->MapBand(kernel_, plan_, node.as<isl::schedule_node_band>()))
        return *mapped;
    }
    node = Map(node.child(0)).parent();
    return MapBand(node.as<isl::schedule_node_band>(), index);
  }

  bool met_all_bands() const { return next_band_ == kernel_.bands.size(); }

 private:
  isl::schedule_node MapBand(const isl::schedule_node_band& band, size_t index) const {
    const KernelBand& facts = kernel_.bands[index];
    BandRequest request;
    request.tile_sizes.assign(facts.member_count(), 0);
    for (const OpenMpTransformation* transformation : OpenMpTransformations())
      transformation->ApplyToBand(plan_, index, &request);
    if (band.n_member() != facts.coincident.size() || facts.coincident.size() != request.tile_sizes.size() ||
        request.parallel_member >= facts.member_count()) {
      throw std::logic_error(absl::StrCat("band ", index, " has other members than the plan"));
    }
    const std::vector<BandLoop> loops = ArrangeLoops(facts, request);
    isl::schedule_node node = WithoutNode(band);
    const bool separate = facts.innermost && StatementCount(node) > 1;
    for (auto loop = loops.rbegin(); loop != loops.rend(); ++loop) {
      node = Insert(node, band, *loop, separate && loop == loops.rbegin());
    }
    return node;
  }

  // Puts the loop above `node`. `separate`: in several pieces where that keeps conditions out of its body.
  isl::schedule_node Insert(isl::schedule_node node, const isl::schedule_node_band& band,
                            const BandLoop& loop, bool separate) const {
    if (!loop.mark.empty()) node = InsertMark(node, kLoopMarkEnd);
    isl::union_pw_aff member = Member(band, loop.member);
    if (loop.kind == BandLoop::Kind::kTile) member = TileStart(member, loop, values_);
    node = node.insert_partial_schedule(isl::multi_union_pw_aff(member));
    node = node.as<isl::schedule_node_band>().member_set_coincident(0, loop.coincident).set_permutable(1);
    if (separate) node = node.as<isl::schedule_node_band>().member_set_ast_loop_separate(0);
    if (!loop.mark.empty()) node = InsertMark(node, PrintLoopMark(loop.mark));
    return node;
  }

  const Kernel& kernel_;
  const HostKernelPlan& plan_;
  const isl::set& values_;
  size_t next_band_ = 0;
};

// Maps the kernels below `node`, in tree order.
isl::schedule_node MapKernels(isl::schedule_node node, const CpuPlan& plan, const isl::set& values,
                              size_t& next_kernel) {
  if (node.isa<isl::schedule_node_mark>() && next_kernel < plan.kernels.size() &&
      MarkName(node) == plan.kernels[next_kernel].name) {
    const size_t index = next_kernel++;
    KernelMapper mapper(plan.scheduled->kernels[index], plan.kernels[index], values);
    node = mapper.Map(node.child(0)).parent();
    if (!mapper.met_all_bands()) throw std::logic_error("the tree has fewer bands than the kernel");
    return node;
  }
  for (unsigned i = 0; i < node.n_children(); ++i) {
    node = MapKernels(node.child(i), plan, values, next_kernel).parent();
  }
  return node;
}

absl::Status CheckShapes(const CpuPlan& plan) {
  if (plan.kernels.size() != plan.scheduled->kernels.size()) {
    return absl::InternalError("mapping: the plan has another number of kernels than its tree");
  }
  for (size_t i = 0; i < plan.kernels.size(); ++i) {
    if (plan.kernels[i].name != plan.scheduled->kernels[i].name) {
      return absl::InternalError(absl::StrCat("mapping: the plan of kernel ", plan.kernels[i].name,
                                              " does not fit the tree's kernel ",
                                              plan.scheduled->kernels[i].name));
    }
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<isl::schedule> MapCpuPlan(IslContext& context, const CpuPlan& plan,
                                         const std::map<std::string, int64_t>& parameter_values) {
  TUNE_RETURN_IF_ERROR(CheckShapes(plan));
  return context.Run("mapping", [&]() -> absl::StatusOr<isl::schedule> {
    const isl::set values = ParameterValues(context, parameter_values);
    size_t next_kernel = 0;
    try {
      const isl::schedule_node root = MapKernels(plan.scheduled->tree.root(), plan, values, next_kernel);
      if (next_kernel != plan.kernels.size())
        throw std::logic_error("the tree has fewer kernels than the plan");
      return KeepIterationsWhole(root.schedule());
    } catch (const std::logic_error& error) {
      return absl::InternalError(absl::StrCat("mapping: ", error.what()));
    }
  });
}

}  // namespace tune
