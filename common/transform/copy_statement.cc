#include "common/transform/copy_statement.h"

#include "common/array/element_type.h"
#include "common/isl/dimensions.h"
#include "common/isl/functions.h"
#include "common/isl/tuple_name.h"

namespace tune {

void AddCopy(const isl::set& instances, const std::vector<std::string>& iterators, const isl::map& from,
             const isl::map& to, int line, v1::Scop* scop) {
  v1::Statement* statement = scop->add_statements();
  statement->set_name(TupleName(instances));
  statement->set_kind(v1::Statement::ASSIGN);
  for (const std::string& iterator : iterators) statement->add_iterators(iterator);
  statement->set_domain(IslText(instances));
  for (const isl::map& relation : {from, to}) {
    v1::Access* access = statement->add_accesses();
    access->set_array(relation.range_tuple_id().name());
    access->set_kind(v1::Access::READ);
    access->set_relation(IslText(relation));
  }
  statement->mutable_accesses(1)->set_kind(v1::Access::WRITE);
  statement->set_target(1);
  statement->mutable_value()->set_access(0);
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
