// The text of index expressions: C, with as few parentheses as it needs.
#pragma once

#include <string>

#include "common/program/program_node.h"

namespace tune {

// `2 * (tune_c0 + 1)`, `floor(n, 4)`, `min(a, b, c)`, `a < b ? 1 : 0`; `index(x)` is kToIndex. Read back by
// expression_reader.h; equal where operators that are no calls have the operands that C gives them.
std::string PrintIndexExpression(const IndexExpression& expression);

// `[i][j + 1]`.
std::string PrintSubscripts(const std::vector<IndexExpression>& subscripts);

// `A[i][j + 1]`, `s`.
std::string PrintElementAccess(const ElementAccess& access);

}  // namespace tune
