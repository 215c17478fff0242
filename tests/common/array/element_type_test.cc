#include "common/array/element_type.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tune {
namespace {

TEST(ElementType, HasItsNameAndSizeInC) {
  EXPECT_EQ(ElementCType(v1::ELEMENT_TYPE_DOUBLE), "double");
  EXPECT_EQ(ElementCType(v1::ELEMENT_TYPE_UNSIGNED_CHAR), "unsigned char");
  EXPECT_EQ(ElementSize(v1::ELEMENT_TYPE_DOUBLE), sizeof(double));
  EXPECT_EQ(ElementSize(v1::ELEMENT_TYPE_UNSIGNED_SHORT), sizeof(short));
  EXPECT_EQ(ElementSize(v1::ELEMENT_TYPE_SIGNED_CHAR), 1);
  EXPECT_EQ(ElementCType(v1::ELEMENT_TYPE_FLOAT16), "_Float16");
  EXPECT_EQ(ElementSize(v1::ELEMENT_TYPE_FLOAT16), 2);
  EXPECT_EQ(ElementCType(v1::ELEMENT_TYPE_COMPLEX_FLOAT), "_Complex float");
  EXPECT_EQ(ElementSize(v1::ELEMENT_TYPE_COMPLEX_FLOAT), sizeof(_Complex float));
  EXPECT_EQ(ElementSize(v1::ELEMENT_TYPE_COMPLEX_DOUBLE), sizeof(_Complex double));
}

TEST(ElementType, ComplexNumbersConsistOfReals) {
  EXPECT_EQ(ComponentType(v1::ELEMENT_TYPE_COMPLEX_FLOAT), v1::ELEMENT_TYPE_FLOAT);
  EXPECT_EQ(ComponentType(v1::ELEMENT_TYPE_COMPLEX_DOUBLE), v1::ELEMENT_TYPE_DOUBLE);
  EXPECT_EQ(ComponentType(v1::ELEMENT_TYPE_LONG), v1::ELEMENT_TYPE_LONG);
  EXPECT_EQ(CAlignment(v1::ELEMENT_TYPE_COMPLEX_DOUBLE), alignof(_Complex double));
  EXPECT_EQ(CAlignment(v1::ELEMENT_TYPE_DOUBLE), alignof(double));
  EXPECT_TRUE(IsComplex(v1::ELEMENT_TYPE_COMPLEX_FLOAT));
  EXPECT_FALSE(IsComplex(v1::ELEMENT_TYPE_DOUBLE));
  EXPECT_TRUE(IsComplexType("_Complex double"));
  EXPECT_FALSE(IsComplexType("double"));
}

TEST(ElementType, EveryTypeHasANameOfItsOwn) {
  std::set<std::string> names;
  int types = 0;
  for (int type = v1::ElementType_MIN; type <= v1::ElementType_MAX; ++type) {
    if (!v1::ElementType_IsValid(type) || type == v1::ELEMENT_TYPE_UNSPECIFIED) continue;
    names.insert(std::string(ElementCType(static_cast<v1::ElementType>(type))));
    ++types;
  }
  EXPECT_EQ(names.size(), types);
}

TEST(ArrayBytes, MultipliesExtents) {
  EXPECT_EQ(*ArrayBytes("A", v1::ELEMENT_TYPE_FLOAT, {3, 5}), 60);
  EXPECT_EQ(*ArrayBytes("x", v1::ELEMENT_TYPE_DOUBLE, {}), 8);
  EXPECT_EQ(*ArrayBytes("A", v1::ELEMENT_TYPE_FLOAT, {3, 0}), 0);
}

TEST(ArrayBytes, RefusesWhatNoMemoryHolds) {
  const absl::Status negative = ArrayBytes("A", v1::ELEMENT_TYPE_INT, {3, -1}).status();
  EXPECT_EQ(negative.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(negative.message()), ::testing::HasSubstr("A[3][-1]: an extent is negative"));
  const absl::Status large = ArrayBytes("B", v1::ELEMENT_TYPE_INT, {1ll << 40, 1ll << 40}).status();
  EXPECT_THAT(std::string(large.message()), ::testing::HasSubstr("does not fit 63 bits"));
}

}  // namespace
}  // namespace tune
