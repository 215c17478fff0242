// Structures as values: declared in a region, copied, and set as a whole.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "absl/strings/str_cat.h"
#include "tests/client/extract/extract_fixture.h"

namespace tune::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr char kHead[] =
    "struct v { double x, y; };\nstruct w { int k; struct v at; double m; };\nvoid g(struct v *);\n"
    "void f(int n, struct v A[100], struct v B[100], struct w W[100], double S[100], int K[100])";

#define EACH "for (int i = 0; i < n; i++) "

void ExpectSameStructures(const std::string& body, const std::string& usual) {
  // Members are those of some array.
  const std::string members = "A[i].x += A[i].y; W[i].at.x += W[i].at.y + W[i].m; ";
  const v1::Scop scop = ScopOf(kHead, EACH "{ " + members + body + " }"),
                 expected = ScopOf(kHead, EACH "{ " + members + usual + " }");
  ASSERT_EQ(scop.statements_size(), expected.statements_size()) << body;
  for (int i = 0; i < scop.statements_size(); ++i) {
    EXPECT_TRUE(SameSet(scop.statements(i).domain(), expected.statements(i).domain())) << body;
    EXPECT_EQ(StatementText(scop.statements(i)), StatementText(expected.statements(i))) << body;
  }
  EXPECT_TRUE(SameSchedule(scop.schedule(), expected.schedule())) << body;
}

TEST(StructureValues, AreVariablesForTheMembersThatAreUsed) {
  ExpectSameStructures("struct v p = A[i]; S[i] = p.x * p.x + p.y;",
                       "double tune_p_x = A[i].x, tune_p_y = A[i].y; S[i] = tune_p_x * tune_p_x + tune_p_y;");
  ExpectSameStructures("const struct v p = A[i], q = B[n - i]; S[i] = p.y * q.x;",
                       "double tune_p_y = A[i].y; double tune_q_x = B[n - i].x; S[i] = tune_p_y * tune_q_x;");
  ExpectSameStructures("struct v p; double s = 1; p.x = S[i]; p.x += s; S[i] = p.x;",
                       "double tune_p_x; double s = 1; tune_p_x = S[i]; tune_p_x += s; S[i] = tune_p_x;");
  ExpectSameStructures("struct v p = A[i]; S[i] = 2;", "S[i] = 2;");
}

TEST(StructureValues, AreCopiedMemberByMember) {
  ExpectSameStructures("A[i] = B[i + 1];", "A[i].x = B[i + 1].x; A[i].y = B[i + 1].y;");
  ExpectSameStructures("if (S[i] > 0) A[i] = B[i]; else A[i].x = 1;",
                       "if (S[i] > 0) { A[i].x = B[i].x; A[i].y = B[i].y; } else A[i].x = 1;");
  ExpectSameStructures(
      "struct w p; p.at = A[i]; p.m = 2; struct w q = p; S[i] = q.at.y * q.m;",
      "double tune_p_at_y, tune_p_m; tune_p_at_y = A[i].y; tune_p_m = 2; double tune_q_at_y = tune_p_at_y, "
      "tune_q_m = tune_p_m; S[i] = tune_q_at_y * tune_q_m;");
  ExpectSameStructures("struct v p = A[K[i]]; S[i] = p.x;", "double tune_p_x = A[K[i]].x; S[i] = tune_p_x;");
}

TEST(StructureValues, InArraysAreArraysOfTheirMembers) {
  ExpectSameStructures("struct v p[4]; p[2].x = S[i]; p[i % 4].y = 1; S[i] = p[2].x + p[i % 4].y;",
                       "double tune_p_x[4], tune_p_y[4]; tune_p_x[2] = S[i]; tune_p_y[i % 4] = 1; S[i] = "
                       "tune_p_x[2] + tune_p_y[i % 4];");
  ExpectSameStructures("struct v p[2][n]; p[1][i] = A[i]; B[i] = p[1][i]; struct v q = p[1][i]; S[i] = q.y;",
                       "double tune_p_x[2][n], tune_p_y[2][n]; tune_p_x[1][i] = A[i].x; tune_p_y[1][i] = "
                       "A[i].y; B[i].x = tune_p_x[1][i]; B[i].y = tune_p_y[1][i]; double tune_q_y = "
                       "tune_p_y[1][i]; S[i] = tune_q_y;");
  ExpectSameStructures("struct w p[3]; p[1].at = A[i]; p[1].k = K[i]; S[i] = p[1].at.y + p[1].k;",
                       "int tune_p_k[3]; double tune_p_at_y[3]; tune_p_at_y[1] = A[i].y; tune_p_k[1] = K[i]; "
                       "S[i] = tune_p_at_y[1] + tune_p_k[1];");
}

