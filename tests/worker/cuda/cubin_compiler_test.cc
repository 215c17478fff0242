#include "worker/cuda/cubin_compiler.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "worker/cuda/nvrtc_api.h"
#include "worker/cuda/utility_kernels.h"

namespace tune {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

class CubinCompilerTest : public ::testing::Test {
 protected:
  void SetUp() override {
    if (const auto api = NvrtcApi::Get(); !api.ok()) GTEST_SKIP() << api.status().message();
  }
};

TEST_F(CubinCompilerTest, GoodTextBecomesAnElfFile) {
  const auto result =
      CompileCubin("extern \"C\" __global__ void f(double *a) { a[threadIdx.x] = fmax(sqrt(a[0]), 1.0); }",
                   "f.cu", "sm_90");
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_TRUE(result->ok);
  EXPECT_THAT(result->cubin, StartsWith("\177ELF"));
  EXPECT_THAT(result->cubin, HasSubstr(".text.f"));
}

TEST_F(CubinCompilerTest, BadTextIsNoErrorButHasALog) {
  const auto result =
      CompileCubin("extern \"C\" __global__ void f(double *a) { a[0] = b; }", "f.cu", "sm_90");
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_FALSE(result->ok);
  EXPECT_THAT(result->log, HasSubstr("f.cu(1): error: identifier \"b\" is undefined"));
}

TEST_F(CubinCompilerTest, FlagsArePassedOn) {
  const std::string text = "extern \"C\" __global__ void f(int *a) { a[0] = VALUE; }";
  EXPECT_FALSE(CompileCubin(text, "f.cu", "sm_90")->ok);
  EXPECT_TRUE(CompileCubin(text, "f.cu", "sm_90", {{"-DVALUE=1"}, {}})->ok);
}

TEST_F(CubinCompilerTest, NamesOfKernels) {
  const char text[] =
      "namespace area { template <int width, typename T> __global__ void f(T* a) { a[threadIdx.x] = width; } "
      "}\n"
      "__global__ void g(float* a) { a[0] = 1; }\n"
      "extern \"C\" __global__ void h(float* a) { a[0] = 1; }\n";
  const auto result =
      CompileCubin(text, "f.cu", "sm_90", {{"-std=c++14"}, {"area::f<32, unsigned>", "g", "h"}});
  ASSERT_TRUE(result.ok() && result->ok) << result.status();
  EXPECT_EQ(result->names, (std::vector<std::string>{"_ZN4area1fILi32EjEEvPT0_", "_Z1gPf", "h"}));
  EXPECT_FALSE(CompileCubin(text, "f.cu", "sm_90", {{}, {"area::f<32>"}})->ok);
}

TEST_F(CubinCompilerTest, AnUnknownArchitectureIsAnError) {
  const auto result = CompileCubin("", "f.cu", "sm_1");
  ASSERT_FALSE(result.ok());
  EXPECT_THAT(result.status().message(), HasSubstr("NVRTC_ERROR_INVALID_OPTION"));
}

TEST_F(CubinCompilerTest, TheRunnersOwnKernelsCompile) {
  for (const char* arch : {"sm_80", "sm_90"}) {
    const auto result = CompileCubin(UtilityKernels::Text(), "utility_kernels.cu", arch);
    ASSERT_TRUE(result.ok()) << result.status();
    ASSERT_TRUE(result->ok) << result->log;
    EXPECT_EQ(result->log, "");
    for (const char* kernel :
         {"tune_compare_double", "tune_compare_unsigned_char", "tune_wait", "tune_spin"}) {
      EXPECT_THAT(result->cubin, HasSubstr(absl::StrCat(".text.", kernel)));
    }
  }
}

}  // namespace
}  // namespace tune
