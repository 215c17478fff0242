#include "client/extract/integers/near_quotient.h"

#include "common/isl/functions.h"

namespace tune {
namespace {

constexpr long kLargestQuotient = 3;

}  // namespace

std::optional<isl::pw_aff> NearQuotient(const isl::set& domain, const isl::pw_aff& dividend,
                                        const isl::pw_aff& divisor, bool remainder) {
  const isl::pw_aff zero = divisor.sub(divisor);
  if (domain.is_empty() || !domain.intersect(divisor.le_set(zero)).is_empty()) return std::nullopt;
  // Where the quotient is no less than a positive number, or no greater than a negative one.
  const auto reaches = [&](long quotient) {
    const isl::pw_aff bound = divisor.scale(quotient);
    return quotient > 0 ? dividend.ge_set(bound) : dividend.le_set(bound);
  };
  const auto is_possible = [&](long quotient) { return !reaches(quotient).is_disjoint(domain); };
  if (is_possible(kLargestQuotient + 1) || is_possible(-kLargestQuotient - 1)) return std::nullopt;
  const auto value = [&](long quotient) {
    return remainder ? dividend.sub(divisor.scale(quotient)) : zero.add_constant(quotient);
  };
  isl::pw_aff result = value(0);
  for (long quotient = 1; quotient <= kLargestQuotient; ++quotient) {
    for (const long signed_quotient : {quotient, -quotient}) {
      if (is_possible(signed_quotient))
        result = Either(reaches(signed_quotient), value(signed_quotient), result);
    }
  }
  return result.coalesce();
}

}  // namespace tune
