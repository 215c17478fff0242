// Parameters that are products of others: `n * m` as a bound.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "common/base/status.h"
#include "tune/v1/scop.pb.h"

namespace tune {

// C expression of the parameter's value where the region is: its name, or "((long long)(n) * (m))".
std::string ParameterText(const v1::Parameter& parameter);

// Adds the values of the products whose factors have one. INVALID_ARGUMENT where one needs more than 64 bits.
absl::Status AddProducts(const v1::Scop& scop, std::map<std::string, int64_t>* values);

}  // namespace tune
