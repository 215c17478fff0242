#include <algorithm>

#include "absl/strings/str_join.h"
#include "common/scop/scop.h"

namespace tune {
namespace {

// `[a, b] -> { : conditions }`.
std::string ParameterSet(const std::vector<std::string>& names, const std::vector<std::string>& conditions) {
  return absl::StrCat("[", absl::StrJoin(names, ", "), "] -> { : ", absl::StrJoin(conditions, " and "), " }");
}

}  // namespace

v1::Scop WithParameterFacts(const v1::Scop& scop, const std::map<std::string, int64_t>& values) {
  std::vector<std::string> names, conditions;
  for (const v1::Parameter& parameter : scop.parameters()) {
    const auto value = values.find(parameter.name());
    if (value == values.end()) continue;
    names.push_back(parameter.name());
    conditions.push_back(value->second > 0
                             ? absl::StrCat(parameter.name(), " >= ", std::min<int64_t>(value->second, 4))
                             : absl::StrCat(parameter.name(), " = ", value->second));
  }
  if (names.empty()) return scop;
  IslContext context;
  const absl::StatusOr<std::string> text =
      context.Run("adding parameter facts", [&]() -> absl::StatusOr<std::string> {
        const isl::set facts(context.ctx(), ParameterSet(names, conditions));
        return IslText(isl::set(context.ctx(), scop.context()).intersect(facts));
      });
  v1::Scop result = scop;
  if (text.ok()) result.set_context(*text);  // else ParseScop reports what is wrong with the context
  return result;
}

isl::set ParameterValues(IslContext& context, const std::map<std::string, int64_t>& values) {
  std::vector<std::string> names, conditions = {"1 = 1"};
  for (const auto& [name, value] : values) {
    names.push_back(name);
    conditions.push_back(absl::StrCat(name, " = ", value));
  }
  return isl::set(context.ctx(), ParameterSet(names, conditions));
}

}  // namespace tune
