// Runs a scop without generating code: every instance in the original order, every expression evaluated here.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "common/scop/scop.h"
#include "tune/v1/evaluation.pb.h"

namespace tune::testing {

// Values of one array, row-major.
struct ArrayMemory {
  v1::ElementType type = v1::ELEMENT_TYPE_DOUBLE;
  std::vector<int64_t> extents;
  std::vector<std::byte> bytes;
  bool operator==(const ArrayMemory&) const = default;
};
using Memory = std::map<std::string, ArrayMemory>;

int64_t ElementSize(v1::ElementType type);

// One more than the largest index used in each dimension, for every array.
v1::Reference MakeReference(const v1::Scop& scop, const std::map<std::string, int64_t>& parameter_values);

// Seeded values in [0.5, 1.5) (integers: 1..5), for every array that is not declared inside.
Memory MakeInputs(const v1::Scop& scop, const v1::Reference& reference, uint64_t seed);

// Brute force: sorts all instances by the original schedule and runs them.
absl::Status Interpret(const v1::Scop& scop, const v1::Reference& reference, Memory& memory);

// Equal bits, or, of doubles, both not a number.
bool SameNumbers(const ArrayMemory& a, const ArrayMemory& b);

// The same up to rounding: floating-point numbers whose distance, as vectors, is at most `tolerance` of b's
// length; that of their type where none is given.
bool CloseNumbers(const ArrayMemory& a, const ArrayMemory& b, std::optional<double> tolerance = {});

}  // namespace tune::testing
