// What counters and sizes are before a region, as the function around tells it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "absl/strings/str_cat.h"
#include "tests/client/extract/extract_fixture.h"

namespace tune::testing {
namespace {

constexpr char kCounts[] = "\n#pragma scop\nwhile (k < 30) { A[k] = k; k++; }\n#pragma endscop\n";

// Of the region in a function with these statements around it.
std::string ContextOf(const std::string& before, const std::string& behind) {
  const v1::Extraction extraction = Extract(
      absl::StrCat("void h(int *);\nvoid f(int n, double A[100]) {\n", before, kCounts, behind, "\n}"));
  EXPECT_EQ(Problems(extraction), "");
  return extraction.scops_size() == 1 ? extraction.scops(0).context() : "";
}

TEST(EntryValue, IsWhatACounterIsDeclaredWith) {
  EXPECT_TRUE(SameSet(ContextOf("int k = 4;", ""), "[k] -> { : k = 4 }"));
  EXPECT_TRUE(SameSet(ContextOf("int k = 4;", "k = 7; A[k] = 0;"), "[k] -> { : k = 4 }"));
  EXPECT_TRUE(
      SameSet(ContextOf("for (int t = 0; t < n; t++) { int k = 2;", "k = 9; }"), "[k] -> { : k = 2 }"));
}

TEST(EntryValue, IsNotKnownWhereSomethingMayChangeIt) {
  for (const auto& [before, behind] : std::vector<std::pair<std::string, std::string>>{
           {"int k = 4; if (n > 3) k = 5;", ""},
           {"int k = n;", ""},
           {"int k = 4; k++;", ""},
           {"int k = 4; for (int t = 0; t < n; t++) {", "k = 5; }"},
           {"goto in; int k = 4; in:;", ""},
           {"switch (n) { int k = 4; default:;", "}"},
       }) {
    EXPECT_TRUE(SameSet(ContextOf(before, behind), "[k] -> { : }")) << before << behind;
  }
}

TEST(KnownParameters, AreFixedWhereTheyAreAskedFor) {
  const std::string text =
      "static void f(int n, int m, int l, double A[100]) {\n#pragma scop\nfor (int i = l; i < n + m; i++) "
      "A[i] = 0;\n#pragma endscop\n}\nvoid g(double *A, int m) { int size = 30; f(size, m, 2, A); }\n";
  ExtractionRequest request;
  EXPECT_TRUE(SameSet(Extract(text, request).scops(0).context(), "[l, n, m] -> { : }"));
  request.fixed = {"n", "m"};
  EXPECT_TRUE(SameSet(Extract(text, request).scops(0).context(), "[l, n, m] -> { : n = 30 }"));
  request.function = "f";
  const std::string plain =
      "static void f(int n, double *A) {\nfor (int i = 0; i < n; i++) A[i] = 0;\n}\n"
      "int main(void) { static double a[9]; f(7, a); }\n";
  EXPECT_TRUE(SameSet(Extract(plain, request).scops(0).context(), "[n] -> { : n = 7 }"));
}

}  // namespace
}  // namespace tune::testing
