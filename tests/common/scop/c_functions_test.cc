#include "common/scop/c_functions.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tune {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(CFunctions, ArePureOnesOfTheLibrary) {
  for (const char* name : {"sqrt", "sqrtf", "__builtin_fabs", "abs", "fma", "ldexp", "__builtin_isnan",
                           "scalblnf", "__builtin_popcountl", "__builtin_bswap16", "__builtin_bswap32"})
    EXPECT_TRUE(IsPureFunction(name)) << name;
  for (const char* name : {"", "system", "lgamma", "modf", "rand", "absf", "__builtin_trap", "isnan",
                           "popcount", "clz", "__builtin_bswap128"})
    EXPECT_FALSE(IsPureFunction(name)) << name;
}

TEST(CFunctions, HaveTheirParameters) {
  EXPECT_THAT(ParameterTypes("ldexpf"), ElementsAre("float", "int"));
  EXPECT_THAT(ParameterTypes("__builtin_pow"), ElementsAre("double", "double"));
  EXPECT_THAT(ParameterTypes("__builtin_isnan"), IsEmpty());
  EXPECT_THAT(ParameterTypes("__builtin_ctzll"), ElementsAre("unsigned long long"));
  EXPECT_EQ(ArgumentsOf("__builtin_isnan"), 1);
  EXPECT_EQ(ArgumentsOf("fma"), 3);
  EXPECT_EQ(ArgumentsOf("system"), 0);
}

TEST(CFunctions, TellMinimaFromMaxima) {
  EXPECT_EQ(MinOrMaxFunction("fminf"), -1);
  EXPECT_EQ(MinOrMaxFunction("__builtin_fmax"), 1);
  EXPECT_EQ(MinOrMaxFunction("fabs"), 0);
}

}  // namespace
}  // namespace tune
