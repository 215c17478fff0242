#include "worker/codegen/whole_rows.h"

#include <algorithm>
#include <numeric>

#include "absl/strings/numbers.h"
#include "common/array/element_type.h"
#include "common/program/device_program.h"
#include "common/scop/parameter_bounds.h"

namespace tune {
namespace {

constexpr int64_t kMostAtOnce = 4;

// Of an array with extents. A number tells itself what it is a multiple of.
int64_t DivisorOf(const v1::Array& array) {
  const int64_t piece =
      std::min(kMostAtOnce, kTileAlignment / static_cast<int64_t>(ElementSize(array.element_type())));
  int64_t row = 0;
  return absl::SimpleAtoi(array.extents().rbegin()->c_expression(), &row) ? std::gcd(piece, row) : piece;
}

}  // namespace

std::map<std::string, int64_t> RowDivisors(const v1::Scop& scop) {
  std::map<std::string, int64_t> divisors;
  for (const v1::Array& array : scop.arrays())
    if (array.extents_size() > 0) divisors[array.name()] = DivisorOf(array);
  return divisors;
}

v1::Scop WithWholeRows(const v1::Scop& scop) {
  std::map<std::string, int64_t> numbers;
  for (const v1::Parameter& parameter : scop.parameters()) {
    for (const v1::Array& array : scop.arrays()) {
      if (array.extents_size() == 0 ||
          array.extents(array.extents_size() - 1).c_expression() != parameter.name())
        continue;
      int64_t& number = numbers[parameter.name()];
      number = std::max(number, DivisorOf(array));
    }
  }
  return WithMultiples(scop, numbers);
}

}  // namespace tune
