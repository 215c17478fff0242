#include "worker/reference/executed_statements.h"

#include <algorithm>
#include <map>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "common/scop/parameter_values.h"
#include "common/scop/scop.h"
#include "common/scop/unmet_context.h"

namespace tune {

namespace {

absl::StatusOr<bool> ExecutesAny(const v1::Scop& scop, const std::map<std::string, int64_t>& parameters) {
  IslContext context;
  return context.Run("looking for statements", [&]() -> absl::StatusOr<bool> {
    TUNE_ASSIGN_OR_RETURN(const std::shared_ptr<const ParsedScop> parsed, ParseScop(context, scop));
    const isl::set values = ParameterValues(context, parameters);
    return std::any_of(parsed->statements.begin(), parsed->statements.end(),
                       [&](const ParsedStatement& statement) {
                         return statement.kind == v1::Statement::ASSIGN &&
                                !statement.domain.intersect_params(values).is_empty();
                       });
  });
}

}  // namespace

absl::StatusOr<std::string> WhyNothingIsExecuted(const v1::Scop& scop, const v1::Reference& reference) {
  const std::map<std::string, int64_t> parameters = ParameterValueMap(reference);
  TUNE_ASSIGN_OR_RETURN(const bool executes, ExecutesAny(scop, parameters));
  if (executes) return std::string();
  const absl::StatusOr<std::string> unmet = FindUnmetContext(scop, parameters);
  if (unmet.ok() && !unmet->empty()) return unmet;
  const std::string sizes = absl::StrJoin(parameters, ", ", absl::PairFormatter(" = "));
  return absl::StrCat(sizes.empty() ? "its sizes" : sizes, "; run the program with larger sizes");
}

}  // namespace tune
