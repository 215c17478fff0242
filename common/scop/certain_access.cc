#include "common/scop/certain_access.h"

#include <optional>

#include "common/isl/bounds.h"
#include "common/isl/tuple_name.h"
#include "common/program/guarded_update.h"
#include "common/scop/integer_expression.h"

namespace tune {
namespace {

// Marks the accesses that every instance makes.
void MarkCertain(const v1::Expression& expression, std::vector<bool>* certain) {
  if (expression.has_access()) (*certain)[expression.access()] = true;
  const std::string& op = expression.operation().op();
  const bool chooses = op == "?:" || op == "&&" || op == "||";
  for (const v1::Expression& operand : expression.operation().operands()) {
    MarkCertain(operand, certain);
    if (chooses) break;
  }
  for (const v1::Expression& argument : expression.call().arguments()) MarkCertain(argument, certain);
  if (expression.has_cast()) MarkCertain(expression.cast().operand(), certain);
}

// { A }: what the access accesses.
isl::set ElementsOf(const ParsedStatement& statement, const ParsedAccess& access, const isl::set& values) {
  return access.relation.intersect_domain(statement.domain).intersect_params(values).range();
}

// { A }: the elements of the array that exist where the region is executed, as far as its accesses tell.
isl::set ElementsThatExist(const ParsedScop& scop, const isl::set& values, const isl::space& array) {
  isl::set existing = isl::set::empty(array);
  for (const ParsedStatement& statement : scop.statements) {
    if (statement.kind == v1::Statement::KILL) continue;
    const std::vector<bool> certain = CertainAccesses(scop.proto, *statement.proto);
    for (size_t a = 0; a < statement.accesses.size(); ++a) {
      const ParsedAccess& access = statement.accesses[a];
      if (!certain[a] || access.of_data || access.array != TupleName(array, isl_dim_set)) continue;
      existing = existing.unite(ElementsOf(statement, access, values));
    }
  }
  return existing;
}

// { A }: the targets where the condition does not hold, as text without `if` has them: in place of an element
// that data decide the array's first one.
isl::set KeptTargets(const ParsedStatement& statement, int rank, const isl::set& values) {
  isl::set targets = ElementsOf(statement, statement.target(), values);
  for (int d = 0; d < rank && statement.target().of_data; ++d) targets = Fix(targets, isl_dim_set, d, 0);
  return targets;
}

// { A }: those that it has by its declaration; none where that says nothing.
isl::set DeclaredElements(const v1::Array& array, const isl::space& space,
                          const std::map<std::string, int64_t>& values) {
  if (array.is_pointer()) return isl::set::empty(space);
  isl::set elements = isl::set::universe(space);
  for (int d = 0; d < array.extents_size(); ++d) {
    const std::optional<int64_t> extent = EvaluateInteger(array.extents(d).c_expression(), values, nullptr);
    if (!extent) return isl::set::empty(space);
    elements = LowerBound(elements, isl_dim_set, d, 0);
    elements = UpperBound(elements, isl_dim_set, d, isl::val(space.ctx(), std::to_string(*extent - 1)));
  }
  return elements;
}

}  // namespace

std::vector<bool> CertainAccesses(const v1::Scop& scop, const v1::Statement& statement) {
  std::vector<bool> certain(statement.accesses_size(), false);
  MarkCertain(statement.value(), &certain);
  certain[statement.target()] = GuardOf(scop, statement) == nullptr;
  return certain;
}

std::set<std::string> MayLackTargets(IslContext& context, const ParsedScop& scop,
                                     const std::map<std::string, int64_t>& values) {
  const isl::set known = ParameterValues(context, values).intersect(scop.context);
  std::set<std::string> names;
  for (const ParsedStatement& statement : scop.statements) {
    if (GuardOf(scop.proto, *statement.proto) == nullptr) continue;
    const v1::Array& array = scop.array(statement.target().array);
    const isl::set written = KeptTargets(statement, array.extents_size(), known);
    const isl::set existing = ElementsThatExist(scop, known, written.space());
    if (!written.is_subset(existing.unite(DeclaredElements(array, written.space(), values))))
      names.insert(statement.name);
  }
  return names;
}

}  // namespace tune
