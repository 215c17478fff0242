// Quotients and remainders by parameters, as of periodic boundaries: (i + 1) % n.
#pragma once

#include <optional>

#include "common/isl/checked.h"

namespace tune {

// The quotient, or with `remainder` the remainder, of C's division, which rounds towards zero: equal to it on
// the domain, [params, iterators] -> { : }. The divisor is positive there, and the dividend's absolute value
// less than a few times as large, so that each quotient is a case of its own; nothing where that is not seen.
std::optional<isl::pw_aff> NearQuotient(const isl::set& domain, const isl::pw_aff& dividend,
                                        const isl::pw_aff& divisor, bool remainder);

}  // namespace tune
