// Numbers of IEEE binary16, which C++ does not know.
#pragma once

#include <cstdint>

namespace tune {

// The bits of the nearest one, ties to even; infinite from 65520.
uint16_t HalfBits(double value);
double HalfValue(uint16_t bits);

}  // namespace tune
