#include "worker/parts/divided_region.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "common/isl/ast.h"
#include "common/isl/bounds.h"
#include "common/isl/schedule.h"
#include "common/scop/scop.h"
#include "worker/lower/expression_lowering.h"
#include "worker/parts/outermost_loop.h"

namespace tune {
namespace {

// Its name: `name`, or that with as many '_' behind it as make it a new one.
std::string AddParameter(std::string name, v1::Scop* scop) {
  const auto taken = [&](const auto& named) { return named.name() == name; };
  while (std::any_of(scop->arrays().begin(), scop->arrays().end(), taken) ||
         std::any_of(scop->parameters().begin(), scop->parameters().end(), taken)) {
    name += "_";
  }
  v1::Parameter& parameter = *scop->add_parameters();
  parameter.set_name(name);
  parameter.set_c_type("long long");
  return name;
}

// A variable of the program is one element, which one of the parts would have to bring back.
absl::Status CheckVariables(const v1::Scop& scop) {
  for (const v1::Array& array : scop.arrays()) {
    if (array.extents_size() > 0 || array.declared_inside() || array.read_only()) continue;
    return absl::InvalidArgumentError(
        absl::StrCat(scop.name(),
                     ": it has no outermost parallel loop, whose parts CPU and GPU could run at "
                     "the same time: its iterations share the variable ",
                     array.name(), ", which they write; declare it inside the loop"));
  }
  return absl::OkStatus();
}

// Instances { S } of a part; those outside of loops, of KILL statements, belong to each.
isl::set InstancesOf(const ParsedStatement& statement, const isl::union_map& loop, const isl::set& range) {
  const isl::union_set all(statement.domain);
  const isl::union_map values = loop.intersect_domain(all);  // { S -> [v] }
  if (values.is_empty()) return statement.domain;
  return values.intersect_range(isl::union_set(range)).domain().extract_set(statement.domain.space());
}

IndexExpression Lower(const isl::pw_aff& value, const ParsedScop& scop) {
  const isl::ast_build build = MakeBuild(isl::set::universe(scop.context.space()), {});
  return ExpressionLowering({}).Lower(build.expr_from(value));
}

absl::StatusOr<DividedRegion> Divide(IslContext& context, const ParsedScop& scop) {
  TUNE_ASSIGN_OR_RETURN(const OutermostLoop loop, FindOutermostLoop(scop));
  TUNE_RETURN_IF_ERROR(CheckIndependent(context, scop, loop));
  DividedRegion divided;
  divided.part = scop.proto;
  divided.first = AddParameter("part_first", &divided.part);
  divided.end = AddParameter("part_end", &divided.part);
  const std::string parameters = absl::StrCat("[", divided.first, ", ", divided.end, "] -> ");
  const isl::set some(context.ctx(),
                      absl::StrCat(parameters, "{ : ", divided.first, " < ", divided.end, " }"));
  const isl::set range(context.ctx(),
                       absl::StrCat(parameters, "{ [v] : ", divided.first, " <= v < ", divided.end, " }"));
  divided.part.set_context(IslText(scop.context.intersect(some)));
  isl::union_set domain = isl::union_set::empty(context.ctx());  // { S }
  for (int i = 0; i < divided.part.statements_size(); ++i) {
    const isl::set instances = InstancesOf(scop.statements[i], loop.value, range).intersect_params(some);
    divided.part.mutable_statements(i)->set_domain(IslText(instances));
    domain = domain.unite(instances);
  }
  divided.part.set_schedule(IslText(IntersectDomain(scop.schedule, domain)));
  const isl::set values = loop.value.range().as_set().coalesce();  // { [v] }
  divided.lowest = Lower(DimensionMin(values, 0), scop);
  divided.highest = Lower(DimensionMax(values, 0), scop);
  return divided;
}

}  // namespace

absl::StatusOr<DividedRegion> DivideRegion(const v1::Scop& scop) {
  TUNE_RETURN_IF_ERROR(CheckVariables(scop));
  IslContext context;
  TUNE_ASSIGN_OR_RETURN(const std::shared_ptr<const ParsedScop> parsed, ParseScop(context, scop));
  return context.Run("parts of the outermost loop", [&] { return Divide(context, *parsed); });
}

}  // namespace tune
