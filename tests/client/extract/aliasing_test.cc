// Which pointers of a region may lead to the same memory.
#include <gtest/gtest.h>

#include <set>

#include "absl/strings/str_cat.h"
#include "tests/client/extract/extract_fixture.h"

namespace tune::testing {
namespace {

// Arrays of the region that only their own name leads to. `before`: what stands in the function before it.
std::set<std::string> Alone(const std::string& head, const std::string& before, const std::string& region) {
  const v1::Extraction extraction =
      Extract(absl::StrCat(head, " {\n", before, "\n#pragma scop\n", region, "\n#pragma endscop\n}\n"));
  EXPECT_EQ(Problems(extraction), "");
  std::set<std::string> names;
  if (extraction.scops_size() != 1) return names;
  for (const v1::Array& array : extraction.scops(0).arrays())
    if (array.overlap() == v1::Array::NONE && !array.declared_inside()) names.insert(array.name());
  return names;
}

using Names = std::set<std::string>;
constexpr char kTwoPointers[] = "for (int i = 0; i < n; i++) { p[2 * i] = 1; a[i + 3] += i; }";

TEST(Aliasing, RestrictPointersAreAlone) {
  EXPECT_EQ(Alone("void f(int n, double *restrict a, double *p)", "", kTwoPointers), Names({"a"}));
  EXPECT_EQ(Alone("void f(int n, double *restrict a, double *restrict p)", "", kTwoPointers),
            Names({"a", "p"}));
  EXPECT_EQ(Alone("void f(int n, double *restrict a, double *b)", "double *p = b; p += 2;", kTwoPointers),
            Names({"a"}));
  EXPECT_EQ(Alone("#include <stdlib.h>\nvoid f(int n, double *restrict a)",
                  "double *p = malloc(2 * n * sizeof(double));", kTwoPointers),
            Names({"a"}));
}

TEST(Aliasing, PointersThatAreSetByThemAreBasedOnThem) {
  constexpr char kHead[] =
      "double *g; struct s { double *p; };\nvoid f(int n, double *restrict a, double *b)";
  for (const char* before :
       {"double *p = a;", "double *p = a + n;", "double *p = b; if (n > 3) p = &a[2];",
        "double *q = a, *p = q + 1;", "double *p = n > 2 ? b : a;", "double *p = b; p = a; p++;",
        "double *p = g;", "double *p = b, **t = &p; *t = a;", "struct s o; o.p = a; double *p = o.p;"})
    EXPECT_EQ(Alone(kHead, before, kTwoPointers), Names()) << before;
  EXPECT_EQ(Alone("double *p;\nvoid f(int n, double *restrict a)", "p = a;", kTwoPointers), Names());
}

TEST(Aliasing, RestrictIsNoPromiseAboutArraysThatThePointerIsSetTo) {
  constexpr char kHead[] = "static double a[100], c[300], *restrict p;\nvoid f(int n)";
  EXPECT_EQ(Alone(kHead, "p = a + 3;", kTwoPointers), Names());
  EXPECT_EQ(Alone(kHead, "p = n > 3 ? &a[n] : c;", kTwoPointers), Names());
  EXPECT_EQ(Alone(kHead, "p = c;", kTwoPointers), Names({"p"}));
}

}  // namespace
}  // namespace tune::testing
