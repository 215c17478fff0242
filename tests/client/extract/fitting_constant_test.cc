// Numbers that the user gives for parameters of all integer types.
#include "client/extract/source/fitting_constant.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "absl/strings/str_cat.h"
#include "tests/client/extract/extract_fixture.h"

namespace tune::testing {
namespace {

struct Constant {
  std::string type;
  int64_t value;
  bool fits;
};

std::string ProblemsWith(const Constant& constant) {
  ExtractionRequest request;
  request.constants = {{"n", constant.value}};
  return Problems(Extract(Function(absl::StrCat("void f(", constant.type, " n, double *restrict a)"),
                                   "for (long i = 0; i < 9 + n; i++) a[i] = 1;"),
                          request));
}

class FittingConstantTest : public ::testing::TestWithParam<Constant> {};
TEST_P(FittingConstantTest, IsOfTheParametersType) {
  const Constant& constant = GetParam();
  const std::string problems = ProblemsWith(constant);
  if (constant.fits) {
    EXPECT_EQ(problems, "");
  } else {
    EXPECT_THAT(problems, ::testing::HasSubstr(absl::StrCat("--constant n=", constant.value, ": a `",
                                                            constant.type, "` cannot have this value")));
  }
}
INSTANTIATE_TEST_SUITE_P(
    Types, FittingConstantTest,
    ::testing::Values(Constant{"unsigned char", 255, true}, Constant{"unsigned char", 256, false},
                      Constant{"unsigned char", -1, false}, Constant{"signed char", 127, true},
                      Constant{"signed char", 128, false}, Constant{"short", 32767, true},
                      Constant{"short", 32768, false}, Constant{"int", 2147483648, false},
                      Constant{"unsigned int", 4294967295, true}, Constant{"unsigned int", -1, false},
                      Constant{"long", 4294967296, true}, Constant{"_Bool", 1, true},
                      Constant{"_Bool", 2, false}));

}  // namespace
}  // namespace tune::testing
