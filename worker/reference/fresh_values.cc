#include "worker/reference/fresh_values.h"

#include <cmath>
#include <cstring>
#include <limits>

#include "common/array/element_type.h"
#include "common/array/half.h"
#include "common/base/random.h"

namespace tune {
namespace {

constexpr double kLeastChange = 5e-3, kMostChange = 1e-2;
constexpr double kNearRoundings = 4;

double DrawFactor(Random& random) {
  const double drawn = 2 * random.Uniform() - 1;
  const double change = kLeastChange + (kMostChange - kLeastChange) * std::fabs(drawn);
  return 1 + std::copysign(change, drawn);
}

// The value that the bits of a T stand for, and the bits of the nearest one.
template <typename T>
double ValueOf(T number) {
  return number;
}
double ValueOf(uint16_t half) { return HalfValue(half); }
template <typename T>
T Nearest(double value) {
  return static_cast<T>(value);
}
template <>
uint16_t Nearest(double value) {
  return HalfBits(value);
}

// The values, each times what `factor` gives.
template <typename T, typename Factor>
std::string Multiply(absl::string_view bytes, const Factor& factor) {
  std::string changed(bytes);
  for (size_t at = 0; at + sizeof(T) <= changed.size(); at += sizeof(T)) {
    T number;
    std::memcpy(&number, changed.data() + at, sizeof number);
    const double value = ValueOf(number);
    if (value == 0 || !std::isfinite(value)) continue;
    number = Nearest<T>(value * factor());
    std::memcpy(changed.data() + at, &number, sizeof number);
  }
  return changed;
}

template <typename Factor>
std::string Multiply(v1::ElementType type, absl::string_view bytes, const Factor& factor) {
  type = ComponentType(type);
  if (type == v1::ELEMENT_TYPE_FLOAT) return Multiply<float>(bytes, factor);
  if (type == v1::ELEMENT_TYPE_DOUBLE) return Multiply<double>(bytes, factor);
  if (type == v1::ELEMENT_TYPE_FLOAT16) return Multiply<uint16_t>(bytes, factor);
  return std::string(bytes);
}

// Of _Float16 to the next number: the tolerance of such outputs is hardly more.
double NearChange(v1::ElementType type) {
  if (type == v1::ELEMENT_TYPE_FLOAT16) return kHalfEpsilon / 2;
  return kNearRoundings * (ComponentType(type) == v1::ELEMENT_TYPE_FLOAT
                               ? std::numeric_limits<float>::epsilon()
                               : std::numeric_limits<double>::epsilon());
}

}  // namespace

std::string FreshValues(v1::ElementType type, absl::string_view bytes, uint64_t seed, uint64_t stream) {
  Random random(seed, stream);
  return Multiply(type, bytes, [&] { return DrawFactor(random); });
}

std::string ScaledValues(v1::ElementType type, absl::string_view bytes, uint64_t seed, uint64_t stream) {
  Random random(seed, stream);
  const double factor = DrawFactor(random);
  return Multiply(type, bytes, [&] { return factor; });
}

std::string NearValues(v1::ElementType type, absl::string_view bytes, uint64_t seed, uint64_t stream) {
  Random random(seed, stream);
  const double change = NearChange(type);
  return Multiply(type, bytes, [&] { return random.Uniform() < 0.5 ? 1 - change : 1 + change; });
}

}  // namespace tune
