// Constants that C has no numbers for.
#include <gtest/gtest.h>

#include "tests/client/extract/extract_fixture.h"

namespace tune::testing {
namespace {

TEST(SpecialNumber, IsAConstant) {
  const v1::Scop scop =
      ScopOf("#include <math.h>\nvoid f(double x, double A[100])",
             "A[0] = -INFINITY; A[1] = NAN; A[2] = HUGE_VAL; A[3] = __builtin_fmax(x, __builtin_inf());");
  EXPECT_EQ(StatementText(scop.statements(0)), "A[0] = -(INFINITY)");
  EXPECT_EQ(StatementText(scop.statements(1)), "A[1] = NAN");
  EXPECT_EQ(StatementText(scop.statements(2)), "A[2] = (double)INFINITY");
  EXPECT_EQ(StatementText(scop.statements(3)), "A[3] = __builtin_fmax(x[], (double)INFINITY)");
}

}  // namespace
}  // namespace tune::testing
