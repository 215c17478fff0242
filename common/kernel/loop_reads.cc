#include "common/kernel/loop_reads.h"

#include <algorithm>

#include "common/array/element_type.h"
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

// { [t] -> A }: the different elements of `arrays` that the band's statements read at a time, one each.
std::vector<isl::map> ElementsRead(const isl::schedule_node_band& band,
                                   const std::vector<std::string>& arrays, const ParsedScop& scop,
                                   const isl::set& values) {
  const isl::schedule_node inside = band.child(0);
  const isl::union_set domain = NodeDomain(inside).intersect_params(values);             // { S }
  const isl::union_map times = PrefixScheduleRelation(inside).intersect_domain(domain);  // { S -> [t] }
  std::vector<isl::map> elements;
  times.foreach_map([&](const isl::map& time) {  // S -> [t]
    const isl::map instances = time.reverse();   // [t] -> S
    if (!instances.is_single_valued()) return;
    for (const ParsedAccess& access : scop.statement(TupleName(time.domain())).accesses) {
      if (access.writes() || access.of_data ||
          std::find(arrays.begin(), arrays.end(), access.array) == arrays.end())
        continue;
      const isl::map element = instances.apply_range(access.relation);  // [t] -> A
      const auto same = [&](const isl::map& other) {
        return TupleName(other.range()) == access.array && IsSameElement(other, element);
      };
      if (std::none_of(elements.begin(), elements.end(), same)) elements.push_back(element);
    }
  });
  return elements;
}

}  // namespace

std::vector<int64_t> WordsReadByIterations(const isl::schedule_node_band& band,
                                           const std::vector<std::string>& arrays, const ParsedScop& scop,
                                           const isl::set& values) {
  constexpr int64_t kWord = 4;
  std::vector<int64_t> words(band.n_member(), 0);
  for (const isl::map& element : ElementsRead(band, arrays, scop, values)) {
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

}  // namespace tune
