// Members of single structures as variables of their own.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "absl/strings/str_cat.h"
#include "tests/client/extract/extract_fixture.h"

namespace tune::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr char kMembersHead[] =
    "double fabs(double); "
    "struct sizes { int rows, cols; };\n"
    "typedef struct { struct sizes size; double *data; float scale; double table[4][8]; int last; unsigned "
    "bits : 3;\n"
    "  union { int i; long l; } one; struct sizes *at; } matrix;\n"
    "matrix whole;\n"
    "void f(int n, const matrix *a, matrix *b, matrix *restrict c, double *x, volatile matrix *v)";

v1::Extraction ReadMembers(const std::string& body) { return Extract(Function(kMembersHead, body)); }

// The only scop; the test fails without one.
v1::Scop MembersScop(const std::string& body) {
  const v1::Extraction extraction = ReadMembers(body);
  EXPECT_EQ(Problems(extraction), "");
  return extraction.scops_size() == 1 ? extraction.scops(0) : v1::Scop();
}

std::string TextOfMembers(const v1::Extraction& extraction) {
  return extraction.program().files_size() > 0 ? extraction.program().files(0).content() : "";
}

std::vector<std::string> NamesOfMembers(const v1::Scop& scop) {
  std::vector<std::string> names;
  for (const v1::Parameter& parameter : scop.parameters()) names.push_back(parameter.name());
  for (const v1::Array& array : scop.arrays()) names.push_back(array.name());
  return names;
}

TEST(MemberRead, MatricesMayBeStructures) {
  const v1::Scop scop = MembersScop(
      "for (int i = 0; i < b->size.rows; i++)\n  for (int j = 0; j < b->size.cols; j++)\n"
      "    b->data[i * b->size.cols + j] *= b->scale;");
  EXPECT_THAT(NamesOfMembers(scop),
              ElementsAre("tune_b_size_rows", "tune_b_size_cols", "tune_b_scale", "tune_b_data"));
  EXPECT_TRUE(scop.arrays(1).is_flat());
  EXPECT_EQ(scop.arrays(1).overlap(), v1::Array::POINTER);
  EXPECT_EQ(scop.statements(0).line(), 9);
}

TEST(MemberRead, ProgramChecksThatNoneIsWritten) {
  const v1::Extraction extraction = ReadMembers("for (int i = 0; i < b->last; i++) x[i] = b->scale;");
  ASSERT_EQ(Problems(extraction), "");
  const std::string text = TextOfMembers(extraction);
  EXPECT_THAT(text, HasSubstr("const __typeof__(b->last) tune_b_last = b->last;"));
  EXPECT_THAT(text, HasSubstr("const __typeof__(b->scale) tune_b_scale = b->scale;"));
  EXPECT_THAT(text, HasSubstr("tune_begin = (__UINTPTR_TYPE__)(x);"));
  EXPECT_THAT(text, HasSubstr("tune_end = (__UINTPTR_TYPE__)(x + "));
  for (const char* cell : {"b->last", "b->scale", "b"})
    EXPECT_THAT(text, HasSubstr(absl::StrCat("(tune_end <= (__UINTPTR_TYPE__)&", cell, " || ")));
  EXPECT_THAT(text, HasSubstr("for (int i = 0; i < tune_b_last; i++) x[i] = tune_b_scale;"));
  EXPECT_THAT(
      text,
      HasSubstr("} else { /* tunectl: the original */\nfor (int i = 0; i < b->last; i++) x[i] = b->scale;"));
}

TEST(MemberRead, TypesMayDifferInOneVariable) {
  const v1::Scop scop = MembersScop(
      "for (int i = 0; i < whole.size.rows; i++) whole.table[i][1] = whole.scale * whole.table[0][i] + "
      "whole.data[i];");
  EXPECT_THAT(NamesOfMembers(scop),
              ElementsAre("tune_whole_size_rows", "tune_whole_scale", "tune_whole_table", "tune_whole_data"));
  ASSERT_EQ(scop.arrays(1).extents_size(), 3);
  EXPECT_EQ(scop.arrays(1).extents(2).c_expression(), "8");
}

