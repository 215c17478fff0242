#include "common/transform/split_sums/sum_terms.h"

#include <gtest/gtest.h>

#include "common/scop/expression_parts.h"
#include "tests/common/testing/scop_builder.h"

namespace tune {
namespace {

using testing::Add;
using testing::Multiply;
using testing::Negate;
using testing::Read;

v1::Expression Minus(v1::Expression left, v1::Expression right) {
  const std::string type = left.c_type();
  return MakeOperation(type, "-", {std::move(left), std::move(right)});
}

std::vector<std::string> Texts(const std::vector<v1::Expression>& expressions) {
  std::vector<std::string> texts;
  for (const v1::Expression& expression : expressions) texts.push_back(expression.SerializeAsString());
  return texts;
}

TEST(SumTermsTest, WhatIsAdded) {
  const v1::Expression product = Multiply(Read(0), Read(1));
  EXPECT_EQ(Texts(TermsOf(Add(product, Read(2)), v1::ELEMENT_TYPE_DOUBLE)), Texts({product, Read(2)}));
  EXPECT_EQ(Texts(TermsOf(Add(product, Add(Read(2), Negate(Read(3)))), v1::ELEMENT_TYPE_DOUBLE)),
            Texts({product, Read(2), Negate(Read(3))}));
}

TEST(SumTermsTest, WhatIsNoSumIsItsOnlyTerm) {
  const v1::Expression product = Multiply(Read(0), Add(Read(1), Read(2)));
  for (const v1::Expression& value : {product, Negate(Add(product, Read(3))), Minus(product, Read(3))})
    EXPECT_EQ(Texts(TermsOf(value, v1::ELEMENT_TYPE_DOUBLE)), Texts({value}));
}

TEST(SumTermsTest, NotWhereRoundingIsAnotherType) {
  v1::Expression single = Read(1);
  single.set_c_type("float");
  const v1::Expression mixed = Add(Read(0), single);
  EXPECT_EQ(Texts(TermsOf(mixed, v1::ELEMENT_TYPE_DOUBLE)), Texts({mixed}));
}

TEST(SumTermsTest, NotWhereTheTargetAddsUpSomethingElse) {
  const auto terms = [](const char* type, v1::ElementType target) {
    v1::Expression left = Read(0), right = Read(1);
    left.set_c_type(type);
    right.set_c_type(type);
    return TermsOf(MakeOperation(type, "+", {left, right}), target).size();
  };
  EXPECT_EQ(terms("unsigned int", v1::ELEMENT_TYPE_UNSIGNED_INT), 2);
  EXPECT_EQ(terms("long", v1::ELEMENT_TYPE_LONG), 2);
  EXPECT_EQ(terms("float", v1::ELEMENT_TYPE_DOUBLE), 2);
  EXPECT_EQ(terms("double", v1::ELEMENT_TYPE_FLOAT), 2);
  for (const v1::ElementType target :
       {v1::ELEMENT_TYPE_UNSIGNED_LONG, v1::ELEMENT_TYPE_FLOAT, v1::ELEMENT_TYPE_DOUBLE})
    EXPECT_EQ(terms("unsigned int", target), 1);
  EXPECT_EQ(terms("int", v1::ELEMENT_TYPE_SHORT), 1);
  EXPECT_EQ(terms("double", v1::ELEMENT_TYPE_INT), 1);
}

}  // namespace
}  // namespace tune
