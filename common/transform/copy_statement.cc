#include "common/transform/copy_statement.h"

#include "common/array/element_type.h"
#include "common/isl/dimensions.h"
#include "common/isl/functions.h"
#include "common/isl/tuple_name.h"
#include "common/transform/added_statement.h"

namespace tune {

void AddCopy(const isl::set& instances, const std::vector<std::string>& iterators, const isl::map& from,
             const isl::map& to, int line, v1::Scop* scop) {
  v1::Statement* statement = scop->add_statements();
  statement->set_name(TupleName(instances));
  statement->set_kind(v1::Statement::ASSIGN);
  for (const std::string& iterator : iterators) statement->add_iterators(iterator);
  statement->set_domain(IslText(instances));
  statement->mutable_value()->set_access(AddAccess(from, v1::Access::READ, statement));
  statement->set_target(AddAccess(to, v1::Access::WRITE, statement));
  for (const v1::Array& array : scop->arrays()) {
    if (array.name() != from.range_tuple_id().name()) continue;
    statement->mutable_value()->set_c_type(std::string(ElementCType(array.element_type())));
  }
  statement->set_line(line);
}

isl::schedule LoopsOver(const isl::set& instances, int first) {
  isl::schedule_node node = isl::schedule::from_domain(isl::union_set(instances)).root().child(0);
  for (int i = Dimensions(instances, isl_dim_set) - 1; i >= first; --i) {
    const isl::pw_aff value(VariableOn(instances.space(), i));  // S -> [i]
    node = node.insert_partial_schedule(isl::multi_union_pw_aff(isl::union_pw_aff(value)));
  }
  return node.schedule();
}

}  // namespace tune
