#include "common/scop/parameter_product.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

namespace tune {

std::string ParameterText(const v1::Parameter& parameter) {
  if (parameter.factors().empty()) return parameter.name();
  return absl::StrCat("((long long)(", absl::StrJoin(parameter.factors(), ") * ("), "))");
}

absl::Status AddProducts(const v1::Scop& scop, std::map<std::string, int64_t>* values) {
  for (const v1::Parameter& parameter : scop.parameters()) {
    const auto& factors = parameter.factors();
    const auto has_value = [&](const std::string& factor) { return values->count(factor) > 0; };
    if (factors.empty() || !std::all_of(factors.begin(), factors.end(), has_value)) continue;
    int64_t product = 1;
    for (const std::string& factor : factors) {
      if (!__builtin_mul_overflow(product, values->at(factor), &product)) continue;
      return absl::InvalidArgumentError(absl::StrCat(
          "scop ", scop.name(), ": the product ", absl::StrJoin(factors, " * "), " needs more than 64 bits"));
    }
    (*values)[parameter.name()] = product;
  }
  return absl::OkStatus();
}

}  // namespace tune
