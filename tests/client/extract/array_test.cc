// Types, extents and context of arrays; parameters.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/client/extract/extract_fixture.h"

namespace tune::testing {
namespace {

v1::Array ArrayOf(const std::string& head, const std::string& body, int index = 0) {
  v1::Scop scop = ScopOf(head, body);
  EXPECT_GT(scop.arrays_size(), index);
  return scop.arrays_size() > index ? scop.arrays(index) : v1::Array();
}

std::vector<std::string> Extents(const v1::Array& array) {
  std::vector<std::string> extents;
  for (const v1::Extent& extent : array.extents()) extents.push_back(extent.c_expression());
  return extents;
}

using ::testing::ElementsAre;

TEST(Array, Objects) {
  v1::Array array = ArrayOf("double A[3][4 + 1]; void f(void)", "A[0][0] = 1;");
  EXPECT_THAT(Extents(array), ElementsAre("3", "5"));
  EXPECT_FALSE(array.is_pointer());
  EXPECT_FALSE(array.read_only());
  EXPECT_EQ(array.element_type(), v1::ELEMENT_TYPE_DOUBLE);
}

TEST(Array, Halves) {
  const v1::Scop scop = ScopOf("_Float16 A[4], t; void f(_Float16 s)", "A[0] = s; t = A[1];");
  ASSERT_EQ(scop.arrays_size(), 3);
  for (const v1::Array& array : scop.arrays()) EXPECT_EQ(array.element_type(), v1::ELEMENT_TYPE_FLOAT16);
}

TEST(Array, ComplexNumbers) {
  const v1::Scop scop = ScopOf("float _Complex A[4], t; void f(double _Complex s[4])", "A[0] = t; s[1] = 2;");
  ASSERT_EQ(scop.arrays_size(), 3);
  for (const v1::Array& array : scop.arrays()) {
    EXPECT_EQ(array.element_type(),
              array.name() == "s" ? v1::ELEMENT_TYPE_COMPLEX_DOUBLE : v1::ELEMENT_TYPE_COMPLEX_FLOAT);
  }
}

TEST(Array, ParametersKeepTheirOutermostExtent) {
  v1::Array array =
      ArrayOf("void f(int n, int m, float A[n + 1][2 * m])", "for (int i = 0; i < n; i++) A[i][m] = 1;");
  EXPECT_THAT(Extents(array), ElementsAre("n + 1", "2 * m"));
  EXPECT_TRUE(array.is_pointer());
  EXPECT_EQ(array.element_type(), v1::ELEMENT_TYPE_FLOAT);
  EXPECT_EQ(array.extents(0).accessed(), "");
}

TEST(Array, ParametersWithStaticAndRestrict) {
  EXPECT_THAT(Extents(ArrayOf("void f(int n, double A[restrict static 8])", "A[0] = 1;")), ElementsAre("8"));
  EXPECT_THAT(Extents(ArrayOf("typedef double row[7]; void f(row A[3])", "A[0][0] = 1;")),
              ElementsAre("3", "7"));
}

TEST(Array, PointersAreBoundedByTheirAccesses) {
  v1::Array array = ArrayOf("void f(int n, double *x)", "for (int i = 0; i < n; i++) x[i + 2] = x[2 * i];");
  EXPECT_THAT(Extents(array), ElementsAre(""));
  EXPECT_TRUE(array.is_pointer());
  EXPECT_TRUE(SamePwAff(array.extents(0).accessed(),
                        "[n] -> { [(0)] : n <= 0; [(n + 2)] : 0 < n <= 3; [(2n - 1)] : n > 3 }"));
}

TEST(Array, AccessesThatAConditionGuards) {
  v1::Scop scop = ScopOf("void f(int n, double *restrict x, double *restrict y)",
                         "for (int i = 0; i < n; i++) y[i] = i > 0 ? x[i - 1] : i < n - 1 ? x[i] : 0.0;");
  EXPECT_TRUE(
      SamePwAff(scop.arrays(0).extents(0).accessed(), "[n] -> { [(n - 1)] : n >= 2; [(0)] : n <= 1 }"));
  EXPECT_TRUE(SameMap(scop.statements(0).accesses(0).relation(), "[n] -> { S0[i] -> x[i - 1] }"));
}

TEST(Array, PointersToRows) {
  v1::Array array =
      ArrayOf("void f(int n, int m, double (*A)[m])", "for (int i = 0; i < n; i++) A[i][m - 1] = 1;");
  EXPECT_THAT(Extents(array), ElementsAre("", "m"));
  EXPECT_TRUE(SamePwAff(array.extents(0).accessed(), "[n, m] -> { [(n)] : n > 0; [(0)] : n <= 0 }"));
}

TEST(Array, OpenExtentOfAParameter) {
  v1::Array array = ArrayOf("void f(double A[][6])", "for (int i = 0; i < 5; i++) A[i][0] = 1;");
  EXPECT_THAT(Extents(array), ElementsAre("", "6"));
  EXPECT_TRUE(SamePwAff(array.extents(0).accessed(), "{ [(5)] }"));
}

TEST(Array, PointerToAWholeArray) {
  v1::Array array = ArrayOf("void f(double (*A)[4][6])", "for (int i = 0; i < 3; i++) (*A)[i][1] = 1;");
  EXPECT_THAT(Extents(array), ElementsAre("", "4", "6"));
  EXPECT_TRUE(SamePwAff(array.extents(0).accessed(), "{ [(1)] }"));
}

TEST(Array, SizesThatChangedAreReadFromTheObject) {
  v1::Extraction extraction = Extract(
      "void f(int n, double B[n]) { double A[n][n + 1]; n = 3;\n#pragma scop\n"
      "for (int i = 0; i < n; i++) A[i][0] = B[i];\n#pragma endscop\n}\n");
  ASSERT_EQ(Problems(extraction), "");
  EXPECT_THAT(Extents(extraction.scops(0).arrays(0)), ElementsAre(""));  // B: n is no longer its size
  EXPECT_THAT(Extents(extraction.scops(0).arrays(1)),
              ElementsAre("sizeof(A) / sizeof(A[0])", "sizeof(A[0]) / sizeof(A[0][0])"));
}

TEST(Array, VariableLengthLocals) {
  v1::Extraction extraction = Extract(
      "void f(int n) { double A[n][n + 1];\n#pragma scop\n"
      "for (int i = 0; i < n; i++) A[i][0] = 1;\n#pragma endscop\n}\n");
  ASSERT_EQ(Problems(extraction), "");
  EXPECT_THAT(Extents(extraction.scops(0).arrays(0)), ElementsAre("n", "n + 1"));
  EXPECT_FALSE(extraction.scops(0).arrays(0).is_pointer());
  EXPECT_TRUE(SameSet(extraction.scops(0).context(), "[n] -> { : n >= 1 }"));
}

TEST(Array, ElementTypes) {
  v1::Scop scop = ScopOf(
      "typedef unsigned long size; enum color { RED }; void f(char a, signed char b, unsigned char c, short "
      "d, unsigned short e, int g, "
      "unsigned h, long i, size j, float k, double l, long long m, enum color o)",
      "a = 1; b = 1; c = 1; d = 1; e = 1; g = 1; h = 1; i = 1; j = 1; k = 1; l = 1; m = 1; o = RED;");
  ASSERT_EQ(scop.arrays_size(), 13);
  for (int i = 0; i < 11; ++i) EXPECT_EQ(scop.arrays(i).element_type(), i + 1) << scop.arrays(i).name();
  EXPECT_EQ(scop.arrays(11).element_type(), v1::ELEMENT_TYPE_LONG);
  EXPECT_EQ(scop.arrays(12).element_type(), v1::ELEMENT_TYPE_UNSIGNED_INT);
}

TEST(Array, ReadOnlyAndScalars) {
  v1::Scop scop =
      ScopOf("void f(int n, double alpha, double A[n])", "for (int i = 0; i < n; i++) A[i] *= alpha;");
  ASSERT_EQ(scop.arrays_size(), 2);
  EXPECT_EQ(scop.arrays(0).name(), "alpha");
  EXPECT_EQ(scop.arrays(0).extents_size(), 0);
  EXPECT_TRUE(scop.arrays(0).read_only());
  EXPECT_FALSE(scop.arrays(1).read_only());
}

TEST(Parameters, AreThoseOfBoundsConditionsAndSubscripts) {
  v1::Scop scop = ScopOf("long k; void f(unsigned n, int m, int data, int size, double A[size])",
                         "for (unsigned i = 0; i < n; i++) if (m > 3) A[i + k] = data;");
  ASSERT_EQ(scop.parameters_size(), 3);
  EXPECT_EQ(scop.parameters(0).name(), "n");
  EXPECT_EQ(scop.parameters(0).c_type(), "unsigned int");
  EXPECT_EQ(scop.parameters(1).name(), "m");
  EXPECT_EQ(scop.parameters(2).name(), "k");
  EXPECT_EQ(scop.parameters(2).c_type(), "long");
  EXPECT_EQ(scop.arrays(0).name(), "data");
  EXPECT_TRUE(SameSet(scop.context(), "[n, m, k] -> { : n >= 0 }"));
}

TEST(Parameters, AnIteratorOfALoopAroundTheRegion) {
  v1::Extraction extraction = Extract(
      "void f(int n, double A[n]) { for (int t = 0; t < n; t++) {\n#pragma scop\n"
      "for (int i = t; i < n; i++) A[i] += A[t];\n#pragma endscop\n} }\n");
  ASSERT_EQ(Problems(extraction), "");
  EXPECT_EQ(extraction.scops(0).parameters(0).name(), "t");
}

TEST(Parameters, ExtentsBoundThem) {
  v1::Scop scop =
      ScopOf("void f(int n, int m, double A[n][m - 1])", "for (int i = 0; i < n; i++) A[i][m - 2] = 1;");
  EXPECT_TRUE(SameSet(scop.context(), "[n, m] -> { : n >= 0 and m >= 2 }"));
}

}  // namespace
}  // namespace tune::testing
