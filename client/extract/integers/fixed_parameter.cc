#include "client/extract/integers/fixed_parameter.h"

#include <algorithm>

#include "common/isl/dimensions.h"
#include "common/isl/functions.h"
#include "common/isl/isl.h"

namespace tune {

void FixParameters(const std::map<std::string, std::string>& known, const std::vector<std::string>& names,
                   v1::Scop* scop) {
  if (names.empty()) return;
  IslContext context;
  const absl::StatusOr<std::string> fixed =
      context.Run("fixing parameters", [&]() -> absl::StatusOr<std::string> {
        isl::set possible(context.ctx(), scop->context());  // [params] -> { : }
        for (const v1::Parameter& parameter : scop->parameters()) {
          const auto value = known.find(parameter.name());
          const bool is_named = std::find(names.begin(), names.end(), parameter.name()) != names.end();
          if (!is_named || value == known.end()) continue;
          const isl::id id(context.ctx(), parameter.name());
          const isl::space space = isl::space::unit(context.ctx()).add_param(id);
          const isl::pw_aff actual = isl::pw_aff(ParameterOn(space, id));  // [n] -> { [n] }
          const isl::pw_aff zero = actual.sub(actual);
          const isl::set here =
              actual.eq_set(zero.add_constant(isl::val(context.ctx(), value->second))).intersect(possible);
          if (!here.is_empty()) possible = here;
        }
        return IslText(
            AlignParameters(possible.coalesce(), isl::set(context.ctx(), scop->context()).space()));
      });
  if (fixed.ok()) scop->set_context(*fixed);  // else it is right, too
}

}  // namespace tune
