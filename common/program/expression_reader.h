// Reads the text of index expressions (expression_text.h).
#pragma once

#include <vector>

#include "common/program/program_node.h"
#include "common/program/text_cursor.h"

namespace tune {

// Deeper expressions are refused: what works on them calls itself for what they hold.
inline constexpr int kMostExpressionDepth = 200;

// INVALID_ARGUMENT with line and column, and what was expected there.
absl::StatusOr<IndexExpression> ReadIndexExpression(absl::string_view text);

// The same of a part of a line.
absl::StatusOr<IndexExpression> ReadIndexExpression(TextCursor* cursor);

// `[i][j + 1]`, as many as there are.
absl::StatusOr<std::vector<IndexExpression>> ReadSubscripts(TextCursor* cursor);

// `A[i][j + 1]`, `s`.
absl::StatusOr<ElementAccess> ReadElementAccess(TextCursor* cursor);

}  // namespace tune
