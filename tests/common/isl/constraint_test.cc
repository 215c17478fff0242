#include "common/isl/constraint.h"

#include <gtest/gtest.h>

#include "common/isl/functions.h"

namespace tune {
namespace {

TEST(Constraint, TellsItsFormAndWhatItIs) {
  IslContext context;
  const isl::basic_set set(context.ctx(), "[n] -> { A[i, j] : 2i + 3j = 5n + 7 }");
  const std::vector<Constraint> constraints = ConstraintsOf(set);
  ASSERT_EQ(constraints.size(), 1u);
  const Constraint& equality = constraints[0];
  EXPECT_TRUE(equality.IsEquality());
  EXPECT_FALSE(equality.HasDivs());
  const isl::val scale = equality.Coefficient(isl_dim_set, 0).div(isl::val(context.ctx(), 2));
  EXPECT_TRUE(equality.Coefficient(isl_dim_set, 1).eq(scale.mul(isl::val(context.ctx(), 3))));
  EXPECT_TRUE(equality.Coefficient(isl_dim_param, 0).eq(scale.mul(isl::val(context.ctx(), -5))));
  EXPECT_TRUE(equality.Constant().eq(scale.mul(isl::val(context.ctx(), -7))));
  EXPECT_TRUE(isl::set(set).is_equal(isl::set(ZeroSet(equality.Form()))));
}

TEST(Constraint, SeesDivisions) {
  IslContext context;
  int with_divs = 0;
  for (const Constraint& constraint :
       ConstraintsOf(isl::basic_set(context.ctx(), "{ A[i] : i mod 3 = 1 and i >= 4 }")))
    with_divs += constraint.HasDivs() ? 1 : 0;
  EXPECT_EQ(with_divs, 1);
}

TEST(Constraint, TakesOtherNumbers) {
  IslContext context;
  const isl::basic_map map(context.ctx(), "[n] -> { A[i] -> B[i] : i <= 100 }");
  isl::basic_map changed(context.ctx(), "[n] -> { A[i] -> B[j] }");
  for (const Constraint& constraint : ConstraintsOf(map)) {
    changed = (constraint.IsEquality() ? constraint
                                       : constraint.WithConstant(3).WithCoefficient(isl_dim_param, 0, 1))
                  .Of(changed);
  }
  EXPECT_TRUE(isl::map(changed).is_equal(isl::map(context.ctx(), "[n] -> { A[i] -> B[i] : i <= n + 3 }")));
}

TEST(Constraint, OfNothingThereAreNone) {
  IslContext context;
  EXPECT_TRUE(ConstraintsOf(isl::basic_set(context.ctx(), "{ A[i] }")).empty());
}

}  // namespace
}  // namespace tune
