// Refusals in words of C++, and of what is no C++.
#include "client/extract/cpp/refused_cpp.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "client/extract/source/diagnostic.h"
#include "tests/client/extract/extract_fixture.h"

namespace tune::testing {
namespace {

using ::testing::HasSubstr;

struct CppCase {
  const char* name;
  const char* body;
  const char* reason;
  const char* remedy;
};

constexpr char kHeadOfRefused[] =
    "#include <array>\n#include <vector>\n#include <complex>\n"
    "namespace other { double scale; std::complex<double> z[9]; }\n"
    "enum class Kind { kOne };\n"
    "struct Base { virtual int size() const { return 1; } };\n"
    "struct Pair { double a, b; };\n"
    "struct Point { double x, y; Point() : x(0), y(0) {} Point(double a, double b) : x(a), y(b) {} };\n"
    "struct Grid { double *p; int n; void f(int m, double *y, std::vector<double> &v, std::vector<bool> "
    "&bits, "
    "Base &base, Pair pair, std::vector<Point> &points); };\n"
    "void Grid::f(int m, double *y, std::vector<double> &v, std::vector<bool> &bits, Base &base, Pair pair, "
    "std::vector<Point> &points)";

class RefusedCpp : public ::testing::TestWithParam<CppCase> {};

TEST_P(RefusedCpp, SaysWhatAndWhatToDo) {
  const v1::Extraction extraction = ExtractCpp(Function(kHeadOfRefused, GetParam().body));
  ASSERT_GE(extraction.diagnostics_size(), 1) << Problems(extraction);
  EXPECT_EQ(extraction.scops_size(), 0);
  EXPECT_EQ(extraction.diagnostics(0).line(), 12);
  EXPECT_THAT(extraction.diagnostics(0).reason(), HasSubstr(GetParam().reason));
  EXPECT_THAT(extraction.diagnostics(0).remedy(), HasSubstr(GetParam().remedy));
}

constexpr CppCase kCppCases[] = {
    {"Member", "for (int i = 0; i < m; i++) { Grid *g = this; y[i] = g->n; }", "a member of the object",
     "float *p = this->p;"},
    {"Bits", "for (int i = 0; i < m; i++) y[i] = bits[i];", "a std::vector<bool>, which is a bit",
     "unsigned char"},
    {"MemberFunction", "for (int i = 0; i < m; i++) y[i] = v.capacity();",
     "the function `capacity` of a std::vector<double>", "before"},
    {"MemberOfItsOwn", "for (int i = 0; i < m; i++) f(1, y, v, bits, base, pair, points);",
     "the member function `f`, which is more than one `return`", "static"},
    {"Virtual", "for (int i = 0; i < m; i++) y[i] = base.size();", "virtual function `size`",
     "before the region"},
    {"RangeFor", "for (double x : {1.0, 2.0}) y[0] += x;", "a range-based `for`", "with a subscript"},
    {"Complex", "for (int i = 0; i < m; i++) ::other::z[i] *= ::other::z[0];", "arithmetic of std::complex",
     "reinterpret_cast<float _Complex *>(z)"},
    {"Lambda", "for (int i = 0; i < m; i++) y[i] = [](int k) { return 2 * k; }(i);", "a lambda",
     "where it is called"},
    {"New", "for (int i = 0; i < m; i++) { double *q = new double; y[i] = 0; }", "`new` or `delete`",
     "before the region"},
    {"Throw", "for (int i = 0; i < m; i++) { y[i] = 0; if (i > m) throw 1; }", "exceptions",
     "before the region"},
    {"Try", "try { for (int i = 0; i < m; i++) y[i] = 0; } catch (...) {}", "exceptions",
     "before the region"},
    {"Qualified", "for (int i = 0; i < m; i++) y[i] = other::scale;", "`scale` by the name of its namespace",
     "auto &scale_here = ::other::scale;"},
    {"EnumClass", "for (int i = 0; i < m; i++) y[i] = static_cast<int>(Kind::kOne);", "`enum class`",
     "const int"},
    {"Declaration", "for (int i = 0; i < m; i++) if (int k = i % 3) y[i] = k;", "an `if` that declares",
     "before"},
    {"Binding", "for (int i = 0; i < m; i++) { auto [a, b] = pair; y[i] = a; }", "a structured binding",
     "each number"},
    {"Object", "for (int i = 0; i < m; i++) y[i] = std::vector<double>(3).size();",
     "the function `size` of a std::vector<double>", "before"},
    {"Constructor", "for (int i = 0; i < m; i++) { Point p(i, 2); y[i] = p.x * p.y; }",
     "an object that the constructor of `Point` makes", "let `Point` have no constructors"},
    {"DefaultConstructor", "for (int i = 0; i < m; i++) { Point p; y[i] = p.x; }",
     "an object that the constructor of `Point` makes", "`Point p = {1, 2};`"},
    {"SetToAnObject", "for (int i = 0; i < m; i++) points[i] = Point(i, 2);",
     "an object that the constructor of `Point` makes", "a list of its members' values"},
};

INSTANTIATE_TEST_SUITE_P(Constructs, RefusedCpp, ::testing::ValuesIn(kCppCases),
                         [](const auto& info) { return info.param.name; });

TEST(RefusedCppTest, FunctionsOfTheLibraryAreNamed) {
  const v1::Extraction extraction =
      ExtractCpp(Function("#include <algorithm>\nvoid f(int n, double *y)",
                          "for (int i = 0; i < n; i++) std::swap(y[i], y[0]);"));
  ASSERT_EQ(extraction.diagnostics_size(), 1) << Problems(extraction);
  EXPECT_THAT(extraction.diagnostics(0).reason(), HasSubstr("a call of `swap`, a function of the library"));
  EXPECT_THAT(extraction.diagnostics(0).remedy(), HasSubstr("<cmath>"));
}

TEST(RefusedCppTest, LambdasMayBeCalledAgain) {
  const v1::Extraction extraction = ExtractCpp(
      "void f(int n, double *y) {\n  const auto clear = [&](int m) {\n#pragma scop\n"
      "    for (int i = 0; i < m; i++) y[i] = 0;\n#pragma endscop\n  };\n  clear(n);\n}\n");
  ASSERT_EQ(extraction.diagnostics_size(), 1) << Problems(extraction);
  EXPECT_EQ(extraction.diagnostics(0).reason(), "the region lies in a lambda");
}

TEST(RefusedCppTest, HelpersMayNotMeanOtherVariables) {
  const v1::Extraction extraction = ExtractCpp(
      "namespace a { double w; inline double by(double x) { return w * x; } }\n"
      "namespace b { double w;\n" +
      Function("void f(int n, double *y)", "for (int i = 0; i < n; i++) y[i] = a::by(y[i]);") + "}\n");
  EXPECT_EQ(extraction.scops_size(), 0);
  EXPECT_THAT(Problems(extraction), HasSubstr("`w`, whose plain name does not mean it there"));
}

TEST(RefusedCppTest, FilesAreReadByTheirNames) {
  SourceFolder folder;
  ExtractionRequest request;
  request.file = folder.Write("loop.f90", "do i = 1, n\nend do\n");
  v1::Extraction extraction = ExtractScops(request);
  ASSERT_EQ(extraction.diagnostics_size(), 1);
  EXPECT_THAT(extraction.diagnostics(0).reason(), HasSubstr("Fortran"));
  EXPECT_THAT(extraction.diagnostics(0).remedy(), HasSubstr("ISO_C_BINDING"));

  request.file = folder.Write("vector.c", "#include <vector>\n");
  extraction = ExtractScops(request);
  ASSERT_EQ(extraction.diagnostics_size(), 1);
  EXPECT_THAT(extraction.diagnostics(0).remedy(), HasSubstr(".cpp"));

  request.file = folder.Write("kernel.cu", "__global__ void f(float *x) { x[0] = 1; }\n");
  extraction = ExtractScops(request);
  ASSERT_GE(extraction.diagnostics_size(), 1);
  EXPECT_THAT(extraction.diagnostics(0).remedy(), HasSubstr("without what belongs to CUDA"));
}

}  // namespace
}  // namespace tune::testing
