#include "common/tuned/guard.h"

#include <gmock/gmock.h>
#include <google/protobuf/text_format.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "common/base/file.h"

namespace tune {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

v1::Scop Parse(const std::string& text) {
  v1::Scop scop;
  EXPECT_TRUE(google::protobuf::TextFormat::ParseFromString(text, &scop));
  return scop;
}

v1::Reference References(const std::string& text) {
  v1::Reference reference;
  EXPECT_TRUE(google::protobuf::TextFormat::ParseFromString(text, &reference));
  return reference;
}

// What a program returns that returns the guard's value; `head`: declarations, of which the last is the head
// of f; `call`: of f. -1: it does not compile without warnings.
int Returned(const Guard& guard, const std::string& head, const std::string& call,
             const std::string& flags = "", const std::string& extension = ".c") {
  const TemporaryFolder folder = TemporaryFolder::Make().value();
  const std::string base = folder.path() + "/guard";
  const std::string text =
      absl::StrCat(head, head.back() == ';' ? "\n" : " {\n", guard.definitions, "int value;\nif (",
                   guard.condition, ") value = 1; else value = 0;\n", guard.end,
                   "return value;\n}\nint main(void) { return ", call, "; }\n");
  EXPECT_TRUE(WriteFile(base + extension, text).ok());
  for (const std::string compiler : {"gcc", "clang-16"}) {
    const std::string build =
        absl::StrCat(compiler, extension == ".c" ? " -std=c99" : " -std=c++14",
                     " -Wall -Wextra -Wno-unused-parameter -Wno-unused-variable -Werror ", flags, " ", base,
                     extension, " -o ", base);
    if (std::system(build.c_str()) != 0) {
      ADD_FAILURE() << build << "\n" << text;
      return -1;
    }
    const int status = std::system(base.c_str());
    if (compiler == "clang-16") return WEXITSTATUS(status);
  }
  return -1;
}

TEST(Guard, OfNothingIsTrue) { EXPECT_EQ(MakeGuard({}, {}, true)->condition, "1"); }

TEST(Guard, HoldsParameters) {
  const v1::Scop scop =
      Parse("parameters { name: 'n' c_type: 'int' } parameters { name: 'm' c_type: 'long' }");
  const auto guard = MakeGuard(
      scop, References("parameters { name: 'n' value: 3 } parameters { name: 'm' value: -4 }"), true);
  EXPECT_EQ(guard->condition, "n == 3 &&\n    m == -4");
  EXPECT_TRUE(absl::IsInvalidArgument(MakeGuard(scop, {}, true).status()));
}

TEST(Guard, OfSizesThatAreArgumentsAsksForTheRequirement) {
  const v1::Scop scop = Parse(R"pb(
    parameters { name: 'n' c_type: 'int' }
    arrays {
      name: 'a'
      element_type: ELEMENT_TYPE_DOUBLE
      is_pointer: true
      overlap: POINTER
      extents { accessed: '[n] -> { [(n)] }' }
    }
    arrays {
      name: 'b'
      element_type: ELEMENT_TYPE_DOUBLE
      is_pointer: true
      overlap: POINTER
      extents { c_expression: '2 * n' }
    }
  )pb");
  const Guard guard = MakeGuard(scop, {"n >= 4", {{"a", "n"}}});
  const std::string head = "int f(int n, double *a, double *b)";
  const auto returned = [&](const std::string& call) {
    return Returned(guard, "static double x[99];\n" + head, "f(" + call + ")");
  };
  EXPECT_EQ(returned("4, x, x + 4"), 1);
  EXPECT_EQ(returned("9, x, x + 9"), 1);
  EXPECT_EQ(returned("3, x, x + 4"), 0);
  EXPECT_EQ(returned("9, x, x + 8"), 0);   // a has n elements
  EXPECT_EQ(returned("9, x + 17, x"), 0);  // b has twice as many
  EXPECT_EQ(returned("9, x + 18, x"), 1);
}

// There may be more elements than an int counts.
TEST(Guard, ElementsAreCountedInLongs) {
  const v1::Scop scop = Parse(R"pb(
    parameters { name: 'm' c_type: 'int' }
    arrays {
      name: 'a'
      element_type: ELEMENT_TYPE_CHAR
      is_pointer: true
      is_flat: true
      overlap: POINTER
      extents { accessed: '{ [(3)] }' }
      extents { c_expression: 'm' }
    }
    arrays {
      name: 'b'
      element_type: ELEMENT_TYPE_CHAR
      is_pointer: true
      overlap: POINTER
      extents { c_expression: '1' }
    }
  )pb");
  const v1::Reference reference = References(
      "parameters { name: 'm' value: 1200000000 } arrays { name: 'a' extents: 3 extents: 1200000000 } arrays "
      "{ "
      "name: 'b' extents: 1 }");
  for (const Guard& guard : {*MakeGuard(scop, reference, true), MakeGuard(scop, {"1", {{"a", "3"}}})}) {
    const std::string f = "int f(int m, char *a, char *b)",
                      far = "f(1200000000, (char *)4096, (char *)4096 + ";
    EXPECT_EQ(Returned(guard, f, far + "3599999999)"), 0);
    EXPECT_EQ(Returned(guard, f, far + "3600000000)"), 1);
  }
}

TEST(Guard, HoldsMacrosByTheirTokens) {
  const v1::Scop scop = Parse(
      "meanings { kind: EXPANSION text: 'N' value: '(512+ 1)' }"
      "meanings { kind: EXPANSION text: 'NAME(\"a\", x)' value: 'g(\"a\" \"\\\\n\", x)' }");
  const Guard guard = MakeGuard(scop, {}, true).value();
  const std::string name = "#define NAME(s, x) g(s \"\\n\", x)\n";
  const std::string f = "int f(int x)";
  EXPECT_EQ(Returned(guard, name + "#define M 512\n#define N (M+ 1)\n" + f, "f(1)"), 1);
  EXPECT_EQ(Returned(guard, name + "#define N (513 + 1)\n" + f, "f(1)"), 0);
  EXPECT_EQ(Returned(guard, name + f, "f(1)"), 0);
  EXPECT_EQ(Returned(guard, "#define N (512+ 1)\n#define NAME(s, x) g(s, x)\n" + f, "f(1)"), 0);
}

TEST(Guard, HoldsTestedNames) {
  const Guard guard =
      MakeGuard(Parse("meanings { kind: DEFINED text: 'ON' } meanings { kind: UNDEFINED text: 'OFF' }"), {},
                true)
          .value();
  EXPECT_EQ(Returned(guard, "#define ON\nint f(void)", "f()"), 1);
  EXPECT_EQ(Returned(guard, "int f(void)", "f()"), 0);
  EXPECT_EQ(Returned(guard, "#define ON\nint f(void)", "f()", "-DOFF=0"), 0);
}

TEST(Guard, HoldsTypesAndConstants) {
  const Guard guard = MakeGuard(Parse("meanings { kind: TYPE text: 'real' value: 'double' }"
                                      "meanings { kind: CONSTANT text: 'half' value: '5.0e-01' }"),
                                {}, true)
                          .value();
  EXPECT_EQ(Returned(guard, "typedef double real;\nstatic const double half = 0.5;\nint f(void)", "f()"), 1);
  EXPECT_EQ(Returned(guard, "typedef float real;\nstatic const double half = 0.5;\nint f(void)", "f()"), 0);
  EXPECT_EQ(Returned(guard, "typedef double real;\nstatic const double half = 0.25;\nint f(void)", "f()"), 0);
}

constexpr char kArrays[] =
    "arrays { name: 'A' element_type: ELEMENT_TYPE_DOUBLE is_pointer: true overlap: POINTER"
    "  extents { c_expression: '4' } extents { c_expression: 'm' } }"
    "arrays { name: 'b' element_type: ELEMENT_TYPE_LONG is_pointer: true overlap: POINTER read_only: true"
    "  extents { c_expression: '6' } }"
    "arrays { name: 't' element_type: ELEMENT_TYPE_FLOAT declared_inside: true }";
constexpr char kExtents[] = "arrays { name: 'A' extents: 4 extents: 5 } arrays { name: 'b' extents: 6 }";

TEST(Guard, HoldsInCpp) {
  const v1::Scop scop = Parse(R"(
    region { file: 'f.cpp' }
    meanings { kind: TYPE text: '::space::real' value: 'float' }
    meanings { kind: CONSTANT text: '::space::kRows' value: '9' }
    meanings { kind: EXPANSION text: 'RATE' value: '2.0 * 3' }
    arrays { name: 'a' element_type: ELEMENT_TYPE_FLOAT read_only: true overlap: POINTER
             extents { c_expression: '9' } extents { c_expression: '4' } }
    arrays { name: 's' element_type: ELEMENT_TYPE_DOUBLE overlap: POINTER }
    arrays { name: 'b' element_type: ELEMENT_TYPE_UNSIGNED_CHAR is_truth: true is_pointer: true
             overlap: POINTER extents {} })");
  const v1::Reference reference =
      References("arrays { name: 'a' extents: 9 extents: 4 } arrays { name: 'b' extents: 5 }");
  const std::string space = "namespace space { typedef float real; constexpr int kRows = 9; }\n";
  const std::string data = "float x[9][4]; double y; bool z[8];\n#define RATE 2.0 * 3\n";
  const std::string head = "int f(const float (&a)[9][4], double &s, bool *b)";
  const auto guard = MakeGuard(scop, reference, true);
  EXPECT_EQ(Returned(*guard, space + data + head, "f(x, y, z)", "", ".cpp"), 1);
  // The number lies among the elements.
  EXPECT_EQ(Returned(*guard, space + data + head, "f(x, *reinterpret_cast<double *>(&x[2]), z)", "", ".cpp"),
            0);
  EXPECT_EQ(Returned(*guard,
                     space + "float x[9][4]; float y; bool z[8];\n#define RATE 2.0 * 3\n"
                             "int f(const float (&a)[9][4], float &s, bool *b)",
                     "f(x, y, z)", "", ".cpp"),
            0);
  EXPECT_EQ(
      Returned(*guard, "namespace space { typedef double real; constexpr int kRows = 9; }\n" + data + head,
               "f(x, y, z)", "", ".cpp"),
      0);
}

TEST(Guard, HoldsElementTypesAndRows) {
  const Guard rows = MakeGuard(Parse(kArrays), References(kExtents), true).value();
  const Guard any_rows = MakeGuard(Parse(kArrays), References(kExtents), false).value();
  const std::string data = "static double D[4][5], E[4][6]; static long long l[6]; static float F[4][5];\n";
  const std::string f = "static int f(int m, const double A[4][m], long long *b)";
  EXPECT_EQ(Returned(rows, data + f, "f(5, D, l)"), 1);
  EXPECT_EQ(Returned(rows, data + f, "f(6, E, l)"), 0);
  EXPECT_EQ(Returned(any_rows, data + f, "f(6, E, l)"), 1);
  EXPECT_EQ(Returned(rows, data + "static int f(int m, float A[4][m], long long *b)", "f(5, F, l)"), 0);
  EXPECT_EQ(Returned(rows, data + "static int f(int m, double A[4][m], unsigned long *b)",
                     "f(5, D, (unsigned long *)l)"),
            0);
  EXPECT_TRUE(absl::IsInvalidArgument(MakeGuard(Parse(kArrays), {}, true).status()));
}

TEST(Guard, NothingIsBetweenRowsOfWhichCodeHasCopies) {
  const v1::Scop scop = Parse(
      "arrays { name: 'a' element_type: ELEMENT_TYPE_DOUBLE is_pointer: true extents { accessed: '{ [(3)] }' "
      "} "
      "extents { c_expression: 'tune_row_a_2' } }");
  const v1::Reference reference = References("arrays { name: 'a' extents: 3 extents: 4 }");
  const std::string term = "tune_row_a_2 == tune_used_a_2";
  EXPECT_THAT(MakeGuard(scop, reference, true)->condition, HasSubstr(term));
  EXPECT_THAT(MakeGuard(scop, reference, false)->condition, Not(HasSubstr(term)));
  EXPECT_THAT(MakeGuard(scop, SizeArguments{"1", {{"a", "3"}}}).condition, HasSubstr(term));
}

TEST(Guard, HoldsDistance) {
  const Guard guard = MakeGuard(Parse(kArrays), References(kExtents), true).value();
  EXPECT_THAT(guard.condition, HasSubstr("((__UINTPTR_TYPE__)(A + 4) <= (__UINTPTR_TYPE__)b || "
                                         "(__UINTPTR_TYPE__)(b + 6) <= (__UINTPTR_TYPE__)A)"));
  const std::string f = "static double D[26];\nstatic int f(double A[4][5], long *b)";
  const auto at = [](int b) { return absl::StrCat("f((double (*)[5])(D + 6), (long *)(D + ", b, "))"); };
  EXPECT_EQ(Returned(guard, f, at(0)), 1);
  EXPECT_EQ(Returned(guard, f, at(1)), 0);
  EXPECT_EQ(Returned(guard, f, at(25)), 0);
  EXPECT_EQ(Returned(guard, f, at(26)), 1);
}

// No address of what `register` may hold, or of what nobody can point to.
TEST(Guard, AsksForNoOtherAddress) {
  const v1::Scop scop = Parse(
      "arrays { name: 'A' element_type: ELEMENT_TYPE_INT is_pointer: true overlap: POINTER extents {} }"
      "arrays { name: 's' element_type: ELEMENT_TYPE_INT }"
      "arrays { name: 'g' element_type: ELEMENT_TYPE_INT overlap: TARGET }"
      "arrays { name: 'C' element_type: ELEMENT_TYPE_INT read_only: true overlap: TARGET extents {} }"
      "arrays { name: 'D' element_type: ELEMENT_TYPE_INT overlap: TARGET extents {} }");
  const Guard guard = MakeGuard(scop,
                                References("arrays { name: 'A' extents: 3 } arrays { name: 'C' extents: 3 } "
                                           "arrays { name: 'D' extents: 3 }"),
                                true)
                          .value();
  const std::string f =
      "static int g, C[3], D[3], E[3];\nstatic int f(int *A) { register int s = C[0] + D[0]; if (s) return "
      "s;";
  EXPECT_EQ(Returned(guard, f, "f(D)"), 0);
  EXPECT_EQ(Returned(guard, f, "f(&g)"), 0);
  EXPECT_EQ(Returned(guard, f, "f(C)"), 0);
  EXPECT_EQ(Returned(guard, f, "f(E)"), 1);
}

// A parameter that pointers reach, and an array of integers that may lie over it.
TEST(Guard, ParametersAreNotInsideOfArrays) {
  const v1::Scop scop = Parse(
      "parameters { name: 'n' c_type: 'int' is_target: true } parameters { name: 'm' c_type: 'int' }"
      "arrays { name: 'A' element_type: ELEMENT_TYPE_INT is_pointer: true overlap: POINTER extents {} }"
      "arrays { name: 'B' element_type: ELEMENT_TYPE_FLOAT is_pointer: true overlap: POINTER extents {} }");
  const Guard guard =
      MakeGuard(scop,
                References("parameters { name: 'n' value: 7 } parameters { name: 'm' value: 2 } "
                           "arrays { name: 'A' extents: 3 } arrays { name: 'B' extents: 3 }"),
                true)
          .value();
  const std::string f =
      "static struct { int A[3], n, B[3]; } s;\n#define n s.n\n"
      "static int f(int *A) { register int m = 2; float B[3]; n = 7;";
  EXPECT_EQ(Returned(guard, f, "f(s.A)"), 1);
  EXPECT_EQ(Returned(guard, f, "f(s.A + 1)"), 0);
  EXPECT_EQ(Returned(guard, f, "f(s.B)"), 1);
}

}  // namespace
}  // namespace tune
