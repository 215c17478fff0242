// From an expression's text to its tree.
#pragma once

#include "absl/strings/string_view.h"
#include "common/expression/expression_node.h"

namespace tune {

// Names are not resolved. INVALID_ARGUMENT with the column, and what was expected there.
absl::StatusOr<ExpressionNode> ParseExpression(absl::string_view text);

}  // namespace tune
