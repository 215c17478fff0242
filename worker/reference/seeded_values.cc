#include <algorithm>
#include <cstring>

#include "common/array/element_type.h"
#include "common/array/half.h"
#include "common/base/random.h"
#include "worker/reference/seeded_inputs.h"

namespace tune {
namespace {

template <typename T>
void Append(T value, std::string* bytes) {
  bytes->append(reinterpret_cast<const char*>(&value), sizeof(value));
}

void AppendAs(v1::ElementType type, double real, int64_t integer, std::string* bytes) {
  switch (type) {
    case v1::ELEMENT_TYPE_FLOAT:
      return Append(static_cast<float>(real), bytes);
    case v1::ELEMENT_TYPE_DOUBLE:
      return Append(real, bytes);
    case v1::ELEMENT_TYPE_FLOAT16:
      return Append(HalfBits(real), bytes);
    case v1::ELEMENT_TYPE_SHORT:
    case v1::ELEMENT_TYPE_UNSIGNED_SHORT:
      return Append(static_cast<short>(integer), bytes);
    case v1::ELEMENT_TYPE_INT:
    case v1::ELEMENT_TYPE_UNSIGNED_INT:
      return Append(static_cast<int>(integer), bytes);
    case v1::ELEMENT_TYPE_LONG:
    case v1::ELEMENT_TYPE_UNSIGNED_LONG:
      return Append(static_cast<long>(integer), bytes);
    default:
      return Append(static_cast<char>(integer), bytes);
  }
}

}  // namespace

std::string SeededValues(v1::ElementType type, const std::vector<int64_t>& extents, uint64_t seed,
                         uint64_t stream) {
  Random random(seed, stream);
  std::string bytes;
  if (extents.empty()) {
    for (int i = 0; i < (IsComplex(type) ? 2 : 1); ++i)
      AppendAs(ComponentType(type), 0.5 + random.Uniform(), 1 + static_cast<int64_t>(random.Below(4)),
               &bytes);
    return bytes;
  }
  int64_t count = 1;
  for (int64_t extent : extents) count *= extent;
  bytes.reserve(count * ElementSize(type));
  const bool square = extents.size() == 2 && extents[0] == extents[1];
  for (int64_t i = 0; i < count; ++i) {
    const bool diagonal = square && i / extents[1] == i % extents[1];
    const double real = 0.1 + 0.9 * random.Uniform() + (diagonal ? static_cast<double>(extents[0]) : 0.0);
    AppendAs(ComponentType(type), real, static_cast<int64_t>(random.Below(8)), &bytes);
    if (IsComplex(type)) AppendAs(ComponentType(type), 0.1 + 0.9 * random.Uniform(), 0, &bytes);
  }
  return bytes;
}

}  // namespace tune