TEST(StructureValues, AreListsOfValues) {
  ExpectSameStructures(
      "struct v p = {S[i], 2}; struct v q = {.y = K[i]}; S[i] = p.x + p.y + q.x + q.y;",
      "double tune_p_x = S[i], tune_p_y = 2; double tune_q_x = 0.0, tune_q_y = K[i]; S[i] = tune_p_x + "
      "tune_p_y + tune_q_x + tune_q_y;");
  // All of them before the first is set.
  ExpectSameStructures(
      "struct v p = A[i]; p = (struct v){p.y, p.x}; B[i] = p;",
      "double tune_p_x = A[i].x, tune_p_y = A[i].y; double tune_value_x = tune_p_y, tune_value_y = "
      "tune_p_x; tune_p_x = tune_value_x; tune_p_y = tune_value_y; B[i].x = tune_p_x; B[i].y = tune_p_y;");
  ExpectSameStructures("A[i] = (struct v){A[i].y, A[i].x};",
                       "double tune_value_x = A[i].y, tune_value_y = A[i].x; A[i].x = tune_value_x; A[i].y = "
                       "tune_value_y;");
  ExpectSameStructures(
      "struct v q = A[i]; struct w p = {1, q}; p.m += 1; S[i] = p.at.y;",
      "double tune_q_y = A[i].y; double tune_p_at_y = tune_q_y, tune_p_m = 0.0; tune_p_m += 1; S[i] = "
      "tune_p_at_y;");
  ExpectSameStructures("struct w p = {K[i], {S[i], 1}, 3}; S[i] = p.at.x + p.m;",
                       "double tune_p_at_x = S[i], tune_p_m = 3; S[i] = tune_p_at_x + tune_p_m;");
}

// Pointers and references from outside of the region are the same ones all the time.
TEST(StructureValues, LieBehindPointersFromOutside) {
  const std::string head =
      "#include <stdlib.h>\nstruct v { double x, y; };\nvoid f(int n, struct v A[100], struct v *one) {\n"
      "  struct v *p = malloc(n * sizeof *p);\n#pragma scop\n  ";
  const v1::Extraction elements = Extract(head + EACH "p[i] = A[n - i];\n#pragma endscop\n}\n");
  ASSERT_EQ(Problems(elements), "");
  EXPECT_EQ(elements.scops(0).statements_size(), 2);
  const v1::Extraction pointed = Extract(head + EACH "*one = A[i];\n#pragma endscop\n}\n");
  ASSERT_EQ(Problems(pointed), "");
  EXPECT_EQ(StatementText(pointed.scops(0).statements(1)), "one[0, 1] = A[i, 1]");
  const v1::Extraction vector =
      ExtractCpp("#include <vector>\nstruct v { double x, y; };\n" +
                 Function("void f(int n, std::vector<v> &p, const std::vector<v> &q)",
                          EACH "{ p[i] = q[i]; p[i] = {1, i * 2.0}; }"));
  EXPECT_EQ(Problems(vector), "");
}

std::string ProblemOf(const std::string& head, const std::string& body) {
  const v1::Extraction extraction = Extract(Function(head, EACH "{ " + body + " }"));
  return extraction.diagnostics_size() == 0 ? "" : extraction.diagnostics(0).reason();
}
std::string Problem(const std::string& body) { return ProblemOf(kHead, body); }

TEST(StructureValues, OtherUsesAreRefused) {
  EXPECT_THAT(Problem("struct v p = A[i]; g(&p); S[i] = p.x;"), HasSubstr("used by more than members"));
  EXPECT_THAT(Problem("struct { double a[3]; } p; p.a[0] = 1; S[i] = p.a[0];"),
              HasSubstr("used by more than members"));
  EXPECT_THAT(Problem("struct v p[2]; g(p); S[i] = p[0].x;"), HasSubstr("used by more than members"));
  EXPECT_THAT(Problem("struct v p[2], *q = &p[1]; q->x = 1; S[i] = p[1].x;"),
              HasSubstr("used by more than members"));
  EXPECT_THAT(Problem("struct v p[1] = {{1, 2}}; S[i] = p[0].x;"), HasSubstr("used by more than members"));
  EXPECT_THAT(Problem("struct { int a : 3; } p; p.a = 1; S[i] = p.a;"),
              HasSubstr("declared inside the region"));
  EXPECT_THAT(Problem("union { int a; float b; } p; p.a = 1; S[i] = p.b;"),
              HasSubstr("declared inside the region"));
  EXPECT_THAT(Problem("static struct v p; p.x += 1; S[i] = p.x;"), HasSubstr("static or external variable"));
  // Where it goes depends on what it changes.
  EXPECT_THAT(Problem("A[K[i]] = A[i];"), HasSubstr("where data decide which one it is"));
  EXPECT_THAT(Problem("struct w p = W[i]; p = W[p.k]; S[i] = p.m;"),
              HasSubstr("where data decide which one it is"));
  EXPECT_THAT(Problem("struct v *p = &A[K[i]]; *p = B[i];"),
              HasSubstr("a structure as a whole, behind a pointer or reference that the region declares"));
  // Another build may have one more member in the gap behind `k`, of which tuned code would not know.
  EXPECT_THAT(Problem("W[i] = W[i + 1];"), HasSubstr("a structure or union as a whole"));
}