TEST(MemberRead, SizesMayBeElementsOfArrays) {
  const char* const kHead =
      "struct grid { int n[3]; double *data; unsigned long w[2]; };\nvoid f(int n, struct grid *g, int *x)";
  const v1::Extraction extraction =
      Extract(Function(kHead, "for (int i = 0; i < g->n[0]; i++) g->data[i * g->n[2] + 1] *= g->w[1];"));
  ASSERT_EQ(Problems(extraction), "");
  EXPECT_THAT(NamesOfMembers(extraction.scops(0)),
              ElementsAre("tune_g_n_0", "tune_g_n_2", "tune_g_w_1", "tune_g_data"));
  const std::string text = TextOfMembers(extraction);
  EXPECT_THAT(text, HasSubstr("const __typeof__(g->n[0]) tune_g_n_0 = g->n[0];"));
  EXPECT_THAT(text, HasSubstr("(tune_end <= (__UINTPTR_TYPE__)&g->n[2] || "));
  EXPECT_THAT(text, HasSubstr("tune_g_data[i * tune_g_n_2 + 1] *= tune_g_w_1;"));
  // Where the region uses other elements, too, they are those of the array.
  const v1::Extraction array = Extract(
      Function(kHead, "for (int i = 0; i < g->w[0]; i++) { g->n[1] += g->n[0] * x[i]; x[i] = g->n[n]; }"));
  ASSERT_EQ(Problems(array), "");
  EXPECT_THAT(TextOfMembers(array),
              HasSubstr("(*tune_g_n)[1] += (*tune_g_n)[0] * x[i]; x[i] = (*tune_g_n)[n];"));
}

TEST(MemberRead, LengthsOfArraysCount) {
  const v1::Extraction extraction =
      ReadMembers("for (int i = 0; i < whole.size.rows; i++) whole.table[i + 4][1] = 1;");
  ASSERT_EQ(extraction.diagnostics_size(), 1) << Problems(extraction);
  EXPECT_THAT(extraction.diagnostics(0).reason(), HasSubstr("has 4 elements"));
}

// A pointer is followed by the region where the loops around have iterations, and only there by what stands
// before it.
TEST(MemberRead, PointersInLoopsAreFollowedWhereTheRegionDoes) {
  const v1::Extraction extraction = ReadMembers(
      "for (int i = 0; i < n; i++)\n  for (int j = 0; j < a->size.cols; j++)\n"
      "    b->data[i * b->size.cols + j] = a->scale;");
  ASSERT_EQ(Problems(extraction), "");
  const std::string text = TextOfMembers(extraction);
  EXPECT_THAT(text, HasSubstr("int tune_reached_1 = (long)n >= 1;"));
  EXPECT_THAT(
      text,
      HasSubstr("const __typeof__(a->size.cols) tune_a_size_cols = tune_reached_1 ? a->size.cols : 0;"));
  EXPECT_THAT(text, HasSubstr("int tune_reached_2 = (long)n >= 1 && (long)tune_a_size_cols >= 1;"));
  EXPECT_THAT(text, HasSubstr("const __typeof__(b->data + 0) tune_b_data = tune_reached_2 ? b->data : 0;"));
  EXPECT_THAT(text, HasSubstr("int tune_apart = tune_reached_1 && tune_reached_2 && ("));
}

TEST(MemberRead, OperandsAndArgumentsAreEvaluated) {
  const v1::Scop scop = MembersScop("for (int i = 0; i < n; i++) x[i] = -b->scale + fabs(a->scale);");
  EXPECT_EQ(scop.arrays_size(), 3);
}

TEST(MemberRead, PointersMayLeadOn) {
  const v1::Extraction extraction = ReadMembers("for (int i = 0; i < b->at->rows; i++) x[i] = 1;");
  ASSERT_EQ(Problems(extraction), "");
  EXPECT_THAT(NamesOfMembers(extraction.scops(0)), ElementsAre("tune_b_at_rows", "x"));
  EXPECT_THAT(TextOfMembers(extraction), HasSubstr("tune_end <= (__UINTPTR_TYPE__)&b->at ||"));
}

