#include "worker/build/cuda_flags.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tune {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(CudaFlagsTest, WhatOnlyChangesTheText) {
  const auto flags = CudaFlags({"-use_fast_math", "--use_fast_math", "-std=c++14", "-maxrregcount=64",
                                "-DN=4 + 1", "-UN", "-O3", "-Iparts/inner", "--fmad=false", "-lineinfo"},
                               "program");
  ASSERT_TRUE(flags.ok()) << flags.status();
  EXPECT_THAT(*flags, ElementsAre("-use_fast_math", "--use_fast_math", "-std=c++14", "-maxrregcount=64",
                                  "-DN=4 + 1", "-UN", "-Iprogram/parts/inner", "--fmad=false", "-lineinfo"));
}

TEST(CudaFlagsTest, AllElseIsRefusedByName) {
  for (const char* flag : {"-ccbin=/bin/sh", "-o", "--output-file=x", "@options", "-I/etc", "-I../..", "-D",
                           "", "-include", "x.cu", "-arch=sm_90", "-O0", "-Xptxas=-o,x/y", "use_fast_math"}) {
    const auto flags = CudaFlags({flag}, "program");
    EXPECT_FALSE(flags.ok()) << flag;
    EXPECT_THAT(std::string(flags.status().message()), HasSubstr(flag));
  }
}

}  // namespace
}  // namespace tune
