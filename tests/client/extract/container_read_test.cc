// Elements and sizes of std::vector, std::array, std::span and std::unique_ptr as pointers, arrays and
// variables.
#include "client/extract/cpp/container_read.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "tests/client/extract/extract_fixture.h"

namespace tune::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr char kHeadOfContainers[] =
    "#include <array>\n#include <span>\n#include <vector>\n"
    "using Rows = std::array<std::array<float, 8>, 6>;\n"
    "struct Pair { float a, b; }; struct Body { std::array<float, 3> x; };\n"
    "struct Table { int rows, cols; std::vector<double> data; };\n"
    "namespace space { std::vector<float> far; }\n"
    "void change(std::vector<float> &v);\n"
    "std::vector<float> near;\n"
    "inline void more() { near.push_back(1); }\n"
    "inline float one(int i) { return near[i]; }\n"
    "void f(int n, std::vector<float> &y, const std::vector<float> &x, Rows &a, std::span<const int> s,\n"
    "       std::vector<std::array<double, 3>> &points, Table &t, std::vector<std::vector<float>> &rows, "
    "float *p,\n    std::vector<Pair> &pairs, Table *behind, std::vector<Body> &bodies)";

v1::Extraction ReadContainers(const std::string& body) {
  ExtractionRequest request;
  request.compile_flags = {"-std=gnu++20"};
  return ExtractCpp(Function(kHeadOfContainers, body), request);
}

// The only scop; the test fails without one.
v1::Scop ScopOfContainers(const std::string& body) {
  const v1::Extraction extraction = ReadContainers(body);
  EXPECT_EQ(Problems(extraction), "");
  return extraction.scops_size() == 1 ? extraction.scops(0) : v1::Scop();
}

std::string TextOfContainers(const std::string& body) {
  const v1::Extraction extraction = ReadContainers(body);
  EXPECT_EQ(Problems(extraction), "");
  return extraction.program().files_size() > 0 ? extraction.program().files(0).content() : "";
}

std::vector<std::string> NamesOfContainers(const v1::Scop& scop) {
  std::vector<std::string> names;
  for (const v1::Parameter& parameter : scop.parameters()) names.push_back(parameter.name());
  for (const v1::Array& array : scop.arrays()) names.push_back(array.name());
  return names;
}

TEST(ContainerRead, VectorsAreTheirPointers) {
  const v1::Scop scop = ScopOfContainers("for (std::size_t i = 0; i < x.size(); i++)\n  y[i] += 2 * x[i];");
  EXPECT_THAT(NamesOfContainers(scop), ElementsAre("tune_x_size", "tune_x_data", "tune_y_data"));
  EXPECT_TRUE(scop.arrays(0).read_only());
  EXPECT_EQ(scop.arrays(1).overlap(), v1::Array::POINTER);
  EXPECT_EQ(scop.statements(0).line(), 17);
  EXPECT_EQ(scop.region().begin_line(), 15);
}

TEST(ContainerRead, ProgramChecksThatNoContainerIsWritten) {
  const std::string text = TextOfContainers("for (int i = 0; i < (int)x.size(); i++) y[i] = x[i];");
  EXPECT_THAT(text, HasSubstr("const auto tune_x_size = x.size();"));
  EXPECT_THAT(text, HasSubstr("auto *const tune_y_data = y.data();"));
  EXPECT_THAT(text, HasSubstr("(__UINTPTR_TYPE__)(&x + 1) <= tune_begin"));
  EXPECT_THAT(text, HasSubstr("i < (int)tune_x_size; i++) tune_y_data[i] = tune_x_data[i];"));
  EXPECT_THAT(text, HasSubstr("i < (int)x.size(); i++) y[i] = x[i];"));
}

TEST(ContainerRead, ArraysHaveTheirLengths) {
  const v1::Scop scop = ScopOfContainers(
      "for (int i = 0; i < (int)a.size(); i++)\n  for (int j = 0; j < n; j++) a[i][j] = s[j] + i;");
  EXPECT_THAT(NamesOfContainers(scop), ElementsAre("n", "tune_s_data", "tune_a_data"));
  ASSERT_EQ(scop.arrays(1).extents_size(), 3);
  EXPECT_EQ(scop.arrays(1).extents(2).c_expression(), "8");
  EXPECT_FALSE(scop.arrays(1).read_only());
}

