#include "common/kernel/loop_reads.h"

#include <algorithm>

#include "common/array/element_type.h"
#include "common/isl/bounds.h"
#include "common/isl/dimensions.h"
#include "common/isl/schedule_node.h"
#include "common/isl/tuple_name.h"

namespace tune {
namespace {

// Where both are defined, which they are somewhere.
bool IsSameElement(const isl::map& left, const isl::map& right) {
  const isl::set both = left.domain().intersect(right.domain());
  return !both.is_empty() && left.intersect_domain(both).is_equal(right.intersect_domain(both));
}

bool IsOneOf(const std::vector<std::string>& arrays, const ParsedAccess& access) {
  return std::find(arrays.begin(), arrays.end(), access.array) != arrays.end();
}

// { [t] -> A }: the different elements that the band's statements access at a time, one each, by accesses
// that `wanted` holds for.
template <typename Wanted>
std::vector<isl::map> ElementsAccessed(const isl::schedule_node_band& band, const ParsedScop& scop,
                                       const isl::set& values, const Wanted& wanted) {
  const isl::schedule_node inside = band.child(0);
  const isl::union_set domain = NodeDomain(inside).intersect_params(values);             // { S }
  const isl::union_map times = PrefixScheduleRelation(inside).intersect_domain(domain);  // { S -> [t] }
  std::vector<isl::map> elements;
  times.foreach_map([&](const isl::map& time) {  // S -> [t]
    const isl::map instances = time.reverse();   // [t] -> S
    if (!instances.is_single_valued()) return;
    for (const ParsedAccess& access : scop.statement(TupleName(time.domain())).accesses) {
      if (access.of_data || !wanted(access)) continue;
      const isl::map element = instances.apply_range(access.relation);  // [t] -> A
      const auto same = [&](const isl::map& other) {
        return TupleName(other.range()) == access.array && IsSameElement(other, element);
      };
      if (std::none_of(elements.begin(), elements.end(), same)) elements.push_back(element);
    }
  });
  return elements;
}

bool IsFixedAt(const isl::set& set, int dimension, int value) {
  return set.is_subset(Fix(set, isl_dim_set, dimension, value));
}

// Whether the next iteration of the member, of which there are so many before it, accesses the next or the
// previous element of the same row. { [t] -> A }.
bool IsAlongRow(const isl::map& element, int members_before) {
  const int dimensions = Dimensions(element, isl_dim_out);
  if (dimensions == 0) return false;
  const isl::multi_aff same = isl::multi_aff::identity_on_domain(element.domain().space());
  const isl::map next = same.set_at(members_before, same.at(members_before).add_constant(1)).as_map();
  const isl::set steps = element.reverse().apply_range(next).apply_range(element).deltas();
  if (steps.is_empty()) return false;
  for (int i = 0; i + 1 < dimensions; ++i) {
    if (!IsFixedAt(steps, i, 0)) return false;
  }
  return IsFixedAt(steps, dimensions - 1, 1) || IsFixedAt(steps, dimensions - 1, -1);
}

// For each member whether some access that `wanted` holds for goes along a row.
template <typename Wanted>
std::vector<bool> MembersAlongRows(const isl::schedule_node_band& band, const ParsedScop& scop,
                                   const isl::set& values, const Wanted& wanted) {
  std::vector<bool> along(band.n_member(), false);
  for (const isl::map& element : ElementsAccessed(band, scop, values, wanted)) {
    const int depth = Dimensions(element, isl_dim_in) - static_cast<int>(along.size());
    for (size_t member = 0; member < along.size(); ++member)
      along[member] = along[member] || IsAlongRow(element, depth + static_cast<int>(member));
  }
  return along;
}

}  // namespace

std::vector<int64_t> WordsReadByIterations(const isl::schedule_node_band& band,
                                           const std::vector<std::string>& arrays, const ParsedScop& scop,
                                           const isl::set& values) {
  constexpr int64_t kWord = 4;
  std::vector<int64_t> words(band.n_member(), 0);
  const auto read = [&](const ParsedAccess& access) { return !access.writes() && IsOneOf(arrays, access); };
  for (const isl::map& element : ElementsAccessed(band, scop, values, read)) {
    const std::string array = TupleName(element.range());
    const auto bytes = static_cast<int64_t>(ElementSize(scop.array(array).element_type()));
    const int depth = Dimensions(element, isl_dim_in) - static_cast<int>(words.size());
    for (size_t member = 0; member < words.size(); ++member) {
      const isl::map at_all = ProjectOut(element, isl_dim_in, depth + static_cast<int>(member), 1);
      if (!at_all.is_single_valued()) words[member] += std::max<int64_t>(1, bytes / kWord);
    }
  }
  return words;
}

std::vector<bool> AlongRows(const isl::schedule_node_band& band, const std::vector<std::string>& arrays,
                            const ParsedScop& scop, const isl::set& values) {
  return MembersAlongRows(band, scop, values, [&](const ParsedAccess& access) {
    return access.writes() || IsOneOf(arrays, access);
  });
}

std::vector<bool> ReadsAlongRows(const isl::schedule_node_band& band, const std::vector<std::string>& arrays,
                                 const ParsedScop& scop, const isl::set& values) {
  return MembersAlongRows(band, scop, values, [&](const ParsedAccess& access) {
    return !access.writes() && IsOneOf(arrays, access);
  });
}

}  // namespace tune
