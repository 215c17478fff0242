// `switch` as conditions.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/client/extract/extract_fixture.h"

namespace tune::testing {
namespace {

constexpr char kSwitchHead[] = "enum { ONE = 1, TWO };\nvoid f(int n, int m, double A[100], int K[100])";

void ExpectSameSwitch(const std::string& body, const std::string& usual) {
  const v1::Scop scop = ScopOf(kSwitchHead, body), expected = ScopOf(kSwitchHead, usual);
  ASSERT_EQ(scop.statements_size(), expected.statements_size()) << body;
  for (int i = 0; i < scop.statements_size(); ++i) {
    EXPECT_TRUE(SameSet(scop.statements(i).domain(), expected.statements(i).domain())) << body;
    EXPECT_EQ(StatementText(scop.statements(i)), StatementText(expected.statements(i))) << body;
  }
  EXPECT_TRUE(SameSchedule(scop.schedule(), expected.schedule())) << body;
}

#define EACH "for (int i = 0; i < n; i++) "

TEST(SwitchForm, IsAChainOfConditions) {
  ExpectSameSwitch(EACH
                   "switch (m) { case ONE: A[i] = 1; break; case TWO: A[i] = 2; break; default: A[i] = 3; }",
                   EACH "if (m == 1) A[i] = 1; else if (m == 2) A[i] = 2; else A[i] = 3;");
  ExpectSameSwitch(EACH "switch (i % 3) { default: A[i] = 3; break; case 0: case 2: { A[i] = 1; break; } }",
                   EACH "if (i % 3 == 0 || i % 3 == 2) A[i] = 1; else A[i] = 3;");
}

TEST(SwitchForm, CasesRunIntoTheNext) {
  ExpectSameSwitch(
      EACH "switch (m) { case 1: A[i] = 1; case 2: A[i] += 2; break; case 3: break; case 4: A[i] = 5; }",
      EACH "if (m == 1) { A[i] = 1; A[i] += 2; } else if (m == 2) A[i] += 2; else if (m == 4) A[i] = 5;");
}

TEST(SwitchForm, CasesMayBeRanges) {
  ExpectSameSwitch(EACH
                   "switch (m) { case 1 ... 3: case 7: A[i] = 1; break; case 8 ... 9: A[i] = 2; break; "
                   "default: A[i] = 3; }",
                   EACH
                   "if ((m >= 1 && m <= 3) || m == 7) A[i] = 1; else if (m >= 8 && m <= 9) A[i] = 2; else "
                   "A[i] = 3;");
}

TEST(SwitchForm, DataAreGuards) {
  ExpectSameSwitch(EACH "switch (K[i]) { case 1: A[i] = 1; break; default: A[i] = 2; }",
                   EACH "if (K[i] == 1) A[i] = 1; else A[i] = 2;");
  ExpectSameSwitch(EACH "switch (K[i]) { case 1: K[i] = 2; break; case 2: K[i] = 1; }",
                   EACH "if (K[i] == 1) K[i] = 2; else if (K[i] == 2) K[i] = 1;");
}

TEST(SwitchForm, WithoutCasesIsNothing) {
  ExpectSameSwitch(EACH "{ A[i] = 1; switch (m) { } switch (m) { case 1: break; } }", EACH "A[i] = 1;");
}

}  // namespace
}  // namespace tune::testing
