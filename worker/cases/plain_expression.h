// Index expressions for C text that defines no macros.
#pragma once

#include <string>

#include "common/program/index_expression.h"

namespace tune {

// C, in the expression's own names, of type long long where these are no wider: minimum, maximum and rounded
// quotients are written out.
std::string PlainText(const IndexExpression& expression);

}  // namespace tune