TEST(ContainerRead, VectorsOfArraysAreMatrices) {
  const v1::Scop scop =
      ScopOfContainers("for (int i = 0; i < n; i++)\n  for (int k = 0; k < 3; k++) points[i][k] *= 2;");
  ASSERT_EQ(scop.arrays_size(), 1);
  ASSERT_EQ(scop.arrays(0).extents_size(), 2);
  EXPECT_EQ(scop.arrays(0).extents(1).c_expression(), "3");
}

TEST(ContainerRead, FunctionsOfTheObjectAndOfTheLibrary) {
  EXPECT_THAT(TextOfContainers("for (int i = 0; i < std::ssize(x); i++)\n  y.data()[i] = x.front();"),
              ::testing::AllOf(HasSubstr("i < ((__PTRDIFF_TYPE__)tune_x_size);"),
                               HasSubstr("tune_y_data[i] = tune_x_data[0];")));
  EXPECT_THAT(TextOfContainers("int m = std::size(x);\nfor (int i = 0; i < m; i++) y[i] = space::far[i];"),
              ::testing::AllOf(HasSubstr("int m = tune_x_size;"),
                               HasSubstr("auto *const tune_far_data = space::far.data();")));
}

TEST(ContainerRead, SmartPointersToMany) {
  const std::string head =
      "#include <memory>\nvoid f(int n, std::unique_ptr<float[]> &y, const std::shared_ptr<const int[]> "
      "&at,\n"
      "       std::unique_ptr<float> &one)";
  const auto read = [&](const std::string& body) { return ExtractCpp(Function(head, body)); };
  const v1::Extraction extraction = read("for (int i = 0; i < n; i++)\n  y[i] = at.get()[i];");
  ASSERT_EQ(Problems(extraction), "");
  const std::string text = extraction.program().files(0).content();
  EXPECT_THAT(text, HasSubstr("auto *const tune_y_data = y.get();"));
  EXPECT_THAT(text, HasSubstr("tune_y_data[i] = tune_at_data[i];"));
  EXPECT_THAT(text, HasSubstr("const std::unique_ptr<float[]"));
  // How many there are is not known.
  EXPECT_THAT(read("for (int i = 0; i < n; i++) y[at[i]] = 1;").diagnostics(0).reason(),
              HasSubstr("how many it has is not known"));
  EXPECT_NE(read("for (int i = 0; i < n; i++) { y[i] = 1; y.reset(); }").diagnostics_size(), 0);
  EXPECT_NE(read("for (int i = 0; i < n; i++) *one = i;").diagnostics_size(), 0);
}

TEST(ContainerRead, MembersAreContainers) {
  const std::string text = TextOfContainers(
      "for (int i = 0; i < t.rows; i++)\n  for (int j = 0; j < t.cols; j++) t.data[i * t.cols + j] = i;");
  EXPECT_THAT(text, HasSubstr("auto *const tune_t_data_data = t.data.data();"));
  EXPECT_THAT(text, HasSubstr("const __typeof__(t.cols) tune_t_cols = t.cols;"));
  EXPECT_THAT(text, HasSubstr("(__UINTPTR_TYPE__)&t.data"));
}

TEST(ContainerRead, MembersOfTheObjectItself) {
  const v1::Extraction extraction = ExtractCpp(
      "#include <vector>\nstruct Base { double gain_; };\n"
      "class Signal : Base {\n void amplify();\n std::vector<float> data_; int first = 0; double *p;\n};\n" +
      Function("void Signal::amplify()",
               "for (int i = first; i < (int)data_.size(); i++) this->data_[i] = p[i];"));
  ASSERT_EQ(Problems(extraction), "");
  EXPECT_THAT(NamesOfContainers(extraction.scops(0)),
              ElementsAre("tune_this_first", "tune_this_data_size", "tune_this_p", "tune_this_data_data"));
  const std::string& text = extraction.program().files(0).content();
  EXPECT_THAT(text, HasSubstr("auto *const tune_this_data_data = this->data_.data();"));
  EXPECT_THAT(text, HasSubstr("const __typeof__(this->p + 0) tune_this_p = this->p;"));
}

