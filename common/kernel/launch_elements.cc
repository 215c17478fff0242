#include "common/kernel/launch_elements.h"

#include "common/isl/schedule_node.h"

namespace tune {

LaunchElements ElementsOfLaunches(const isl::schedule_node& node, const std::vector<std::string>& statements,
                                  const std::set<std::string>& arrays, const ParsedScop& scop,
                                  const isl::set& values) {
  const isl::union_set domain = NodeDomain(node).intersect_params(values);
  const isl::union_map launches =  // [h] -> S
      node.prefix_schedule_union_map().intersect_domain(domain).reverse();
  LaunchElements elements{isl::union_map::empty(values.ctx()), isl::union_map::empty(values.ctx())};
  for (const std::string& name : statements) {
    for (const ParsedAccess& access : scop.statement(name).accesses) {
      if (arrays.count(access.array) == 0) continue;
      const isl::union_map of_access = launches.apply_range(isl::union_map(access.relation));
      elements.touched = elements.touched.unite(of_access);
      if (access.writes()) elements.written = elements.written.unite(of_access);
    }
  }
  return elements;
}

bool AreApart(const LaunchElements& one, const LaunchElements& other) {
  return one.written.is_disjoint(other.touched) && other.written.is_disjoint(one.touched);
}

}  // namespace tune
