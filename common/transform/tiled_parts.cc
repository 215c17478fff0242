#include "common/transform/tiled_parts.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "common/isl/bounds.h"
#include "common/isl/dimensions.h"
#include "common/isl/functions.h"
#include "common/isl/schedule.h"

namespace tune {

std::string CommaList(int count, const std::function<std::string(int)>& item) {
  std::vector<std::string> items;
  for (int i = 0; i < count; ++i) items.push_back(item(i));
  return absl::StrJoin(items, ", ");
}

std::string NumberedNames(const std::string& name, int count) {
  return CommaList(count, [&](int i) { return absl::StrCat(name, i); });
}

std::string UnusedPrefix(std::string name, const std::set<std::string>& names) {
  const auto taken = [&] {
    return std::any_of(names.begin(), names.end(),
                       [&](const std::string& other) { return other.compare(0, name.size(), name) == 0; });
  };
  while (taken()) name += "_";
  return name;
}

std::string AddLocalArray(std::string name, const v1::Array& like, const std::vector<int64_t>& extents,
                          std::set<std::string>* names, v1::Scop* scop) {
  while (!names->insert(name).second) name += "_";
  v1::Array* added = scop->add_arrays();
  added->set_name(name);
  added->set_element_type(like.element_type());
  added->set_declared_inside(true);
  for (const int64_t extent : extents) added->add_extents()->set_c_expression(absl::StrCat(extent));
  return name;
}

isl::set BoundingBox(const isl::set& set) {
  isl::set box = isl::set::universe(set.space());
  for (int i = 0; i < Dimensions(set, isl_dim_set); ++i) {
    box = LowerBound(box, isl_dim_set, i, static_cast<int>(set.dim_min_val(i).num_si()));
    box = UpperBound(box, isl_dim_set, i, static_cast<int>(set.dim_max_val(i).num_si()));
  }
  return box;
}

isl::multi_union_pw_aff LoopAlong(const isl::union_set& domain, int dimension) {
  isl::union_pw_aff loop = EmptyUnionPwAff(domain.space());
  domain.foreach_set([&](const isl::set& set) {
    const isl::pw_aff value(VariableOn(set.space(), dimension));
    loop = loop.union_add(isl::union_pw_aff(value));
  });
  return isl::multi_union_pw_aff(loop);
}

isl::schedule InSequence(const std::optional<isl::schedule>& first, const isl::schedule& second) {
  return first ? ScheduleSequence(*first, second) : second;
}

}  // namespace tune