TEST(ContainerRead, MembersThatARegionSetsAreReferences) {
  const v1::Extraction extraction = ExtractCpp(
      "#include <vector>\nstruct Sums {\n void add(); std::vector<float> data; double total; bool done; int "
      "n;\n};\n" +
      Function("void Sums::add()",
               "for (int i = 0; i < n; i++) total += data[i] + n;\nthis->done = true;\nif (total > 9) total "
               "= 9;"));
  ASSERT_EQ(Problems(extraction), "");
  const std::string& text = extraction.program().files(0).content();
  EXPECT_THAT(text, HasSubstr("auto &tune_this_total = this->total;"));
  EXPECT_THAT(text, HasSubstr("auto &tune_this_done = this->done;"));
  EXPECT_THAT(text, HasSubstr("const __typeof__(this->n) tune_this_n = this->n;"));
  EXPECT_THAT(text, HasSubstr("if (tune_this_total > 9) tune_this_total = 9;"));
  EXPECT_THAT(text, HasSubstr("tune_begin = (__UINTPTR_TYPE__)(&tune_this_total);"));
  EXPECT_THAT(text, Not(HasSubstr("(__UINTPTR_TYPE__)&this->total")));
}

// Other instances of a template run the same lines.
TEST(ContainerRead, InstancesOfTemplates) {
  ExtractionRequest request;
  request.function = "scale<float>";
  const v1::Extraction extraction = ExtractCpp(
      "#include <vector>\ntemplate <typename T> void scale(std::vector<T> &y, T a) {\n"
      "  for (std::size_t i = 0; i < y.size(); i++) y[i] *= a;\n}\n"
      "template void scale<float>(std::vector<float> &, float);\n"
      "template void scale<double>(std::vector<double> &, double);\n",
      request);
  ASSERT_EQ(Problems(extraction), "");
  EXPECT_EQ(extraction.scops(0).arrays(0).element_type(), v1::ELEMENT_TYPE_FLOAT);
}

TEST(ContainerRead, LoopsOverContainersHaveSubscripts) {
  const v1::Extraction extraction = ReadContainers("for (auto &e : y)\n  for (const float by : x) e *= by;");
  ASSERT_EQ(Problems(extraction), "");
  EXPECT_THAT(NamesOfContainers(extraction.scops(0)),
              ElementsAre("tune_y_size", "tune_x_size", "tune_x_data", "by", "tune_y_data"));
  EXPECT_THAT(
      extraction.program().files(0).content(),
      HasSubstr("for (__SIZE_TYPE__ tune_at_e = 0; tune_at_e < tune_y_size; ++tune_at_e) { auto &e = "
                "tune_y_data[tune_at_e];\n  for (__SIZE_TYPE__ tune_at_by = 0; tune_at_by < tune_x_size; "
                "++tune_at_by) { const float by = tune_x_data[tune_at_by]; e *= by; } }"));
}

TEST(ContainerRead, LoopsOverRows) {
  const v1::Scop scop = ScopOfContainers(
      "for (auto &row : a) {\n  for (auto &e : row) e += 1;\n"
      "  for (int j = 0; j < (int)row.size() - 1; j++) row[j] = row[j + 1];\n}");
  ASSERT_EQ(scop.statements_size(), 2);
  EXPECT_TRUE(SameSet(scop.statements(0).domain(), "{ S0[i, j] : 0 <= i < 6 and 0 <= j < 8 }"));
  EXPECT_TRUE(SameSet(scop.statements(1).domain(), "{ S1[i, j] : 0 <= i < 6 and 0 <= j < 7 }"));
}

