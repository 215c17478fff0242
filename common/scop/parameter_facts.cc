#include <algorithm>

#include "common/isl/bounds.h"
#include "common/isl/dimensions.h"
#include "common/isl/spaces.h"
#include "common/scop/isl_grammar.h"
#include "common/scop/scop.h"

namespace tune {
namespace {

// All values of parameters of these names. Made without text: names come from elsewhere.
isl::set AnyValues(IslContext& context, const std::map<std::string, int64_t>& values) {
  isl::space space = ParameterSpace(context.ctx(), values.size());
  unsigned at = 0;
  for (const auto& [name, value] : values) space = WithDimensionName(space, isl_dim_param, at++, name);
  return isl::set::universe(space);
}

isl::val Number(IslContext& context, int64_t value) { return isl::val(context.ctx(), value); }

}  // namespace

v1::Scop WithParameterFacts(const v1::Scop& scop, const std::map<std::string, int64_t>& values) {
  std::map<std::string, int64_t> known;
  for (const v1::Parameter& parameter : scop.parameters()) {
    if (const auto value = values.find(parameter.name()); value != values.end()) known.insert(*value);
  }
  if (known.empty() || !CheckIslText(IslKind::kContext, scop.context()).ok()) return scop;
  IslContext context;
  const absl::StatusOr<std::string> text =
      context.Run("adding parameter facts", [&]() -> absl::StatusOr<std::string> {
        isl::set facts = AnyValues(context, known);
        unsigned at = 0;
        for (const auto& [name, value] : known) {
          facts = value > 0 ? LowerBound(facts, isl_dim_param, at, std::min<int64_t>(value, 4))
                            : Fix(facts, isl_dim_param, at, Number(context, value));
          ++at;
        }
        return IslText(isl::set(context.ctx(), scop.context()).intersect(facts));
      });
  v1::Scop result = scop;
  if (text.ok()) result.set_context(*text);  // else ParseScop reports what is wrong with the context
  return result;
}

isl::set ParameterValues(IslContext& context, const std::map<std::string, int64_t>& values) {
  isl::set set = AnyValues(context, values);
  unsigned at = 0;
  for (const auto& [name, value] : values) set = Fix(set, isl_dim_param, at++, Number(context, value));
  return set;
}

absl::StatusOr<bool> ContextAllows(const v1::Scop& scop, const std::map<std::string, int64_t>& values) {
  TUNE_RETURN_IF_ERROR(CheckIslText(IslKind::kContext, scop.context()));
  IslContext context;
  return context.Run("parameter values", [&]() -> absl::StatusOr<bool> {
    const isl::set possible(context.ctx(), scop.context());
    return !possible.intersect(ParameterValues(context, values)).is_empty();
  });
}

}  // namespace tune
