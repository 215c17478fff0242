// Subscripts that only the running program knows.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/scop/scop.h"
#include "tests/client/extract/extract_fixture.h"

namespace tune::testing {
namespace {

using ::testing::HasSubstr;

// The scop of a region with this body.
v1::Scop RegionOf(const std::string& body) {
  const v1::Extraction extraction =
      Extract(Function("double a[100], b[10][8]; int k[100], l[100]; float f[100];\n"
                       "static double pick(const double *from, int place) { return from[place]; }\n"
                       "void g(int n, int m, double v[m], double *p)",
                       body));
  EXPECT_EQ(Problems(extraction), "");
  EXPECT_EQ(extraction.scops_size(), 1);
  return extraction.scops_size() == 1 ? extraction.scops(0) : v1::Scop();
}

// What a person is shown of the only statement, or the last one.
std::string LastStatement(const std::string& body) {
  const v1::Scop scop = RegionOf(body);
  IslContext context;
  const auto parsed = ParseScop(context, scop);
  EXPECT_TRUE(parsed.ok()) << parsed.status();
  const std::string text = PrintScop(scop);
  const size_t last = text.rfind("(line ");
  return text.substr(text.find("): ", last) + 3, text.find('\n', last) - text.find("): ", last) - 3);
}

TEST(DataSubscript, IsInTheValue) {
  EXPECT_EQ(LastStatement("for (int i = 0; i < n; i++) a[i] = a[k[i]];"), "a#2 = a#1[k#0]");
  EXPECT_EQ(LastStatement("for (int i = 0; i < n; i++) f[i] = b[k[i]][i];"),
            "f#2 = b#1[k#0][[n] -> { S0[i] -> [(i)] }]");
}

TEST(DataSubscript, MayBeOfIteratorsAlone) {
  EXPECT_EQ(LastStatement("for (int i = 0; i < 9; i++) f[i] = a[i * i];"),
            "f#1 = a#0[({ S0[i] -> [(i)] } * { S0[i] -> [(i)] })]");
}

TEST(DataSubscript, MayBeNestedAndComputed) {
  EXPECT_EQ(LastStatement("for (int i = 0; i < n; i++) f[i] = a[k[l[i]] / 2 + 1];"),
            "f#3 = a#2[((k#1[l#0] / 2) + 1)]");
  EXPECT_EQ(LastStatement("for (int i = 0; i < n; i++) f[i] = a[(int)f[i]];"), "f#2 = a#1[(int)f#0]");
}

// What is no sum or product of the element's type keeps the order of the loop.
TEST(DataSubscript, OtherAssignmentsAreStores) {
  EXPECT_EQ(LastStatement("for (int i = 0; i < n; i++) a[k[i]] /= 3;"), "a#3 = (a#1[k#0] / 3) at [k#2]");
  EXPECT_EQ(LastStatement("for (int i = 0; i < n; i++) l[k[i]] |= 4;"), "l#3 = (l#1[k#0] | 4) at [k#2]");
  EXPECT_EQ(LastStatement("for (int i = 0; i < n; i++) k[k[i]] += 1;"), "k#3 = (k#1[k#0] + 1) at [k#2]");
  EXPECT_EQ(LastStatement("for (int i = 0; i < n; i++) if (f[i] > 0) a[k[i]] /= 3;"),
            "a#5 = ((f#0 > 0) ? (a#2[k#1] / 3) : a#4[((f#0 > 0) ? k#3 : 0)]) at [((f#0 > 0) ? k#3 : 0)]");
}

TEST(DataSubscript, StandsForVariablesAndArguments) {
  EXPECT_EQ(LastStatement("for (int i = 0; i < n; i++) { int at = k[i]; f[i] = a[at]; }"), "f#2 = a#1[at#0]");
  EXPECT_EQ(LastStatement("int at; for (int i = 0; i < n; i++) { at = k[i] + 1; f[i] = a[at]; }"),
            "f#2 = a#1[at#0]");
  EXPECT_EQ(LastStatement("for (int i = 0; i < n; i++) f[i] = pick(a, k[i]);"), "f#2 = a#1[k#0]");
  EXPECT_EQ(LastStatement("for (int i = 0; i < n; i++) { double *row = b[i]; f[i] = row[k[i]]; }"),
            "f#2 = b#1[[n] -> { S0[i] -> [(i)] }][k#0]");
}

TEST(DataSubscript, RelationHasAllElements) {
  const v1::Scop scop = RegionOf("for (int i = 0; i < n; i++) f[i] = v[k[i]];");
  EXPECT_TRUE(SameMap(scop.statements(0).accesses(1).relation(), "[n, m] -> { S0[i] -> v[o] : 0 <= o < m }"));
  const v1::Scop other = RegionOf("for (int i = 0; i < n; i++) { int at = k[i]; f[i] = v[at]; }");
  EXPECT_TRUE(
      SameMap(other.statements(1).accesses(1).relation(), "[n, m] -> { S1[i] -> v[o] : 0 <= o < m }"));
  EXPECT_EQ(scop.arrays(1).name(), "v");
  EXPECT_EQ(scop.arrays(1).extents(0).c_expression(), "m");
}

// The range of the read by data in a function that declares x so.
std::string RangeOf(const std::string& declaration) {
  const v1::Extraction extraction = Extract(
      "void *malloc(unsigned long); void *calloc(unsigned long, unsigned long); void free(void *);\n"
      "void g(int n, int k[100], float f[100]) {\n" +
      declaration + "\n#pragma scop\nfor (int i = 0; i < n; i++) f[i] = x[k[i]];\n#pragma endscop\n}\n");
  return extraction.scops_size() == 1 ? extraction.scops(0).statements(0).accesses(1).relation() : "refused";
}

TEST(DataSubscript, LengthsAreThoseOfAllocations) {
  const std::string expected = "[n] -> { S0[i] -> x[o] : 0 <= o <= n }";
  for (const char* declaration :
       {"float x[n + 1];", "float *x = malloc((n + 1) * sizeof(float));",
        "float *x = (float *)malloc(sizeof(*x) * (n + 1));", "float *x = calloc(n + 1, sizeof *x);"})
    EXPECT_TRUE(SameMap(RangeOf(declaration), expected)) << declaration;
  EXPECT_TRUE(SameMap(RangeOf("int m = 9; float *x = malloc(m * sizeof *x);"),
                      "[n, m] -> { S0[i] -> x[o] : 0 <= o < m }"));
  for (const char* declaration :
       {"float *x = malloc(n + 1);", "float *x = malloc((n + 1) * sizeof(double));",
        "float *x = malloc(n * sizeof(float)); x = f;", "float *x = malloc(n * sizeof(float)); n = 3;",
        "float *x = f;", "float *x = malloc(n * sizeof(float)); float **y = &x;"})
    EXPECT_EQ(RangeOf(declaration), "refused") << declaration;
}

TEST(DataSubscript, OfAnUpdateIsBesideItsValue) {
  EXPECT_EQ(LastStatement("for (int i = 0; i < n; i++) a[k[i]] += f[i];"), "a#2 += f#0 at [k#1]");
  EXPECT_EQ(LastStatement("for (int i = 0; i < n; i++) a[k[i]] = f[i] + a[k[i]];"), "a#2 += f#0 at [k#1]");
  EXPECT_EQ(LastStatement("for (int i = 0; i < n; i++) l[k[i]]++;"), "l#1 += 1 at [k#0]");
  EXPECT_EQ(LastStatement("for (int i = 0; i < n; i++) if (f[i] < v[k[i]]) v[k[i]] = f[i];"),
            "v#2 min= f#0 at [k#1]");
}

TEST(DataSubscript, IsNotComputedWhereTheConditionFails) {
  EXPECT_EQ(LastStatement("for (int i = 0; i < n; i++) if (f[i] > 2) v[k[i]] += f[i];"),
            "v#3 += ((f#0 > 2) ? (double)f#1 : -(0.0)) at [((f#0 > 2) ? k#2 : 0)]");
  // So the first element has to be there.
  EXPECT_THAT(RegionOf("for (int i = 0; i < n; i++) if (f[i] > 2) v[k[i]] += f[i];").context(),
              HasSubstr("m"));
  EXPECT_EQ(LastStatement("for (int i = 0; i < n; i++) f[i] = k[i] > 0 ? a[k[i]] : 0;"),
            "f#3 = ((k#0 > 0) ? a#2[k#1] : 0)");
}

// Other iterations may update other rows at the same time.
TEST(DataSubscript, StaysInItsRowWhereTheConditionFails) {
  EXPECT_EQ(LastStatement("for (int i = 0; i < n; i++) if (f[i] > 2) b[i][k[i]] *= 3;"),
            "b#2 *= ((f#0 > 2) ? (double)3 : 1) at [[n] -> { S0[i] -> [(i)] }][((f#0 > 2) ? k#1 : 0)]");
}

TEST(DataSubscript, OfAnAssignmentIsBesideItsValue) {
  EXPECT_EQ(LastStatement("for (int i = 0; i < n; i++) a[k[i]] = f[i];"), "a#2 = f#0 at [k#1]");
  EXPECT_EQ(LastStatement("for (int i = 0; i < n; i++) b[k[i]][l[i]] = a[k[i]];"),
            "b#4 = a#1[k#0] at [k#2][l#3]");
  EXPECT_EQ(LastStatement("for (int i = 0; i < n; i++) a[k[i]] = f[i] - a[k[i]];"),
            "a#4 = (f#0 - a#2[k#1]) at [k#3]");
  const v1::Scop scop = RegionOf("for (int i = 0; i < n; i++) a[k[i]] = f[i];");
  EXPECT_EQ(scop.statements(0).update(), v1::NONE);
  EXPECT_EQ(scop.statements(0).accesses(2).kind(), v1::Access::UPDATE);  // most elements stay
}

TEST(DataSubscript, OfAnAssignmentIsTheFirstOneWhereTheConditionFails) {
  EXPECT_EQ(LastStatement("for (int i = 0; i < n; i++) if (f[i] > 2) a[k[i]] = 1;"),
            "a#3 = ((f#0 > 2) ? (double)1 : a#2[((f#0 > 2) ? k#1 : 0)]) at [((f#0 > 2) ? k#1 : 0)]");
}

TEST(DataSubscript, OfAnAssignmentMayBeANumberThatDataSet) {
  EXPECT_EQ(LastStatement("for (int i = 0; i < n; i++) { int at = k[i]; a[at] = f[i]; }"),
            "a#2 = f#0 at [at#1]");
  // Elements that are packed together.
  EXPECT_EQ(LastStatement("int at = 0; for (int i = 0; i < n; i++) { if (f[i] > 2) at++; a[at] = f[i]; }"),
            "a#2 = f#0 at [at#1]");
  EXPECT_EQ(
      LastStatement("int at = 0; for (int i = 0; i < n; i++) { if (f[i] > 2) continue; at++; a[at] = 1; }"),
      "a#3 = (!((f#0 > 2)) ? (double)1 : a#2[(!((f#0 > 2)) ? at#1 : 0)]) at [(!((f#0 > 2)) ? at#1 : 0)]");
  EXPECT_THAT(PrintScop(RegionOf("double *to = a; for (int i = 0; i < n; i++) if (f[i] > 2) *to++ = f[i];")),
              HasSubstr("at [(tune_condition#"));
  EXPECT_THAT(
      RegionOf("int at = 0; for (int i = 0; i < n; i++) { if (f[i] > 2) at++; v[at] = f[i]; }").context(),
      HasSubstr("m"));
}

// They may be numbers from before the region, if it is read again with variables for these.
TEST(DataSubscript, OfAnAssignmentIsNoNumberThatAMemberSets) {
  const v1::Extraction extraction =
      Extract(Function("struct s { int first; };\nvoid g(int n, struct s *s, double a[n], const double b[n])",
                       "int j = s->first; for (int i = 0; i < n; i++) { a[j] = b[i]; j = j + 1; }"));
  ASSERT_EQ(Problems(extraction), "");
  EXPECT_TRUE(SameMap(extraction.scops(0).statements(0).accesses(1).relation(),
                      "[n, tune_s_first] -> { S0[i] -> a[tune_s_first + i] }"));
}

TEST(DataSubscript, MayBeARoundedNumber) {
  const v1::Scop scop = RegionOf(
      "for (int i = 0; i < n; i++) { float x = f[i] / 2; int at = (int)x, next = at + 1; f[i] = v[next]; }");
  EXPECT_TRUE(SameMap(scop.statements(3).accesses(1).relation(), "[n, m] -> { S3[i] -> v[o] : 0 <= o < m }"))
      << scop.statements(3).accesses(1).relation();
}

}  // namespace
}  // namespace tune::testing
