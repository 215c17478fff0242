// Pointers that a region sets to one another.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "absl/strings/str_cat.h"
#include "tests/client/extract/extract_fixture.h"

namespace tune::testing {
namespace {

using ::testing::HasSubstr;

constexpr char kPointersHead[] = "void f(int n, int T, double *a, double *b, double *c, int k[100])";

TEST(PointerPlaces, AreKnownBetweenStatements) {
  const v1::Scop scop =
      ScopOf(kPointersHead,
             "double *p, *q = a + 3; p = b + n; for (int i = 0; i < n; i++) p[i] = q[i]; p = q; q "
             "= c; for (int i = 0; i < n; i++) p[i] = q[i];");
  ASSERT_EQ(scop.statements_size(), 2);
  EXPECT_TRUE(SameMap(scop.statements(0).accesses(0).relation(), "[n] -> { S0[i] -> a[3 + i] }"));
  EXPECT_TRUE(SameMap(scop.statements(0).accesses(1).relation(), "[n] -> { S0[i] -> b[n + i] }"));
  EXPECT_TRUE(SameMap(scop.statements(1).accesses(0).relation(), "[n] -> { S1[i] -> c[i] }"));
  EXPECT_TRUE(SameMap(scop.statements(1).accesses(1).relation(), "[n] -> { S1[i] -> a[3 + i] }"));
}

TEST(PointerPlaces, AreExchangedInEachIteration) {
  const v1::Scop scop = ScopOf(
      kPointersHead, "for (int t = 0; t < T; t++) { b[t] = a[t] + 1; double *tmp = a; a = b; b = tmp; }");
  ASSERT_EQ(scop.statements_size(), 2);
  EXPECT_TRUE(SameSet(scop.statements(0).domain(), "[T] -> { S0[t] : 0 <= t < T and t mod 2 = 0 }"));
  EXPECT_TRUE(SameSet(scop.statements(1).domain(), "[T] -> { S1[t] : 0 <= t < T and t mod 2 = 1 }"));
  EXPECT_EQ(scop.statements(0).accesses(0).array(), "a");
  EXPECT_EQ(scop.statements(1).accesses(0).array(), "b");
  EXPECT_TRUE(SameSchedule(scop.schedule(),
                           "{ domain: \"[T] -> { S0[t] : 0 <= t < T and t mod 2 = 0; S1[t] : 0 <= t < T and "
                           "t mod 2 = 1 }\", child: { "
                           "schedule: \"[T] -> [{ S0[t] -> [(t)]; S1[t] -> [(t)] }]\", child: { sequence: [ "
                           "{ filter: \"[T] -> { S0[t] "
                           "}\" }, { filter: \"[T] -> { S1[t] }\" } ] } } }"));
}

TEST(PointerPlaces, MayBeThreeAndStartAnywhere) {
  const v1::Scop scop =
      ScopOf(kPointersHead,
             "for (int t = n; t > 3; t -= 2) { double *old = a; c[t] = a[t] + b[t]; a = b; b = c; "
             "c = old; }");
  ASSERT_EQ(scop.statements_size(), 3);
  const char* const targets[] = {"c", "a", "b"};
  for (int k = 0; k < 3; ++k) {
    const std::string name = absl::StrCat("S", k);
    EXPECT_TRUE(SameSet(scop.statements(k).domain(),
                        absl::StrCat("[n] -> { ", name, "[t] : t > 3 and exists (e: e >= 0 and t = n - 6e - ",
                                     2 * k, ") }")));
    EXPECT_EQ(scop.statements(k).accesses(scop.statements(k).target()).array(), targets[k]);
  }
}

TEST(PointerPlaces, AreNotKnownWhereDataOrLoopsDecide) {
  const auto problems = [](const std::string& body) {
    return Problems(Extract(Function(kPointersHead, body)));
  };
  EXPECT_THAT(
      problems("for (int t = 0; t < T; t++) { a[t] = b[t]; if (k[t] > 0) { double *s = a; a = b; b = s; } }"),
      HasSubstr("where the pointer `a` points here is not known"));
  EXPECT_THAT(
      problems(
          "for (int t = 0; t < T; t++) { a[t] = b[t]; if (t < 5) continue; double *s = a; a = b; b = s; }"),
      HasSubstr("is not known"));
  EXPECT_THAT(problems("for (int t = 0; t < T; t++) { a[t] = b[t]; a = b; }"), HasSubstr("is not known"));
  EXPECT_THAT(problems("for (int t = 0; t < T; t++) { double *s = a; a = b; b = s; } a[0] = b[1];"),
              HasSubstr("is not known"));
  EXPECT_THAT(problems("for (int t = 0; t < T; t++) { a[t] = b[t]; a = b + 1; b = c; }"),
              HasSubstr("is not known"));
}

TEST(PointerPlaces, AreOfOneType) {
  EXPECT_THAT(Problems(Extract(Function(
                  "void f(int T, float *a, double *b)",
                  "for (int t = 0; t < T; t++) { b[t] = a[t]; void *s = a, *u = b; a = u; b = s; }"))),
              HasSubstr("is not known"));
}

// A pointer may have been exchanged before, and what its declaration says is about another array.
TEST(PointerPlaces, HaveNoDeclaredLengths) {
  const v1::Scop scop =
      ScopOf("void f(int n, int m, int T, double a[n], double b[m])",
             "for (int t = 0; t < T; t++) { b[t] = a[t] + 1; double *s = a; a = b; b = s; }");
  for (const v1::Array& array : scop.arrays()) {
    EXPECT_EQ(array.extents(0).c_expression(), "");
    EXPECT_TRUE(SamePwAff(array.extents(0).accessed(), "[n, m, T] -> { [(0)] : T <= 0; [(T)] : T > 0 }"))
        << array.name();
  }
}

// A condition that is read again behind an assignment of what it reads by another name is kept.
TEST(PointerPlaces, MayLeadToWhatConditionsRead) {
  const v1::Scop scop = ScopOf(
      kPointersHead, "double *p; p = a; for (int i = 0; i < n; i++) if (a[i] > 0) { p[i] = -1; c[i] = 2; }");
  ASSERT_EQ(scop.statements_size(), 3);
  EXPECT_EQ(scop.statements(0).accesses(scop.statements(0).target()).array(), "tune_condition");
}

TEST(PointerPlaces, AreSwappedByTheLibrary) {
  const v1::Scop scop = CppScopOf("#include <utility>\nvoid f(int T, double *a, double *b)",
                                  "for (int t = 0; t < T; t++) { b[t] = a[t] + 1; std::swap(a, b); }");
  EXPECT_EQ(scop.statements_size(), 2);
}

}  // namespace
}  // namespace tune::testing
