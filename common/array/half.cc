#include "common/array/half.h"

#include <cmath>
#include <limits>

namespace tune {
namespace {

constexpr int kMantissaBits = 10, kBias = 15, kLeastExponent = -14;
constexpr uint16_t kSign = 0x8000, kInfinity = 0x7c00, kNan = 0x7e00, kMantissa = 0x3ff;
constexpr double kOverflow = 65520;  // half way from the largest number to the one that there is not

}  // namespace

uint16_t HalfBits(double value) {
  if (std::isnan(value)) return kNan;
  const uint16_t sign = std::signbit(value) ? kSign : 0;
  const double size = std::fabs(value);
  if (size >= kOverflow) return sign | kInfinity;
  if (size < std::ldexp(1.0, kLeastExponent)) {
    return static_cast<uint16_t>(
        sign | static_cast<int>(std::nearbyint(std::ldexp(size, kMantissaBits - kLeastExponent))));
  }
  const int exponent = std::ilogb(size);
  // A mantissa that is rounded up to the next power carries into the exponent.
  const int mantissa = static_cast<int>(std::nearbyint(std::ldexp(size, kMantissaBits - exponent)));
  return static_cast<uint16_t>(sign | (((exponent + kBias - 1) << kMantissaBits) + mantissa));
}

double HalfValue(uint16_t bits) {
  const double sign = (bits & kSign) != 0 ? -1 : 1;
  const int exponent = (bits & kInfinity) >> kMantissaBits, mantissa = bits & kMantissa;
  if (exponent == 31)
    return mantissa != 0 ? std::numeric_limits<double>::quiet_NaN()
                         : sign * std::numeric_limits<double>::infinity();
  if (exponent == 0) return sign * std::ldexp(mantissa, kLeastExponent - kMantissaBits);
  return sign * std::ldexp(mantissa + (1 << kMantissaBits), exponent - kBias - kMantissaBits);
}

}  // namespace tune
