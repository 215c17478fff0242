// Names of an expression become places of values.
#pragma once

#include <string>

#include "absl/types/span.h"
#include "common/expression/expression_node.h"

namespace tune {

// Sets `slot` of names to their indices in `names`, and gives each variable of a comprehension a slot of its
// own among those of the comprehensions around it. INVALID_ARGUMENT, with the column and the names that there
// are, for others, and for variables that are used before their `for`.
absl::StatusOr<ExpressionNode> ResolveNames(ExpressionNode root, absl::Span<const std::string> names);

}  // namespace tune
