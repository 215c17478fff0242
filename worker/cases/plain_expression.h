// Index expressions for C text that defines no macros.
#pragma once

#include <string>

#include "common/program/index_expression.h"
#include "tune/v1/scop.pb.h"

namespace tune {

// C, in the expression's own names, of type long long where these are no wider: minimum, maximum and rounded
// quotients are written out.
std::string PlainText(const IndexExpression& expression);

// The same in the names of the user's program: parameters that are products of others are written out, since
// they have no name there.
std::string UserText(const IndexExpression& expression, const v1::Scop& scop);

}  // namespace tune
