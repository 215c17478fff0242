#include "common/base/c_compiler.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

namespace tune {
namespace {

using ::testing::ElementsAre;

TEST(CCompilerTest, IsWhatTheEnvironmentNames) {
  const char* value = std::getenv("CC");
  const std::string before = value != nullptr ? value : "";
  setenv("CC", " ccache  gcc-12 ", 1);
  EXPECT_THAT(CCompilerCommand(), ElementsAre("ccache", "gcc-12"));
  for (const char* nothing : {"", " "}) {
    setenv("CC", nothing, 1);
    EXPECT_THAT(CCompilerCommand(), ElementsAre("cc"));
  }
  unsetenv("CC");
  EXPECT_THAT(CCompilerCommand(), ElementsAre("cc"));
  if (value != nullptr) setenv("CC", before.c_str(), 1);
}

TEST(CCompilerTest, CppHasItsOwn) {
  const char* value = std::getenv("CXX");
  const std::string before = value != nullptr ? value : "";
  setenv("CXX", "ccache clang++", 1);
  EXPECT_THAT(CppCompilerCommand(), ElementsAre("ccache", "clang++"));
  unsetenv("CXX");
  EXPECT_THAT(CppCompilerCommand(), ElementsAre("c++"));
  if (value != nullptr) setenv("CXX", before.c_str(), 1);
}

}  // namespace
}  // namespace tune