// Tuned code looks at members of arrays where it is built; at the types of others by themselves.
TEST(StructureValues, NoArrayHasTheirMembers) {
  const auto types = [](const std::string& body) {
    std::vector<std::string> texts;
    const v1::Scop scop = ScopOf(kHead, EACH "{ " + body + " }");
    for (const v1::Meaning& meaning : scop.meanings())
      texts.push_back(absl::StrCat(meaning.text(), " ", meaning.value()));
    return texts;
  };
  EXPECT_THAT(types("struct v p; p.x = S[i]; S[i] = p.x;"),
              ElementsAre("__typeof__(((struct v *)0)->x) double"));
  EXPECT_THAT(types("A[i].x = 1; struct v p = {S[i], 2}; S[i] = p.x + p.y;"),
              ElementsAre("__typeof__(((struct v *)0)->y) double"));
  EXPECT_THAT(types("struct w p; p.at.x = S[i]; S[i] = p.at.x;"),
              ElementsAre("__typeof__(((struct v *)0)->x) double"));
  // Of a structure of another file nothing says which members it has in another build.
  EXPECT_THAT(
      ProblemOf("#include <stdlib.h>\nvoid f(int n, int S[100])", "div_t p = {n, 2}; S[0] = p.quot + p.rem;"),
      HasSubstr("no array in the region has the member `quot`"));
  // Another build may know another structure by the name.
  const char other[] =
      "#define WHICH v\nstruct v { double x, y; };\ntypedef struct WHICH name;\n"
      "void f(int n, struct v A[100], double S[100])";
  EXPECT_THAT(ProblemOf(other, "name p = {S[i], 2}; A[i].x = p.x + A[i].y * p.y;"),
              HasSubstr("declared inside the region"));
}

// Members that share bytes are not variables of their own.
TEST(StructureValues, UnionsAndBitFieldsInside) {
  for (const char* inner : {"union { double x; int u; };", "struct { double x; int k : 3; } in; double x;"}) {
    const std::string head =
        absl::StrCat("struct v { ", inner, " double y; };\nvoid f(int n, struct v A[100])");
    EXPECT_THAT(ProblemOf(head, "struct v p = {0}; p.x = 2; p.y = p.x; A[i].y = p.y;"),
                HasSubstr("declared inside the region"));
  }
}

TEST(StructureValues, WhatIsUsedBehindTheRegionIsNotDeclaredInIt) {
  const v1::Extraction extraction = Extract(
      "struct v { double x; };\nvoid f(int n, struct v A[100], double S[100]) {\n#pragma scop\n  struct v p "
      "= "
      "{0};\n  for (int i = 0; i < n; i++) p.x += A[i].x;\n#pragma endscop\n  S[0] = p.x;\n}\n");
  ASSERT_EQ(extraction.diagnostics_size(), 1);
  EXPECT_THAT(extraction.diagnostics(0).reason(), HasSubstr("used behind it"));
  EXPECT_EQ(extraction.diagnostics(0).line(), 4);
}

// What the names of members mean where the code is built is asked.
TEST(StructureValues, TypesOfTheirMembersCount) {
  const v1::Scop scop = ScopOf(
      "#define REAL double\ntypedef double real;\nstruct v { real x; REAL y; };\n"
      "void f(int n, struct v B[100], double S[100])",
      EACH "{ struct v p = B[i]; S[i] = p.x * p.y; }");
  std::vector<std::string> meanings;
  for (const v1::Meaning& meaning : scop.meanings())
    meanings.push_back(meaning.text() + "=" + meaning.value());
  EXPECT_THAT(meanings, ::testing::UnorderedElementsAre("REAL=double", "real=double"));
}

}  // namespace
}  // namespace tune::testing
