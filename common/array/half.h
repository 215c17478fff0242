// Numbers of IEEE binary16, which C++ does not know.
#pragma once

#include <cstdint>

namespace tune {

// The bits of the nearest one, ties to even; infinite from 65520.
uint16_t HalfBits(double value);
double HalfValue(uint16_t bits);

// From 1 to the next one.
inline constexpr double kHalfEpsilon = 0x1p-10;

}  // namespace tune
