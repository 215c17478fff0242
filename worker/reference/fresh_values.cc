#include "worker/reference/fresh_values.h"

#include <cmath>
#include <cstring>
#include <limits>

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

// The values, each times what `factor` gives.
template <typename T, typename Factor>
std::string Multiply(absl::string_view bytes, const Factor& factor) {
  std::string changed(bytes);
  for (size_t at = 0; at + sizeof(T) <= changed.size(); at += sizeof(T)) {
    T value;
    std::memcpy(&value, changed.data() + at, sizeof value);
    if (value == 0 || !std::isfinite(value)) continue;
    value = static_cast<T>(value * factor());
    std::memcpy(changed.data() + at, &value, sizeof value);
  }
  return changed;
}

template <typename Factor>
std::string Multiply(v1::ElementType type, absl::string_view bytes, const Factor& factor) {
  if (type == v1::ELEMENT_TYPE_FLOAT) return Multiply<float>(bytes, factor);
  if (type == v1::ELEMENT_TYPE_DOUBLE) return Multiply<double>(bytes, factor);
  return std::string(bytes);
}

double Rounding(v1::ElementType type) {
  return type == v1::ELEMENT_TYPE_FLOAT ? std::numeric_limits<float>::epsilon()
                                        : std::numeric_limits<double>::epsilon();
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
  const double change = kNearRoundings * Rounding(type);
  return Multiply(type, bytes, [&] { return random.Uniform() < 0.5 ? 1 - change : 1 + change; });
}

}  // namespace tune
