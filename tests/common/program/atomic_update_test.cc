#include "common/program/atomic_update.h"

#include <gtest/gtest.h>

#include "tests/common/testing/scop_builder.h"

namespace tune {
namespace {

using testing::Literal;
using testing::Read;
using testing::ScopBuilder;

// Whether hist[a[i]] `update`= value may be an atomic operation.
bool IsAtomic(v1::UpdateOperator update, v1::ElementType type, const v1::Expression& value) {
  v1::Scop scop = ScopBuilder("sums", {"n"}, "n >= 1")
                      .Array("hist", {"9"})
                      .Array("a", {"n"})
                      .Begin("i", "0 <= i < n")
                      .Update(update, {"hist", "o", "0 <= o < 9"}, {{"a", "i"}},
                              testing::UpdateOf(value, {testing::ToInteger(Read(0))}))
                      .End()
                      .Build();
  scop.mutable_arrays(0)->set_element_type(type);
  return IsAtomicUpdate(scop, scop.statements(0));
}

TEST(AtomicUpdate, SumsOfFourBytesAndMore) {
  EXPECT_TRUE(IsAtomic(v1::ADD, v1::ELEMENT_TYPE_INT, Literal("1", "int")));
  EXPECT_TRUE(IsAtomic(v1::ADD, v1::ELEMENT_TYPE_UNSIGNED_LONG, Literal("1", "int")));
  EXPECT_TRUE(IsAtomic(v1::ADD, v1::ELEMENT_TYPE_FLOAT, Read(0, "float")));
  EXPECT_TRUE(IsAtomic(v1::ADD, v1::ELEMENT_TYPE_DOUBLE, Read(0, "double")));
  EXPECT_FALSE(IsAtomic(v1::ADD, v1::ELEMENT_TYPE_UNSIGNED_CHAR, Literal("1", "int")));
  EXPECT_FALSE(IsAtomic(v1::MULTIPLY, v1::ELEMENT_TYPE_INT, Literal("3", "int")));
}

TEST(AtomicUpdate, NoneOfComplexNumbers) {
  EXPECT_FALSE(IsAtomic(v1::ADD, v1::ELEMENT_TYPE_COMPLEX_FLOAT, Read(0, "_Complex float")));
  EXPECT_FALSE(IsAtomic(v1::ADD, v1::ELEMENT_TYPE_INT, Read(0, "_Complex float")));
  EXPECT_FALSE(HasExchange(v1::ELEMENT_TYPE_COMPLEX_FLOAT));
  EXPECT_FALSE(HasExchange(v1::ELEMENT_TYPE_SHORT));
  EXPECT_TRUE(HasExchange(v1::ELEMENT_TYPE_DOUBLE));
}

TEST(AtomicUpdate, ComputesInTheElementsType) {
  EXPECT_FALSE(IsAtomic(v1::ADD, v1::ELEMENT_TYPE_FLOAT, Read(0, "double")));
  EXPECT_TRUE(IsAtomic(v1::ADD, v1::ELEMENT_TYPE_FLOAT, Literal("0.25", "double")));
  EXPECT_FALSE(IsAtomic(v1::ADD, v1::ELEMENT_TYPE_FLOAT, Literal("0.1", "double")));
  EXPECT_FALSE(IsAtomic(v1::ADD, v1::ELEMENT_TYPE_INT, Read(0, "double")));
}

TEST(AtomicUpdate, ExtremesOfIntegersOfTheirType) {
  EXPECT_TRUE(IsAtomic(v1::MIN, v1::ELEMENT_TYPE_INT, Read(0, "int")));
  EXPECT_TRUE(IsAtomic(v1::MAX, v1::ELEMENT_TYPE_LONG, Read(0, "long")));
  EXPECT_FALSE(IsAtomic(v1::MAX, v1::ELEMENT_TYPE_INT, Read(0, "long")));
  EXPECT_FALSE(IsAtomic(v1::MIN, v1::ELEMENT_TYPE_DOUBLE, Read(0, "double")));
}

TEST(AtomicUpdate, OfElementsThatDataDecideAlone) {
  const v1::Scop scop = ScopBuilder("sum", {"n"}, "n >= 1")
                            .Array("s", {})
                            .Begin("i", "0 <= i < n")
                            .Update(v1::ADD, {"s", ""}, {}, Literal("1"))
                            .End()
                            .Build();
  EXPECT_FALSE(IsAtomicUpdate(scop, scop.statements(0)));
}

}  // namespace
}  // namespace tune
