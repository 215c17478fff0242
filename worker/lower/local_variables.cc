#include "worker/lower/local_variables.h"

#include "common/isl/tuple_name.h"

namespace tune {
namespace {

// Elements of `name` in `accesses` at the known parameter values: { A }.
isl::set Elements(const isl::union_map& accesses, const std::string& name, const isl::set& values) {
  isl::set elements;
  accesses.intersect_params(values).range().foreach_set([&](isl::set set) {
    if (TupleName(set) == name) elements = set;
  });
  return elements;
}

}  // namespace

std::vector<LocalVariable> FindLocalVariables(IslContext& context, const ParsedScop& scop,
                                              const std::map<std::string, int64_t>& parameter_values) {
  const isl::set values = ParameterValues(context, parameter_values);
  const isl::union_map accesses = scop.reads.unite(scop.writes);  // { S -> A }
  std::vector<LocalVariable> variables;
  for (const v1::Array& array : scop.proto.arrays()) {
    if (!array.declared_inside()) continue;
    const isl::set elements = Elements(accesses, array.name(), values);
    if (elements.is_null() || elements.is_empty()) continue;
    LocalVariable variable{array.name(), array.element_type(), {}, true};
    for (int i = 0; i < array.extents_size(); ++i) {
      const isl::val last = elements.dim_max_val(i);
      variable.extents.push_back(last.num_si() + 1);
    }
    const isl::set read = Elements(scop.reads, array.name(), values);
    variable.read = !read.is_null() && !read.is_empty();
    variables.push_back(std::move(variable));
  }
  return variables;
}

}  // namespace tune
