#include "common/scop/unmet_context.h"

#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "common/isl/constraint.h"
#include "common/scop/scop.h"

namespace tune {
namespace {

// Those constraints of the set that no member of `values` fulfils, as C.
std::string UnmetText(const isl::basic_set& allowed, const isl::set& values) {
  const isl::ast_build build = isl::ast_build::from_context(isl::set::universe(values.space()));
  std::vector<std::string> unmet;
  for (const Constraint& constraint : ConstraintsOf(allowed)) {
    const isl::pw_aff form = isl::pw_aff(constraint.Form());
    const isl::pw_aff zero = isl::pw_aff(isl::aff::zero_on_domain(form.domain().space()));
    const isl::set met = constraint.IsEquality() ? form.eq_set(zero) : form.ge_set(zero);
    if (met.is_disjoint(values)) unmet.push_back(build.expr_from(met).to_C_str());
  }
  return absl::StrJoin(unmet, " && ");
}

}  // namespace

absl::StatusOr<std::string> FindUnmetContext(const v1::Scop& scop,
                                             const std::map<std::string, int64_t>& values) {
  TUNE_ASSIGN_OR_RETURN(const bool possible, ContextAllows(scop, values));
  if (possible) return std::string();
  IslContext context;
  return context.Run("conditions on parameters", [&]() -> absl::StatusOr<std::string> {
    const isl::set allowed(context.ctx(), scop.context());  // [params] -> { : }
    const isl::set given = ParameterValues(context, values);
    std::vector<std::string> parts;
    allowed.coalesce().foreach_basic_set([&](const isl::basic_set& part) {
      if (const std::string text = UnmetText(part, given); !text.empty()) parts.push_back(text);
    });
    return absl::StrCat(
        absl::StrJoin(values, ", ", absl::PairFormatter(" = ")), ": the region of ", scop.name(), " (line ",
        scop.region().begin_line(), ") can only be tuned where ",
        parts.empty() ? scop.context() : absl::StrJoin(parts, " || "),
        ", as otherwise an `assert` or `exit` ends the program, a subscript leaves its row or its "
        "array, an integer loses its value, or one has another value than the constant that it was taken "
        "for; give other values, or change the region");
  });
}

}  // namespace tune
