#include "common/program/guarded_update.h"

#include <gtest/gtest.h>

#include "common/scop/expression_parts.h"
#include "tests/common/testing/scop_builder.h"

namespace tune {
namespace {

using testing::Literal;
using testing::Negate;
using testing::Operation;
using testing::Read;
using testing::ScopBuilder;

v1::Expression Choice(const v1::Expression& otherwise) {
  return Operation("?:", {Read(0), Read(1), otherwise});
}

// x[i + 1] `update`= value, of accesses 0: c[i], 1: v[i], 2: x[i + 1], 3: x[i].
v1::Scop OneStatement(v1::UpdateOperator update, const v1::Expression& value,
                      v1::ElementType type = v1::ELEMENT_TYPE_DOUBLE) {
  v1::Scop scop =
      ScopBuilder("guarded", {}, "")
          .Array("x", {"9"})
          .Array("c", {"9"})
          .Array("v", {"9"})
          .Begin("i", "0 <= i < 8")
          .Update(update, {"x", "i + 1"}, {{"c", "i"}, {"v", "i"}, {"x", "i + 1"}, {"x", "i"}}, value)
          .End()
          .Build();
  for (v1::Array& array : *scop.mutable_arrays()) array.set_element_type(type);
  return scop;
}

bool HasGuard(const v1::Scop& scop) {
  const v1::Expression* const guard = GuardOf(scop, scop.statements(0));
  EXPECT_TRUE(guard == nullptr || IsSame(*guard, Read(0)));
  return guard != nullptr;
}

TEST(GuardedUpdate, AssignmentsOfWhatTheTargetHas) {
  EXPECT_TRUE(HasGuard(OneStatement(v1::NONE, Choice(Read(2)))));
  EXPECT_FALSE(HasGuard(OneStatement(v1::NONE, Choice(Read(3)))));
  EXPECT_FALSE(HasGuard(OneStatement(v1::NONE, Choice(Literal("1")))));
  EXPECT_FALSE(HasGuard(OneStatement(v1::NONE, Read(2))));
}

// x + 0.0 is not x where x is -0.0.
TEST(GuardedUpdate, UpdatesByWhatChangesNothing) {
  const v1::Expression zero = Literal("0", "int"), one = Literal("1", "int");
  EXPECT_TRUE(HasGuard(OneStatement(v1::ADD, Choice(Negate(Literal("0.0"))))));
  EXPECT_TRUE(HasGuard(OneStatement(v1::MULTIPLY, Choice(one))));
  EXPECT_TRUE(HasGuard(OneStatement(v1::ADD, Choice(zero), v1::ELEMENT_TYPE_INT)));
  EXPECT_FALSE(HasGuard(OneStatement(v1::ADD, Choice(zero))));
  EXPECT_FALSE(HasGuard(OneStatement(v1::ADD, Choice(zero), v1::ELEMENT_TYPE_FLOAT16)));
  EXPECT_FALSE(HasGuard(OneStatement(v1::ADD, Choice(Literal("0.0")))));
  const v1::Expression converted = ConvertedTo(kComplexDoubleType, Negate(Literal("0.0")));
  EXPECT_TRUE(HasGuard(OneStatement(v1::ADD, Choice(MakeOperation(kComplexDoubleType, "~", {converted})),
                                    v1::ELEMENT_TYPE_COMPLEX_DOUBLE)));
  EXPECT_FALSE(HasGuard(OneStatement(v1::ADD, Choice(converted), v1::ELEMENT_TYPE_COMPLEX_DOUBLE)));
  EXPECT_FALSE(HasGuard(OneStatement(v1::ADD, Choice(one), v1::ELEMENT_TYPE_INT)));
  EXPECT_FALSE(HasGuard(OneStatement(v1::MULTIPLY, Choice(zero))));
  EXPECT_FALSE(HasGuard(OneStatement(v1::MAX, Choice(zero), v1::ELEMENT_TYPE_INT)));
}

// x[c[i]] = v[i] where v[i]; else what it has, or another element.
TEST(GuardedUpdate, ElementsThatDataDecide) {
  const auto store = [](const v1::Expression& kept) {
    const v1::Scop scop =
        ScopBuilder("stores", {}, "")
            .Array("x", {"9"})
            .Array("c", {"9"})
            .Begin("i", "0 <= i < 8")
            .Update(v1::NONE, {"x", "o", "0 <= o < 9"},
                    {{"c", "i"}, {"c", "i + 1"}, {"x", "o", "0 <= o < 9"}},
                    testing::UpdateOf(Operation("?:", {Read(0), Read(1), kept}), {Read(0, "int")}))
            .End()
            .Build();
    return HasGuard(scop);
  };
  EXPECT_TRUE(store(testing::ElementOf(2, {Read(0, "int")})));
  EXPECT_FALSE(store(testing::ElementOf(2, {Read(1, "int")})));
}

TEST(GuardedUpdate, VariablesThatStandForElements) {
  const v1::Scop scop = OneStatement(v1::NONE, Choice(Read(2)));
  const IndexExpression i = IndexExpression::Name("i");
  const ElementAccess target = {"x", {i}}, tile = {"x_registers", {i}}, other = {"v", {i}};
  const auto touches = [&](const ElementAccess& kept, const ElementAccess& written) {
    return TouchesOwnTarget(scop.statements(0), Instance{"S0", {other, other, kept, other, written}, {}});
  };
  EXPECT_TRUE(touches(target, target));
  EXPECT_FALSE(touches(tile, target));
  EXPECT_FALSE(touches(tile, tile));
}

}  // namespace
}  // namespace tune
