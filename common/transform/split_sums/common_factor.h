// What all terms of a sum are multiplied by.
#pragma once

#include <optional>
#include <vector>

#include "common/scop/scop.h"

namespace tune {

// The value of each term of a sum is `factor` times `rest`, but for rounding. Accesses are the statement's.
struct CommonFactor {
  v1::Expression factor, rest;
};

// Of a statement that adds its value: those of the value's factors that are literals or scalars that the
// region only reads. Nothing where there are none, or no others, or where the value's type is no floating
// point type, or another than that of its factors or of what it is added to.
std::optional<CommonFactor> FindCommonFactor(const v1::Scop& scop, const v1::Statement& sum);

}  // namespace tune
