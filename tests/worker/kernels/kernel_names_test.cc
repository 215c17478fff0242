#include "worker/kernels/kernel_names.h"

#include <gtest/gtest.h>

namespace tune {
namespace {

TEST(KernelNamesTest, WithoutWhatCppWritesAround) {
  EXPECT_EQ(PlainFunctionName("_ZN4blur4rowsILi32EjEEvPKT0_PS1_i"), "blur::rows");
  EXPECT_EQ(PlainFunctionName("_Z5plainPf"), "plain");
  EXPECT_EQ(PlainFunctionName("matmul"), "matmul");
  EXPECT_EQ(PlainFunctionName("_ZN12_GLOBAL__N_15innerEv"), "inner");
}

TEST(KernelNamesTest, WhatIsNoCubinIsRefused) { EXPECT_FALSE(FindKernels("text", {"matmul"}).ok()); }

}  // namespace
}  // namespace tune
