// Is a statement's right-hand side well formed?
#pragma once

#include <functional>
#include <string>

#include "common/scop/scop.h"

namespace tune {

using AffineParser = std::function<absl::StatusOr<isl::pw_aff>(const std::string& text)>;

// INVALID_ARGUMENT, naming the statement, when a part of `value` is missing, unknown, nested too deeply,
// refers to an access that is no read, or an affine value is not defined for every instance. `parse` reads
// affine texts.
absl::Status CheckExpression(const ParsedStatement& statement, const v1::Expression& value,
                             const AffineParser& parse);

}  // namespace tune