TEST(ContainerRead, LoopsOverPlainArraysHaveSubscripts) {
  const v1::Extraction extraction = ExtractCpp(
      Function("void f(float (&a)[6][8], float &sum)",
               "for (auto &row : a)\n  for (float e : row)\n    if (e > 0) sum += e; else sum -= e;"));
  ASSERT_EQ(Problems(extraction), "");
  EXPECT_TRUE(
      SameSet(extraction.scops(0).statements(0).domain(), "{ S0[i, j] : 0 <= i < 6 and 0 <= j < 8 }"));
}

TEST(ContainerRead, LoopsOverArraysThatAreMembersHaveSubscripts) {
  const v1::Extraction extraction =
      ExtractCpp("struct filter { float taps[5], shift; double grid[2][3]; };\n" +
                 Function("void f(filter &to, filter *from)", "for (float &x : to.taps) x += 2;"));
  ASSERT_EQ(Problems(extraction), "");
  EXPECT_THAT(
      extraction.program().files(0).content(),
      HasSubstr("for (__SIZE_TYPE__ tune_at_x = 0; tune_at_x < sizeof((*tune_to_taps)) / "
                "sizeof((*tune_to_taps)[0]); ++tune_at_x) { float &x = (*tune_to_taps)[tune_at_x]; x += "
                "2; }"));
  for (const char* loop : {"for (auto &row : to.grid) row[0] = 1;", "for (float &x : from->taps) x += 2;"}) {
    EXPECT_THAT(Problems(ExtractCpp("struct filter { float taps[5], shift; double grid[2][3]; };\n" +
                                    Function("void f(filter &to, filter *from)", loop))),
                HasSubstr("a range-based `for`"));
  }
}

TEST(ContainerRead, LoopsOverContainersNeedNoPragmas) {
  ExtractionRequest request;
  request.function = "scale";
  const v1::Extraction extraction = ExtractCpp(
      "#include <vector>\nvoid scale(std::vector<float> &v) {\n  for (float &x : v)\n    x *= 2;\n}\n",
      request);
  ASSERT_EQ(Problems(extraction), "");
  EXPECT_EQ(extraction.scops(0).statements(0).line(), 4);
}

TEST(ContainerRead, DataDecideAboutElementsOfContainers) {
  const v1::Extraction extraction =
      ReadContainers("for (int i = 0; i < n; i++) {\n  const int at = s[i];\n  y[at] += x[s[i + 1]];\n}");
  ASSERT_EQ(Problems(extraction), "");
  const v1::Scop& scop = extraction.scops(0);
  EXPECT_THAT(NamesOfContainers(scop), ElementsAre("n", "tune_y_size", "tune_x_size", "tune_s_data", "at",
                                                   "tune_x_data", "tune_y_data"));
  EXPECT_TRUE(SamePwAff(scop.arrays(2).extents(0).accessed(),
                        "[n, tune_y_size, tune_x_size] -> { [(tune_x_size)] : n > 0; [(0)] : n <= 0 }"));
  EXPECT_THAT(extraction.program().files(0).content(),
              HasSubstr("auto *const tune_y_data = ((void)tune_y_size, y.data());"));
}

TEST(ContainerRead, ElementsAreStructures) {
  const v1::Scop scop = ScopOfContainers(
      "for (auto &e : pairs) e.a += e.b;\nfor (int i = 0; i < n; i++) pairs[i].b = pairs[i].a;");
  ASSERT_EQ(scop.statements_size(), 2);
  ASSERT_EQ(scop.arrays_size(), 1);
  EXPECT_TRUE(scop.arrays(0).has_structure());
}

struct RefusedContainer {
  const char* name;
  const char* body;
  const char* reason;
  const char* remedy;
};

class RefusedContainers : public ::testing::TestWithParam<RefusedContainer> {};

