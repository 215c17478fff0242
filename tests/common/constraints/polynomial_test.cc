#include "common/constraints/polynomial.h"

#include <gtest/gtest.h>

#include "common/base/random.h"

namespace tune {
namespace {

Polynomial Named(const std::string& name) { return Polynomial::Name(name); }

// Up to five terms of degree three at most.
Polynomial RandomPolynomial(Random& random) {
  Polynomial sum;
  for (uint64_t term = random.Below(6); term > 0; --term) {
    Polynomial product = static_cast<int64_t>(random.Below(19)) - 9;
    for (uint64_t factor = random.Below(4); factor > 0; --factor)
      product = product * Named(std::string(1, static_cast<char>('a' + random.Below(3))));
    sum = sum + product;
  }
  return sum;
}

int64_t ValueOf(const Polynomial& polynomial, const Point& point) {
  const absl::StatusOr<__int128> value = polynomial.Evaluate(point);
  EXPECT_TRUE(value.ok()) << value.status();
  return static_cast<int64_t>(*value);
}

TEST(Polynomial, ReadsAsPeopleWriteIt) {
  EXPECT_EQ((Polynomial(32) * Named("B0") * Named("B1")).Text(), "32*B0*B1");
  EXPECT_EQ((Named("B") * Named("s") + 2).Text(), "B*s + 2");
  EXPECT_EQ((Polynomial(2) - Named("x") * Named("x")).Text(), "-x*x + 2");
  EXPECT_EQ(Polynomial().Text(), "0");
  EXPECT_EQ((Named("x") - Named("x")).Text(), "0");
}

TEST(Polynomial, OperationsAreThoseOfValues) {
  Random random(1);
  for (int round = 0; round < 500; ++round) {
    const Polynomial left = RandomPolynomial(random), right = RandomPolynomial(random);
    Point point;
    for (const char* name : {"a", "b", "c"}) point[name] = static_cast<int64_t>(random.Below(41)) - 20;
    const int64_t l = ValueOf(left, point), r = ValueOf(right, point);
    EXPECT_EQ(ValueOf(left + right, point), l + r);
    EXPECT_EQ(ValueOf(left - right, point), l - r);
    EXPECT_EQ(ValueOf(left * right, point), l * r);
    Point replaced = point;
    replaced["a"] = r;
    EXPECT_EQ(ValueOf(left.Replace("a", right), point), ValueOf(left, replaced)) << left.Text();
  }
}

TEST(Polynomial, SaysWhyThereIsNoValue) {
  EXPECT_EQ(Named("x").Evaluate({}).status(), absl::InvalidArgumentError("x has no value"));
  const Polynomial x = Named("x"), large = x * x * x;
  EXPECT_TRUE(absl::IsOutOfRange(large.Evaluate({{"x", int64_t{1} << 62}}).status()));
}

}  // namespace
}  // namespace tune
