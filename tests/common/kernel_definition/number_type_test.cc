#include "common/kernel_definition/number_type.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tune {
namespace {

using ::testing::HasSubstr;

TEST(NumberTypeTest, NamesAreReadAndWritten) {
  for (const char* name :
       {"bool", "int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64", "half", "float",
        "double", "custom", "half2", "float4", "double16", "int2", "uchar4", "ulong2"})
    EXPECT_EQ(ElementName(ParseElementType(name).value()), name);
  EXPECT_EQ(ElementName(ParseElementType("unsigned  long long").value()), "uint64");
  EXPECT_EQ(ElementName(ParseElementType("size_t").value()), "uint64");
  EXPECT_EQ(ElementName(ParseElementType("unsigned").value()), "uint32");
  EXPECT_EQ(ElementName(ParseElementType("int32_t").value()), "int32");
  for (const char* name : {"floats", "float5", "bool2", "unsigned int4", "int1", "", "4"}) {
    EXPECT_THAT(ParseElementType(name).status().message(),
                HasSubstr("is no type of elements here; there are: bool"))
        << name;
  }
}

TEST(NumberTypeTest, SizesOfElements) {
  v1::KernelArgument argument;
  argument.set_type(v1::NUMBER_HALF);
  argument.set_lanes(8);
  EXPECT_EQ(ElementBytes(argument), 16);
  argument.set_type(v1::NUMBER_CUSTOM);
  argument.set_custom_bytes(12);
  EXPECT_EQ(ElementBytes(argument), 12);
}

TEST(NumberTypeTest, ValuesFit) {
  EXPECT_TRUE(CheckFits(Value::Integer(255), v1::NUMBER_UINT8).ok());
  EXPECT_TRUE(CheckFits(Value::Float(2), v1::NUMBER_INT32).ok());
  EXPECT_TRUE(CheckFits(Value::Boolean(true), v1::NUMBER_BOOL).ok());
  EXPECT_TRUE(CheckFits(Value::Integer(INT64_MAX), v1::NUMBER_INT64).ok());
  EXPECT_TRUE(CheckFits(Value::Float(1e300), v1::NUMBER_DOUBLE).ok());
  EXPECT_EQ(CheckFits(Value::Integer(256), v1::NUMBER_UINT8).message(), "256 does not fit into uint8");
  EXPECT_EQ(CheckFits(Value::Integer(-1), v1::NUMBER_UINT64).message(), "-1 does not fit into uint64");
  EXPECT_EQ(CheckFits(Value::Float(0x1p63), v1::NUMBER_INT64).message(),
            "9.223372036854776e+18 does not fit into int64");
  EXPECT_EQ(CheckFits(Value::Float(0.5), v1::NUMBER_INT32).message(),
            "0.5 is no whole number; the type is int32");
  EXPECT_EQ(CheckFits(Value::Float(1e5), v1::NUMBER_HALF).message(), "100000.0 does not fit into half");
  EXPECT_EQ(CheckFits(Value::Float(1e39), v1::NUMBER_FLOAT).message(), "1e+39 does not fit into float");
  EXPECT_EQ(CheckFits(Value::String("x"), v1::NUMBER_FLOAT).message(), "'x' is no number; the type is float");
  EXPECT_EQ(CheckFits(Value::Integer(1), v1::NUMBER_CUSTOM).message(), "1 cannot be what is in a custom");
}

}  // namespace
}  // namespace tune