TEST(ContainerRead, ExchangedVectorsAreExchangedBehindTheRegion) {
  const std::string text = TextOfContainers(
      "for (int t = 0; t < n; t++) {\n"
      "  for (std::size_t i = 0; i < y.size(); i++) y[i] += space::far[i];\n"
      "  y.swap(space::far);\n"
      "}");
  EXPECT_THAT(text, HasSubstr("auto *tune_y_data = y.data();"));
  EXPECT_THAT(text, HasSubstr("std::swap(tune_y_data, tune_far_data);"));
  EXPECT_THAT(text, HasSubstr("y.size() == space::far.size()"));
  // Whether the original has run, which exchanges them itself, or tuned code.
  EXPECT_THAT(text,
              HasSubstr("if (y.data() != tune_y_data_before && space::far.data() == tune_y_data_before)"));
  const size_t behind = text.find("the end of the original");
  ASSERT_NE(behind, std::string::npos);
  EXPECT_NE(text.find("y.swap(space::far);", behind), std::string::npos);
}

TEST_P(RefusedContainers, SayWhatAndWhatToDo) {
  const v1::Extraction extraction = ReadContainers(GetParam().body);
  ASSERT_GE(extraction.diagnostics_size(), 1);
  EXPECT_EQ(extraction.scops_size(), 0);
  EXPECT_THAT(extraction.diagnostics(0).reason(), HasSubstr(GetParam().reason));
  EXPECT_THAT(extraction.diagnostics(0).remedy(), HasSubstr(GetParam().remedy));
}

constexpr RefusedContainer kRefusedContainers[] = {
    {"Grows", "for (int i = 0; i < n; i++) { y[i] = 0; if (i < 3) y.push_back(1); }",
     "the function `push_back` of a std::vector<float>", "before"},
    {"Resized", "for (int i = 0; i < n; i++) { y[i] = 0; y.resize(n); }", "`resize`", "before"},
    {"Assigned", "y = x;\nfor (int i = 0; i < n; i++) y[i] = 0;", "the operator `=` of a std::vector<float>",
     "before"},
    {"SwappedByData", "for (int i = 0; i < n; i++) { y[i] = 0; if (p[i] > 0) std::swap(y, space::far); }",
     "exchanged under a condition", "behind the region"},
    {"SwappedSpans",
     "std::span<const int> other = s;\nfor (int i = 0; i < n; i++) y[i] = s[i];\nstd::swap(s, other);",
     "`s` is used as a whole", "v.data()"},
    {"Passed", "for (int i = 0; i < n; i++) { y[i] = x[i]; change(y); }", "`y` is used as a whole",
     "v.data()"},
    {"Pointed", "for (int i = 0; i < n; i++) { auto *v = &y; y[i] = 0; }", "`y` is used as a whole",
     "v.data()"},
    {"Referred", "for (int i = 0; i < n; i++) { auto &v = y; v[i] = 0; }", "`y` is used as a whole",
     "v.data()"},
    {"ChangedInAFunction", "for (int i = 0; i < n; i++) { y[i] = near[i]; more(); }", "`push_back`",
     "what the function does"},
    {"ReadInAFunction", "for (int i = 0; i < n; i++) y[i] = one(i);", "the operator `[]`", "v.data()"},
    {"SetBehindAPointer", "for (int i = 0; i < n; i++) { p[i] = behind->cols; behind->rows += 1; }",
     "a member of a class that is more than its members", ""},
    {"StructureIsAssigned", "for (int i = 0; i < n; i++) { t.data[i] = 0; t = Table(); }",
     "`t` is used as a whole", "its elements"},
    {"GrowsInARange", "for (auto &e : y) { e = 0; y.push_back(1); }", "`push_back`", "before"},
    {"RowsByValue", "for (auto row : a) row[0] = 0;", "a range-based `for`", "with a subscript"},
    {"EndsARange", "for (auto e : y) if (e > 3) break; else p[0] += e;", "a `break`", "condition"},
    {"ArrayInAnElement", "for (int i = 0; i < n; i++) p[i] = bodies[i].x[2];", "in an element of an array",
     "plain array"},
    {"At", "for (int i = 0; i < n; i++) y.at(i) = 0;", "the function `at`", "write v[i]"},
    {"Iterator", "for (int i = 0; i < n; i++) y[i] = *x.begin();", "the function `begin`", "before"},
    {"RowsOfVectors", "for (int i = 0; i < n; i++) { rows[i][0] = 0; y[0] += rows[i].capacity(); }",
     "may lie anywhere in memory", "v[i * m + j]"},
    {"RowOfArrays", "for (int i = 0; i < n; i++) { auto &row = a[i]; row[0] = 0; }", "the operator `[]`",
     "auto &v"},
    {"DeclaredInside", "for (int i = 0; i < n; i++) { std::array<float, 4> y; y[1] = 2; p[i] = y[1]; }",
     "`y` is declared in the region", "before the region"},
};

