#include <algorithm>

#include "common/isl/bounds.h"
#include "common/isl/dimensions.h"
#include "common/isl/functions.h"
#include "common/isl/spaces.h"
#include "common/scop/isl_grammar.h"
#include "common/scop/parameter_bounds.h"
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

// From here on a parameter is large: schedules and tests need not treat degenerate sizes.
constexpr int64_t kLarge = 4;

isl::val Number(IslContext& context, int64_t value) { return isl::val(context.ctx(), value); }

// With add(facts, place of the parameter, its number) of each in the context; a context that isl cannot read
// stays.
template <typename Add>
v1::Scop WithFacts(const v1::Scop& scop, const std::map<std::string, int64_t>& numbers, const Add& add) {
  if (numbers.empty() || !CheckIslText(IslKind::kContext, scop.context()).ok()) return scop;
  IslContext context;
  const absl::StatusOr<std::string> text =
      context.Run("adding parameter facts", [&]() -> absl::StatusOr<std::string> {
        isl::set facts = AnyValues(context, numbers);
        unsigned at = 0;
        for (const auto& [name, number] : numbers) facts = add(facts, at++, number);
        return IslText(isl::set(context.ctx(), scop.context()).intersect(facts));
      });
  v1::Scop result = scop;
  if (text.ok()) result.set_context(*text);  // else ParseScop reports what is wrong with the context
  return result;
}

}  // namespace

v1::Scop WithParameterFacts(const v1::Scop& scop, const std::map<std::string, int64_t>& values) {
  std::map<std::string, int64_t> known;
  for (const v1::Parameter& parameter : scop.parameters()) {
    if (const auto value = values.find(parameter.name()); value != values.end()) known.insert(*value);
  }
  return WithFacts(scop, known, [](isl::set facts, unsigned at, int64_t value) {
    return value > 0 ? LowerBound(facts, isl_dim_param, at, std::min<int64_t>(value, kLarge))
                     : Fix(facts, isl_dim_param, at, isl::val(facts.ctx(), value));
  });
}

v1::Scop WithLargeParameters(const v1::Scop& scop, int count) {
  std::map<std::string, int64_t> values;
  for (int i = 0; i < count; ++i) {
    const std::string& name = scop.parameters(i).name();
    const absl::StatusOr<bool> may_be = ContextAllows(scop, {{name, kLarge}});
    if (!may_be.ok() || *may_be) values[name] = kLarge;
  }
  return WithParameterFacts(scop, values);
}

v1::Scop WithParametersUpTo(const v1::Scop& scop, int64_t most) {
  std::map<std::string, int64_t> bounds;
  for (const v1::Parameter& parameter : scop.parameters()) bounds[parameter.name()] = most;
  return WithFacts(scop, bounds, [](isl::set facts, unsigned at, int64_t bound) {
    return UpperBound(facts, isl_dim_param, at, isl::val(facts.ctx(), bound));
  });
}

v1::Scop WithMultiples(const v1::Scop& scop, const std::map<std::string, int64_t>& numbers) {
  return WithFacts(scop, numbers, [](isl::set facts, unsigned at, int64_t number) {
    const isl::set nowhere = isl::set::universe(SetSpaceFromParameters(facts.space()));  // { [] }
    const isl::pw_aff value =
        isl::pw_aff::param_on_domain(nowhere, DimensionId(facts, isl_dim_param, static_cast<int>(at)));
    return facts.intersect(ZeroSet(value.mod(isl::val(facts.ctx(), number))).params());
  });
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
