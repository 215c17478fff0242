#include "common/scop/accessed_extent.h"

#include <algorithm>

#include "common/isl/dimensions.h"
#include "common/isl/points.h"
#include "common/isl/spaces.h"
#include "common/scop/isl_grammar.h"

namespace tune {

absl::StatusOr<int64_t> EvaluateAccessed(IslContext& context, const std::string& text,
                                         const std::map<std::string, int64_t>& values) {
  TUNE_RETURN_IF_ERROR(CheckIslText(IslKind::kAffine, text));
  return context.Run("extent of an array", [&]() -> absl::StatusOr<int64_t> {
    isl::pw_aff function(context.ctx(), text);
    isl::point point = ZeroPoint(DomainSpace(function));
    for (const auto& [name, number] : values) {
      const int position = FindDimension(function, isl_dim_param, name);
      if (position < 0) continue;
      const isl::val value(context.ctx(), static_cast<long>(number));
      point = WithCoordinate(point, isl_dim_param, position, value);
    }
    const isl::val value = function.eval(point);
    if (!value.is_int()) return 0;
    return std::max<int64_t>(0, value.num_si());
  });
}

}  // namespace tune
