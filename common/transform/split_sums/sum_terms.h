// What the value of a sum's statement adds up.
#pragma once

#include <vector>

#include "tune/v1/scop.pb.h"

namespace tune {

// The terms of a value that + joins, in order: all of the value's type. The value itself where it is no such
// sum, some term has another type, or a target of type `target` adds up something else for each term than for
// their sum. Differences are single terms: what they leave may be far smaller than what sums of each side
// would be.
std::vector<v1::Expression> TermsOf(const v1::Expression& value, v1::ElementType target);

}  // namespace tune
