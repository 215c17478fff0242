#include "common/transform/privatisation/privatisation.h"

#include <algorithm>
#include <set>

#include "common/array/element_type.h"
#include "common/isl/relations.h"
#include "common/isl/same_value.h"
#include "common/isl/schedule_node.h"
#include "common/mapping/mark_node.h"

namespace tune {
namespace {

constexpr int64_t kLargestPrivate = 16 << 10;  // bytes of an array, on a thread's stack

// Of the elements that `accesses`, { S -> A }, name; at least that much.
int64_t BytesOf(const v1::Array& array, const isl::union_map& accesses) {
  auto bytes = static_cast<int64_t>(ElementSize(array.element_type()));
  accesses.range().foreach_set([&](const isl::set& elements) {
    for (int i = 0; i < array.extents_size(); ++i) {
      const isl::val last = elements.dim_max_val(i);
      const int64_t extent = last.is_int() ? last.num_si() + 1 : kLargestPrivate;
      bytes *= std::min(extent, 2 * kLargestPrivate);
      bytes = std::min(bytes, 2 * kLargestPrivate);
    }
  });
  return bytes;
}

isl::union_map ValueOf(const isl::schedule_node_band& band, int member, const isl::union_set& domain) {
  const isl::union_pw_aff value = band.partial_schedule().at(member);
  return value.as_union_map().intersect_domain(domain);
}

// Whether data decide which of its elements some statement updates: such updates may lack dependences.
bool IsUpdatedByData(const ParsedScop& scop, const std::string& array) {
  return std::any_of(scop.statements.begin(), scop.statements.end(), [&](const ParsedStatement& statement) {
    return statement.kind == v1::Statement::ASSIGN && statement.target().of_data &&
           statement.target().array == array;
  });
}

std::string MarkOf(const isl::schedule_node& node) {
  return node.isa<isl::schedule_node_mark>() ? MarkName(node) : "";
}

}  // namespace

Privatisation::Privatisation(const ParsedScop& scop, const Dependences& dependences, const isl::set& values)
    : scop_(scop), dependences_(dependences), values_(values) {
  for (const v1::Array& array : scop.proto.arrays()) {
    if (!array.read_only() && (array.extents_size() == 0 || array.declared_inside()) &&
        !IsUpdatedByData(scop, array.name()))
      AddVariable(array);
  }
}

void Privatisation::AddVariable(const v1::Array& array) {
  const isl::union_set none = scop_.domain.subtract(scop_.domain);
  const isl::union_map no_pairs = isl::union_map::empty(scop_.domain.ctx());
  Variable variable{array.name(), array.extents_size() == 0, none, none, no_pairs, none, none};
  isl::union_map accesses = no_pairs;
  for (const LiveRange& range : LiveRanges(scop_, dependences_, array.name())) {
    accesses = accesses.unite(range.accesses.intersect_params(values_));
    variable.writing = variable.writing.unite(range.writes.domain());
    variable.flow = variable.flow.unite(range.flow.intersect_params(values_));
    variable.live_in =
        variable.live_in.unite(range.undefined ? range.reads.domain() : range.live_in.domain());
    variable.live_out = variable.live_out.unite(range.live_out.domain());
  }
  variable.accessing = accesses.domain();
  if (variable.writing.is_empty()) return;
  if (variable.scalar || BytesOf(array, accesses) <= kLargestPrivate)
    variables_.push_back(std::move(variable));
}

std::optional<PrivateVariables> Privatisation::Find(const isl::schedule_node_band& band, int member) const {
  const isl::union_set domain = NodeDomain(band).intersect_params(values_);
  Place first{domain, band.prefix_schedule_union_map().intersect_domain(domain),
              ValueOf(band, member, domain)};
  const isl::union_map inside = dependences_.validity().intersect_domain(domain).intersect_range(domain);
  const isl::union_map carried = inside.intersect(SameValue(first.outer)).subtract(SameValue(first.member));
  PrivateVariables found;
  if (carried.is_empty()) return found;
  if (!carried.intersect(dependences_.flow).is_empty()) return std::nullopt;
  Place last = first;
  for (int other = 0; other < static_cast<int>(band.n_member()); ++other) {
    if (other != member) last.outer = FlatRangeProduct(last.outer, ValueOf(band, other, domain));
  }
  std::set<std::string> names;
  for (const Variable& variable : variables_) {
    if (variable.accessing.intersect(domain).is_empty()) continue;
    const Kind kind = KindOf(variable, first);
    if (kind == Kind::kShared || KindOf(variable, last) != kind) continue;
    (kind == Kind::kLocal ? found.local : found.last).push_back(variable.name);
    names.insert(variable.name);
  }
  isl::union_map reads = isl::union_map::empty(domain.ctx()), writes = reads;  // S -> A, what stays shared
  scop_.reads.foreach_map([&](const isl::map& map) {
    if (names.count(map.range_tuple_id().name()) == 0) reads = reads.unite(isl::union_map(map));
  });
  scop_.writes.foreach_map([&](const isl::map& map) {
    if (names.count(map.range_tuple_id().name()) == 0) writes = writes.unite(isl::union_map(map));
  });
  const isl::union_map all = reads.unite(writes);
  const isl::union_map conflicts =
      all.apply_range(writes.reverse()).unite(writes.apply_range(all.reverse()));  // S -> S
  if (!carried.intersect(conflicts).is_empty()) return std::nullopt;
  return found;
}

Privatisation::Kind Privatisation::KindOf(const Variable& variable, const Place& place) const {
  const isl::union_map same_outer = SameValue(place.outer);
  const isl::union_map inside = variable.flow.intersect_domain(place.domain)
                                    .intersect_range(place.domain)
                                    .intersect(same_outer);  // S -> S
  if (!inside.is_subset(SameValue(place.member))) return Kind::kShared;
  if (!variable.live_in.intersect(place.domain).is_empty()) return Kind::kShared;
  if (!variable.flow.intersect_range(place.domain).is_subset(inside)) return Kind::kShared;
  const isl::union_set sources = variable.flow.intersect_domain(place.domain)
                                     .subtract(inside)
                                     .domain()
                                     .unite(variable.live_out.intersect(place.domain));  // S
  if (sources.is_empty()) return Kind::kLocal;
  return variable.scalar && LeavesTheLast(variable, place, sources) ? Kind::kLast : Kind::kShared;
}

// Whether all `sources` are in the loop's last iteration, and that one always writes the variable.
bool Privatisation::LeavesTheLast(const Variable& variable, const Place& place,
                                  const isl::union_set& sources) const {
  const isl::union_map latest = place.outer.reverse().apply_range(place.member).lexmax();  // P -> [m]
  const isl::union_set in_last =                                                           // S
      place.outer.apply_range(latest).intersect(place.member).domain();
  if (!sources.intersect_params(values_).is_subset(in_last)) return false;
  const isl::union_set writing = variable.writing.intersect(in_last);
  return place.outer.range().is_subset(place.outer.intersect_domain(writing).range());
}

isl::schedule Privatisation::WithCoincidence(const isl::schedule& schedule) const {
  const auto relax = [&](const isl::schedule_node& node) -> isl::schedule_node {
    if (!node.isa<isl::schedule_node_band>()) return node;
    auto band = node.as<isl::schedule_node_band>();
    for (int m = 0; m < static_cast<int>(band.n_member()); ++m) {
      if (!band.member_get_coincident(m) && Find(band, m)) band = band.member_set_coincident(m, 1);
    }
    return band;
  };
  return schedule.root().map_descendant_bottom_up(relax).schedule();
}

void Privatisation::Complete(ScheduledScop& scheduled) const {
  size_t next_kernel = 0;
  scheduled.tree.root().foreach_descendant_top_down([&](const isl::schedule_node& node) {
    if (next_kernel >= scheduled.kernels.size() || MarkOf(node) != scheduled.kernels[next_kernel].name)
      return true;
    Kernel& kernel = scheduled.kernels[next_kernel++];
    size_t next_band = 0;
    node.foreach_descendant_top_down([&](const isl::schedule_node& below) {
      if (!below.isa<isl::schedule_node_band>() || next_band >= kernel.bands.size()) return true;
      const auto band = below.as<isl::schedule_node_band>();
      KernelBand& facts = kernel.bands[next_band++];
      for (int m = 0; m < facts.member_count(); ++m) {
        facts.privates.push_back(facts.coincident[m] ? Find(band, m).value_or(PrivateVariables())
                                                     : PrivateVariables());
      }
      return true;
    });
    return false;
  });
}

}  // namespace tune
