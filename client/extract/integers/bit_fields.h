// Some of the bits of an affine value.
#pragma once

#include <optional>

#include "common/isl/checked.h"

namespace tune {

constexpr int kMostBitFields = 4;  // of a mask: each of them is a division

// The bits of the value that a constant has as well, v & c in two's complement, group by group of bits that
// stand side by side; nothing where these are more than kMostBitFields.
std::optional<isl::pw_aff> Masked(const isl::pw_aff& value, isl::val mask);

}  // namespace tune
