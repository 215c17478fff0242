#include "common/transform/split_sums/common_factor.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/transform/access_numbers.h"
#include "tests/common/testing/scop_builder.h"

namespace tune {
namespace {

using testing::Add;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using testing::Literal;
using testing::Multiply;
using testing::Negate;
using testing::Read;
using testing::ScopBuilder;

// C[i] += value, with a scalar that is only read (access 0), one that is written (1), and two vectors.
v1::Scop SumOf(v1::Expression value, v1::ElementType type = v1::ELEMENT_TYPE_DOUBLE) {
  v1::Scop scop =
      ScopBuilder("sum", {"n"}, "n >= 0")
          .Array("alpha", {})
          .Array("s", {})
          .Array("A", {"n"})
          .Array("B", {"n"})
          .Array("C", {"n"})
          .Begin("i", "0 <= i < n")
          .Begin("k", "0 <= k < n")
          .Update(v1::ADD, {"C", "i"}, {{"alpha", ""}, {"s", ""}, {"A", "k"}, {"B", "k"}}, std::move(value))
          .End()
          .End()
          .Build();
  for (v1::Array& array : *scop.mutable_arrays()) array.set_element_type(type);
  return scop;
}

std::optional<CommonFactor> FactorOf(const v1::Scop& scop) {
  return FindCommonFactor(scop, scop.statements(0));
}

TEST(CommonFactorTest, ScalarsThatAreOnlyRead) {
  const auto found = FactorOf(SumOf(Multiply(Multiply(Read(0), Read(2)), Read(3))));
  ASSERT_TRUE(found.has_value());
  EXPECT_THAT(AccessesOf(found->factor), ElementsAre(0));
  EXPECT_THAT(AccessesOf(found->rest), ElementsAre(2, 3));
}

TEST(CommonFactorTest, WhereverTheyStandInTheProduct) {
  const auto found = FactorOf(SumOf(Multiply(Read(2), Multiply(Literal("0.5"), Multiply(Read(3), Read(0))))));
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ(found->factor.operation().operands(0).literal(), "0.5");
  EXPECT_THAT(AccessesOf(found->factor), ElementsAre(0));
  EXPECT_THAT(AccessesOf(found->rest), ElementsAre(2, 3));
}

TEST(CommonFactorTest, TheSignGoesWithTheFactor) {
  const auto found = FactorOf(SumOf(Negate(Multiply(Read(0), Read(2)))));
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ(found->factor.operation().op(), "-");
  EXPECT_THAT(AccessesOf(found->rest), ElementsAre(2));
  EXPECT_FALSE(FactorOf(SumOf(Negate(Multiply(Read(2), Read(3))))).has_value());
}

TEST(CommonFactorTest, NotWhatIsWrittenOrNothingElse) {
  v1::Scop scop = SumOf(Multiply(Multiply(Read(1), Read(2)), Read(3)));
  for (v1::Array& array : *scop.mutable_arrays()) {
    if (array.name() == "s") array.set_read_only(false);
  }
  EXPECT_FALSE(FactorOf(scop).has_value());
  EXPECT_FALSE(FactorOf(SumOf(Multiply(Read(0), Literal("2.0")))).has_value());
  EXPECT_FALSE(FactorOf(SumOf(Read(2))).has_value());
}

// alpha (A + B) has the factor; alpha A + B has none.
TEST(CommonFactorTest, OfProductsAlone) {
  EXPECT_TRUE(FactorOf(SumOf(Multiply(Read(0), Add(Read(2), Read(3))))).has_value());
  EXPECT_FALSE(FactorOf(SumOf(Add(Multiply(Read(0), Read(2)), Read(3)))).has_value());
}

TEST(CommonFactorTest, NotWhereRoundingIsAnotherType) {
  const v1::Expression value = Multiply(Read(0), Read(2));
  EXPECT_FALSE(FactorOf(SumOf(value, v1::ELEMENT_TYPE_FLOAT)).has_value());
  v1::Expression whole = value;
  whole.set_c_type("int");
  EXPECT_FALSE(FactorOf(SumOf(whole, v1::ELEMENT_TYPE_INT)).has_value());
}

TEST(CommonFactorTest, AccessesGetOtherNumbers) {
  const v1::Expression moved = WithAccesses(Multiply(Read(2), Multiply(Read(3), Read(2))), {1, 2, 3});
  EXPECT_THAT(AccessesOf(moved), ElementsAre(1, 2));
  EXPECT_THAT(AccessesOf(Literal("1.0")), IsEmpty());
}

}  // namespace
}  // namespace tune