TEST(MemberRead, OneTypeStaysAStructure) {
  const v1::Extraction extraction =
      ReadMembers("for (int i = 0; i < n; i++) whole.table[0][0] += b->table[1][2];");
  ASSERT_EQ(Problems(extraction), "");
  EXPECT_THAT(TextOfMembers(extraction), Not(HasSubstr("tune_")));
}

struct RefusedMember {
  const char *body, *reason;
};

TEST(MemberRead, OthersAreRefused) {
  for (const RefusedMember& c : std::vector<RefusedMember>{
           // Written, set, followed under a condition, whole, of a union, a bit-field, volatile.
           {"for (int i = 0; i < b->last; i++) { x[i] = 1; b->last = i; }", "member"},
           {"for (int i = 0; i < b->last; i++) { b->data = x; b->data[i] = 1; }", "member"},
           {"for (int i = 0; i < n; i++) if (x[i] > 0) b->data[i] = 1;", "a pointer that is a member"},
           {"for (int i = 0; i < n; i++) { if (x[i] > 9) break; b->data[i] = 1; }", "break"},
           {"for (int i = 0; i < b->last; i++) { matrix m = *b; x[i] = m.last; }", "structure"},
           {"for (int i = 0; i < b->one.i; i++) x[i] = 1;", "member"},
           {"for (int i = 0; i < (int)b->bits; i++) x[i] = 1;", "member"},
           {"for (int i = 0; i < v->last; i++) x[i] = 1;", "member"},
           {"for (int i = 0; i < b[i].last; i++) x[i] = 1;", "member"},
       }) {
    const v1::Extraction extraction = ReadMembers(c.body);
    EXPECT_EQ(extraction.scops_size(), 0) << c.body << TextOfMembers(extraction);
    EXPECT_THAT(Problems(extraction), HasSubstr(c.reason)) << c.body;
  }
}

TEST(MemberRead, WhatElseIsWrongIsToldWhereItStands) {
  const v1::Extraction extraction = ReadMembers(
      "for (int i = 0; i < b->last; i++)\n  for (int j = 0; j < b->last; j++)\n    b->data[b->last + i * j] "
      "= 1;");
  ASSERT_EQ(extraction.diagnostics_size(), 1) << Problems(extraction);
  EXPECT_EQ(extraction.diagnostics(0).expression(), "i * j");
  EXPECT_EQ(extraction.diagnostics(0).line(), 9);
}

TEST(MemberRead, StandsBesideRows) {
  const v1::Extraction extraction = Extract(
      "struct size { int n; };\nvoid f(const struct size *s, double **a) {\n#pragma scop\n"
      "for (int i = 0; i < s->n; i++) a[i][i] = s->n;\n#pragma endscop\n}\n");
  ASSERT_EQ(Problems(extraction), "");
  EXPECT_THAT(NamesOfMembers(extraction.scops(0)), ElementsAre("tune_s_n", "a"));
  EXPECT_THAT(TextOfMembers(extraction), HasSubstr("tune_begin = (__UINTPTR_TYPE__)tune_rows_a[0];"));
  EXPECT_THAT(TextOfMembers(extraction), HasSubstr("tune_end <= (__UINTPTR_TYPE__)&s->n ||"));
}

// What was never set may be no truth value: the program that does not read it must not begin to.
TEST(MemberRead, TruthValuesAreReadAsBytes) {
  const std::string structure = "struct Options { bool on; int n; };\n";
  const v1::Extraction extraction =
      ExtractCpp(structure + Function("void f(int n, double *x, const Options &o)",
                                      "for (int i = 0; i < n; i++) if (o.on) x[i] = 1;"));
  ASSERT_EQ(Problems(extraction), "");
  const std::string& text = extraction.program().files(0).content();
  EXPECT_THAT(text, HasSubstr("const __typeof__(o.on) tune_o_on = *(const unsigned char *)&o.on != 0;"));
  EXPECT_THAT(text, HasSubstr("__is_same(const __typeof__(o.on), const bool)"));
}

}  // namespace
}  // namespace tune::testing