INSTANTIATE_TEST_SUITE_P(ContainerRead, RefusedContainers, ::testing::ValuesIn(kRefusedContainers),
                         [](const auto& info) { return info.param.name; });

TEST(ContainerRead, ConstantFunctionsCheckNoAddresses) {
  const v1::Extraction extraction =
      ExtractCpp("#include <array>\n" +
                 Function("constexpr void f(std::array<float, 9> &a)", "for (auto &e : a) e = 1;"));
  ASSERT_EQ(extraction.diagnostics_size(), 1) << Problems(extraction);
  EXPECT_THAT(extraction.diagnostics(0).reason(), HasSubstr("a `constexpr` function"));
  EXPECT_THAT(extraction.diagnostics(0).remedy(), HasSubstr("pointers and numbers"));
}

// Functions of the library end elsewhere than their text.
TEST(ContainerRead, RangesNeedNoBraces) {
  const v1::Extraction extraction =
      ExtractCpp("#include <algorithm>\n#include <vector>\n" +
                 Function("void f(std::vector<double> &v)", "for (auto &p : v) p = std::max(p, 0.0);"));
  ASSERT_EQ(Problems(extraction), "");
  EXPECT_THAT(extraction.program().files(0).content(),
              HasSubstr("{ auto &p = tune_v_data[tune_at_p]; p = std::max(p, 0.0); }"));
}

TEST(ContainerRead, TheLastElementIsOne) {
  const std::string text = TextOfContainers("for (int i = 0; i < n; i++) y[i] = x.back();");
  EXPECT_THAT(text, HasSubstr("tune_y_data[i] = tune_x_data[tune_x_size - 1];"));
}

TEST(ContainerRead, LambdasAreCalledSo) {
  const v1::Extraction extraction =
      ReadContainers("for (int i = 0; i < n; i++) y[i] = [&] { return x[i]; }();");
  ASSERT_GE(extraction.diagnostics_size(), 1);
  EXPECT_EQ(extraction.diagnostics(0).reason(), "a lambda");
  EXPECT_THAT(extraction.diagnostics(0).remedy(), HasSubstr("where it is called"));
}

// A text with variables in their places may be none that compiles.
TEST(ContainerRead, WhatDoesNotCompileIsTold) {
  const v1::Extraction extraction =
      ExtractCpp("#include <vector>\nstruct P { float x; };\n" +
                 Function("void f(std::vector<P> &v, int P)", "for (int i = 0; i < P; i++) v[i].x += 1;"));
  ASSERT_EQ(extraction.diagnostics_size(), 2) << Problems(extraction);
  EXPECT_THAT(extraction.diagnostics(0).reason(), HasSubstr("the operator `[]` of a std::vector"));
  EXPECT_THAT(extraction.diagnostics(1).reason(), HasSubstr("do not compile: "));
  EXPECT_THAT(extraction.diagnostics(1).remedy(), HasSubstr("plain names"));
}

// A class of the same name, with another order of elements.
TEST(ContainerRead, ClassesOfTheUserHaveTheirOwnOrder) {
  const v1::Extraction extraction = ExtractCpp(
      "namespace mine { template <class T> struct vector { T *p; int n; T &operator[](int i) { return p[n - "
      "i]; "
      "} }; }\n" +
      Function("void f(int n, mine::vector<float> &v)", "for (int i = 0; i < n; i++) v[i] = i;"));
  ASSERT_EQ(Problems(extraction), "");
  EXPECT_THAT(extraction.scops(0).statements(0).accesses(0).relation(), HasSubstr("tune_v_n - i"));
}

}  // namespace
}  // namespace tune::testing
