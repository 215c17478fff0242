// Pointers that a region compares with null.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/client/extract/extract_fixture.h"

namespace tune::testing {
namespace {

using ::testing::HasSubstr;

constexpr char kNullHead[] = "#include <stddef.h>\nvoid f(int n, double *a, const double *b, double *c)";

TEST(NullTest, IsTrueWhereTunedCodeRuns) {
  const v1::Extraction extraction = Extract(Function(
      kNullHead,
      "for (int i = 0; i < n; i++) { a[i] = b != NULL ? b[i] : 0; if (!b) a[i] = 3; if (c && a[i] > 1) c[i] "
      "= 1; }"));
  ASSERT_EQ(Problems(extraction), "");
  const std::string& text = extraction.program().files(0).content();
  EXPECT_THAT(text, HasSubstr("int tune_apart = (b != 0) && (c != 0) && "));
  EXPECT_THAT(text, HasSubstr("a[i] = 1 ? b[i] : 0; if (!1) a[i] = 3; if (1 && a[i] > 1)"));
  const v1::Scop& scop = extraction.scops(0);
  ASSERT_EQ(scop.statements_size(), 2);  // one of a, one of c
  EXPECT_EQ(scop.statements(0).accesses(0).array(), "b");
}

TEST(NullTest, BeginsAndEndsWithWholeMacros) {
  const std::string head = "#define NEITHER(p, q) p == NULL && q == NULL\n" + std::string(kNullHead);
  const v1::Extraction whole = Extract(Function(
      head, "for (int i = 0; i < n; i++) { a[i] = NULL != b ? b[i] : 0; if (NULL == c) a[i] = 1; }"));
  ASSERT_EQ(Problems(whole), "");
  EXPECT_THAT(whole.program().files(0).content(), HasSubstr("a[i] = 1 ? b[i] : 0; if (0) a[i] = 1;"));
  EXPECT_NE(Problems(Extract(Function(head, "for (int i = 0; i < n; i++) if (NEITHER(b, c)) a[i] = 1;"))),
            "");
}

TEST(NullTest, IsNoneOfPointersThatTheRegionSets) {
  EXPECT_THAT(Problems(Extract(Function(
                  kNullHead, "for (int i = 0; i < n; i++) { double *p = a + i; if (p != NULL) *p = 1; }"))),
              HasSubstr("an expression of a kind that a scop cannot hold [p != NULL]"));
}

TEST(NullTest, MayStandInCpp) {
  const v1::Extraction extraction = ExtractCpp(Function(
      "void f(int n, double *a, const double *b)",
      "for (int i = 0; i < n; i++) { if (b) a[i] = b[i]; if (b == nullptr) a[i] = 0; a[i] += !b ? 1 : 2; }"));
  EXPECT_EQ(Problems(extraction), "");
}

}  // namespace
}  // namespace tune::testing
