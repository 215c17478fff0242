#include "client/extract/integers/near_quotient.h"

#include <gtest/gtest.h>

#include "absl/strings/str_cat.h"
#include "common/isl/functions.h"

namespace tune {
namespace {

class NearQuotientTest : public ::testing::Test {
 protected:
  isl::set Set(const std::string& conditions) const {
    return isl::set(context_.ctx(), "[n, d] -> { : " + conditions + " }");
  }
  isl::pw_aff Value(const std::string& value) const {
    return isl::pw_aff(context_.ctx(), "[n, d] -> { [(" + value + ")] }");
  }
  std::optional<isl::pw_aff> Near(const std::string& domain, bool remainder) const {
    return NearQuotient(Set(domain), Value("d"), Value("n"), remainder);
  }

  IslContext context_;
};

TEST_F(NearQuotientTest, IsThatOfC) {
  const std::string domain = "n >= 1 and -2n < d < 4n";
  const std::optional<isl::pw_aff> quotient = Near(domain, false), remainder = Near(domain, true);
  ASSERT_TRUE(quotient && remainder);
  for (int n = 1; n <= 5; ++n) {
    for (int d = -2 * n + 1; d < 4 * n; ++d) {
      const isl::set point = Set(absl::StrCat("n = ", n, " and d = ", d));
      EXPECT_TRUE(point.is_subset(quotient->eq_set(Value(absl::StrCat(d / n))))) << d << " / " << n;
      EXPECT_TRUE(point.is_subset(remainder->eq_set(Value(absl::StrCat(d % n))))) << d << " % " << n;
    }
  }
}

TEST_F(NearQuotientTest, HasTheCasesThatAreReached) {
  const std::optional<isl::pw_aff> next = Near("1 <= d <= n", true);
  ASSERT_TRUE(next);
  EXPECT_EQ(PieceCount(*next), 2);
  EXPECT_TRUE(Set("d < n").is_subset(next->eq_set(Value("d"))));
  EXPECT_TRUE(Set("n <= d").is_subset(next->eq_set(Value("d - n"))));
}

TEST_F(NearQuotientTest, OthersAreNone) {
  EXPECT_FALSE(Near("0 <= d and n >= 1", true)) << "any quotient";
  EXPECT_FALSE(Near("0 <= d < 5n", true)) << "too many";
  EXPECT_FALSE(Near("0 <= d <= n", true)) << "no divisor where both are 0";
  EXPECT_FALSE(Near("n < d < 0", true)) << "a negative divisor";
  EXPECT_FALSE(Near("1 = 0", true)) << "nothing is reached";
}

}  // namespace
}  // namespace tune
