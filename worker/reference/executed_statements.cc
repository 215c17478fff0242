#include "worker/reference/executed_statements.h"

#include <algorithm>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "common/scop/parameter_values.h"
#include "common/scop/scop.h"

namespace tune {

absl::StatusOr<std::string> SizesWithoutStatements(const v1::Scop& scop, const v1::Reference& reference) {
  IslContext context;
  return context.Run("looking for statements", [&]() -> absl::StatusOr<std::string> {
    TUNE_ASSIGN_OR_RETURN(const std::shared_ptr<const ParsedScop> parsed, ParseScop(context, scop));
    const isl::set values = ParameterValues(context, ParameterValueMap(reference));
    const bool executes = std::any_of(parsed->statements.begin(), parsed->statements.end(),
                                      [&](const ParsedStatement& statement) {
                                        return statement.kind == v1::Statement::ASSIGN &&
                                               !statement.domain.intersect_params(values).is_empty();
                                      });
    if (executes) return std::string();
    std::vector<std::string> sizes;
    for (const v1::ParameterValue& value : reference.parameters())
      sizes.push_back(absl::StrCat(value.name(), " = ", value.value()));
    return sizes.empty() ? "its sizes" : absl::StrJoin(sizes, ", ");
  });
}

}  // namespace tune
