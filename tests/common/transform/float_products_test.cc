#include "common/transform/float_products.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "tests/common/testing/scop_builder.h"

namespace tune {
namespace {

using testing::Add;
using testing::Divide;
using testing::Literal;
using testing::Multiply;
using testing::Negate;
using testing::Read;
using testing::ScopBuilder;

// y[i] = value, of floats, with reads of x[i] and z[i].
v1::Scop Assignment(const v1::Expression& value, v1::ElementType type = v1::ELEMENT_TYPE_FLOAT) {
  v1::Scop scop = ScopBuilder("assignment", {"n"}, "n >= 0")
                      .Array("x", {"n"})
                      .Array("z", {"n"})
                      .Array("y", {"n"})
                      .Begin("i", "0 <= i < n")
                      .Assign({"y", "i"}, {{"x", "i"}, {"z", "i"}}, value)
                      .End()
                      .Build();
  for (v1::Array& array : *scop.mutable_arrays()) array.set_element_type(type);
  return scop;
}

v1::Expression As(const std::string& c_type, v1::Expression value) {
  value.set_c_type(c_type);
  return value;
}

v1::Expression Cast(const std::string& c_type, const v1::Expression& operand) {
  v1::Expression cast;
  cast.set_c_type(c_type);
  cast.mutable_cast()->set_c_type(c_type);
  *cast.mutable_cast()->mutable_operand() = operand;
  return cast;
}

v1::Expression InDouble(v1::Expression value) { return As("double", std::move(value)); }
v1::Expression X() { return Read(0, "float"); }
v1::Expression Third() { return Literal("0.33333"); }

v1::Expression Changed(const v1::Expression& value) {
  return WithFloatProducts(Assignment(value)).statements(0).value();
}

// The value of what is made of it, in C, where x is this number.
float Evaluate(const v1::Expression& value, float x) {
  if (value.has_access()) return x;
  if (value.has_literal()) return std::stof(value.literal());
  if (value.has_call()) {
    const auto& arguments = value.call().arguments();
    return std::fmaf(Evaluate(arguments[0], x), Evaluate(arguments[1], x), Evaluate(arguments[2], x));
  }
  const auto& operands = value.operation().operands();
  if (operands.size() == 1) return -Evaluate(operands[0], x);
  return Evaluate(operands[0], x) * Evaluate(operands[1], x);
}

bool IsChanged(const v1::Expression& value) {
  return Changed(value).SerializeAsString() != value.SerializeAsString();
}

TEST(FloatProductsTest, OfAFloatAndAConstant) {
  const v1::Expression sum = Add(X(), Read(1, "float")), two = Literal("2", "int");
  const v1::Expression third = Divide(Literal("1.0"), Literal("3.0"));
  for (const v1::Expression& value :
       {InDouble(Multiply(Third(), X())), InDouble(Multiply(X(), Third())),
        InDouble(Multiply(Third(), Cast("double", X()))), Cast("float", InDouble(Multiply(Third(), X()))),
        InDouble(Divide(X(), Literal("3.0"))), InDouble(Multiply(Third(), Negate(X()))),
        InDouble(Multiply(Negate(Third()), X())), InDouble(Multiply(Third(), sum)),
        InDouble(Multiply(third, X())), InDouble(Multiply(InDouble(Multiply(Third(), two)), X())),
        InDouble(Negate(InDouble(Multiply(X(), Third()))))}) {
    const v1::Expression changed = Changed(value);
    EXPECT_EQ(changed.c_type(), "float") << value.DebugString();
    EXPECT_EQ(changed.call().function(), "fmaf") << value.DebugString();
  }
}

TEST(FloatProductsTest, NotOfOthers) {
  const v1::Expression in_double = InDouble(Add(X(), Multiply(Third(), X())));
  EXPECT_FALSE(IsChanged(in_double));                                 // rounded behind the addition
  EXPECT_FALSE(IsChanged(Multiply(Third(), Read(0))));                // of doubles
  EXPECT_FALSE(IsChanged(InDouble(Multiply(Literal("0.25"), X()))));  // a float
  EXPECT_FALSE(IsChanged(InDouble(Multiply(Literal("1e300"), X()))));
  EXPECT_FALSE(IsChanged(InDouble(Divide(Third(), X()))));
  EXPECT_FALSE(IsChanged(InDouble(Multiply(Literal("0.1L", "long double"), X()))));
  EXPECT_FALSE(IsChanged(As("float", Multiply(Literal("0.1f", "float"), X()))));
  EXPECT_FALSE(IsChanged(InDouble(Divide(X(), Literal("0.0")))));
  const v1::Scop doubles = Assignment(InDouble(Multiply(Third(), X())), v1::ELEMENT_TYPE_DOUBLE);
  EXPECT_EQ(WithFloatProducts(doubles).SerializeAsString(), doubles.SerializeAsString());
}

TEST(FloatProductsTest, OfConversionsInsideOfOthers) {
  const v1::Expression sum = As("float", Add(Cast("float", InDouble(Multiply(Third(), X()))), X()));
  const v1::Expression changed = Changed(sum);
  EXPECT_EQ(changed.operation().op(), "+");
  EXPECT_EQ(changed.operation().operands(0).call().function(), "fmaf");
}

TEST(FloatProductsTest, AreNearlyAlwaysTheProgramsFloat) {
  std::mt19937 random(7);
  std::uniform_real_distribution<float> mantissa(1, 2);
  std::uniform_int_distribution<int> exponent(-50, 50);
  int others = 0, all = 0;
  for (const char* text : {"0.33333", "-0.1", "3.141592653589793", "1e-9", "0.7", "123456.789"}) {
    const double factor = std::stod(text);
    const v1::Expression literal = factor < 0 ? Negate(Literal("0.1")) : Literal(text);
    const v1::Expression changed = Changed(InDouble(Multiply(literal, X())));
    for (int i = 0; i < 200'000; ++i) {
      const float x = std::ldexp(mantissa(random), exponent(random)) * (i % 2 == 0 ? 1.F : -1.F);
      const auto expected = static_cast<float>(factor * x);
      const float found = Evaluate(changed, x);
      ++all;
      if (found == expected) continue;
      ++others;
      EXPECT_TRUE(found == std::nextafterf(expected, found)) << text << " * " << x;
    }
  }
  EXPECT_LE(others, all / 100'000);
}

TEST(FloatProductsTest, QuotientsAreNearlyAlwaysTheProgramsFloat) {
  std::mt19937 random(7);
  std::uniform_real_distribution<float> mantissa(1, 2);
  std::uniform_int_distribution<int> exponent(-50, 50);
  int others = 0, all = 0;
  for (const char* text : {"9.0f", "3.0f", "-7.0f", "0.1f", "5.5f", "123456.0f"}) {
    const bool negative = text[0] == '-';
    const v1::Expression literal = Literal(negative ? text + 1 : text, "float");
    const v1::Expression divisor = negative ? As("float", Negate(literal)) : literal;
    const v1::Expression changed = Changed(As("float", Divide(X(), divisor)));
    ASSERT_TRUE(changed.has_call()) << text;
    for (int i = 0; i < 200'000; ++i) {
      const float x = std::ldexp(mantissa(random), exponent(random)) * (i % 2 == 0 ? 1.F : -1.F);
      const float expected = x / std::stof(text), found = Evaluate(changed, x);
      ++all;
      if (found == expected) continue;
      ++others;
      EXPECT_TRUE(found == std::nextafterf(expected, found)) << x << " / " << text;
    }
  }
  EXPECT_LE(others, all / 100'000);
  for (const char* text : {"4.0f", "0.0f", "0.125f"})
    EXPECT_FALSE(IsChanged(As("float", Divide(X(), Literal(text, "float"))))) << text;
  EXPECT_FALSE(IsChanged(As("float", Divide(Literal("1.0f", "float"), X()))));
  EXPECT_FALSE(IsChanged(Divide(Read(0), Literal("9.0"))));  // of doubles
}

TEST(FloatProductsTest, WhatIsNoNumberStaysSo) {
  const float infinity = std::numeric_limits<float>::infinity();
  for (const bool negative : {false, true}) {
    const v1::Expression literal = negative ? Negate(Literal("0.1")) : Literal("0.1");
    const float sign = negative ? -1.F : 1.F;
    const v1::Expression changed = Changed(InDouble(Multiply(literal, X())));
    EXPECT_EQ(Evaluate(changed, infinity), sign * infinity);
    EXPECT_EQ(Evaluate(changed, -infinity), -sign * infinity);
    EXPECT_TRUE(std::isnan(Evaluate(changed, std::nanf(""))));
    EXPECT_EQ(std::signbit(Evaluate(changed, 0.F)), negative);
    EXPECT_EQ(std::signbit(Evaluate(changed, -0.F)), !negative);
  }
}

}  // namespace
}  // namespace tune
