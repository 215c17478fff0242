#include "common/transform/split_sums/sum_nest.h"

#include <algorithm>
#include <optional>

#include "common/isl/bounds.h"
#include "common/isl/relations.h"
#include "common/transform/split_sums/common_factor.h"

namespace tune {
namespace {

// The target's array is in no other access.
bool AddsWithoutReading(const ParsedStatement& statement) {
  return statement.proto->update() == v1::ADD && !statement.target().of_data &&
         std::count_if(statement.accesses.begin(), statement.accesses.end(), [&](const ParsedAccess& access) {
           return access.array == statement.target().array;
         }) == 1;
}

// The two parallel members that repeat; those that do not repeat say nothing of the order.
std::optional<std::vector<int>> PlaceMembers(const KernelBand& band, int sum_member) {
  std::vector<int> members;
  for (int m = 0; m < band.member_count(); ++m) {
    if (m == sum_member || band.trip_counts[m] == 1) continue;
    if (!band.coincident[m] || (!band.privates.empty() && !band.privates[m].empty())) return std::nullopt;
    members.push_back(m);
  }
  if (members.size() != 2) return std::nullopt;
  return members;
}

std::optional<SumNest> NestOf(const Kernel& kernel, const isl::schedule_node_band& band,
                              const ParsedScop& scop, const isl::set& values) {
  const KernelReduction& reduction = *kernel.reduction;
  if (!reduction.along.empty() || reduction.reduced.size() != 1) return std::nullopt;
  const ParsedStatement& sum = scop.statement(reduction.reduced[0]);
  if (!AddsWithoutReading(sum)) return std::nullopt;
  const std::optional<std::vector<int>> members = PlaceMembers(kernel.bands[0], reduction.member);
  if (!members) return std::nullopt;
  const auto row = [&](int member) {
    return ScheduleRow::Of(band.partial_schedule().at(member), kernel.statements);
  };
  SumNest nest;
  nest.sum = sum.name;
  nest.before = reduction.before;
  nest.after = reduction.after;
  nest.rows = row((*members)[0]);
  nest.columns = row((*members)[1]);
  nest.has_factor = FindCommonFactor(scop.proto, *sum.proto).has_value();
  nest.time = row(reduction.member).times.at(sum.name);
  const isl::set instances = sum.domain.intersect_params(values);
  const isl::set times = instances.apply(nest.time.as_map()).project_out_all_params();
  nest.places = instances
                    .apply(FlatRangeProduct(nest.rows.times.at(sum.name).as_map(),
                                            nest.columns.times.at(sum.name).as_map()))
                    .project_out_all_params()
                    .coalesce();
  if (times.is_empty()) return std::nullopt;
  isl::set box = isl::set::universe(nest.places.space());
  for (int i = 0; i < 2; ++i) {
    const isl::val first = nest.places.dim_min_val(i), last = nest.places.dim_max_val(i);
    if (!first.is_int() || !last.is_int()) return std::nullopt;
    box = LowerBound(UpperBound(box, isl_dim_set, i, last), isl_dim_set, i, first);
    (i == 0 ? nest.row_count : nest.column_count) = last.sub(first).num_si() + 1;
  }
  if (!nest.places.is_equal(box)) return std::nullopt;
  nest.places = box;
  const isl::val least = times.dim_min_val(0), greatest = times.dim_max_val(0);
  if (!least.is_int() || !greatest.is_int()) return std::nullopt;
  nest.first = least.num_si();
  nest.count = greatest.num_si() - nest.first + 1;
  return nest;
}

}  // namespace

std::vector<SumNest> FindSumNests(const ScheduledScop& scheduled, const ParsedScop& scop,
                                  const isl::set& values) {
  std::vector<SumNest> nests;
  size_t next = 0;
  scheduled.tree.root().foreach_descendant_top_down([&](const isl::schedule_node& node) {
    if (!node.isa<isl::schedule_node_mark>() || next >= scheduled.kernels.size()) return true;
    const Kernel& kernel = scheduled.kernels[next++];
    if (!kernel.reduction || kernel.host_depth > 0 || kernel.bands.size() != 1 ||
        !kernel.bands[0].permutable || !node.child(0).isa<isl::schedule_node_band>())
      return false;
    if (auto nest = NestOf(kernel, node.child(0).as<isl::schedule_node_band>(), scop, values))
      nests.push_back(*std::move(nest));
    return false;
  });
  return nests;
}

}  // namespace tune
