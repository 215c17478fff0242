// Other values in the place of recorded ones. Floating point values change; zeros, values that are not finite
// and integers stay, so that indices, sizes and sparsity do.
#pragma once

#include <cstdint>
#include <string>

#include "absl/strings/string_view.h"
#include "tune/v1/scop.pb.h"

namespace tune {

// Each value by itself, by one part in a hundred to one in two hundred, up or down, which is far above the
// tolerances of outputs.
std::string FreshValues(v1::ElementType type, absl::string_view bytes, uint64_t seed, uint64_t stream);

// All values by one factor, of the same range: what holds of an array in itself goes on holding, as that it
// is symmetric or definite, or that its diagonal dominates.
std::string ScaledValues(v1::ElementType type, absl::string_view bytes, uint64_t seed, uint64_t stream);

// Each value by itself, by four roundings of its type up or down, of _Float16 by one.
std::string NearValues(v1::ElementType type, absl::string_view bytes, uint64_t seed, uint64_t stream);

}  // namespace tune
