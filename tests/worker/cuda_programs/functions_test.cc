// Every function of the C library and of the compiler that a region may call, with arguments of types that C
// converts.
#include <gtest/gtest.h>

#include <algorithm>

#include "absl/strings/str_join.h"
#include "common/base/file.h"
#include "tests/common/testing/device_models.h"
#include "tests/common/testing/programs.h"
#include "tests/worker/cuda_programs/nvcc.h"
#include "tests/worker/cuda_programs/simulation.h"

namespace tune {
namespace {

struct Function {
  const char* name;
  int numbers;              // arguments that are floating-point numbers
  const char* others = "";  // further ones
};

// Each exists for double and, with an f, for float.
constexpr Function kFunctions[] = {{"acos", 1},
                                   {"asin", 1},
                                   {"atan", 1},
                                   {"cos", 1},
                                   {"sin", 1},
                                   {"tan", 1},
                                   {"acosh", 1},
                                   {"asinh", 1},
                                   {"atanh", 1},
                                   {"cosh", 1},
                                   {"sinh", 1},
                                   {"tanh", 1},
                                   {"exp", 1},
                                   {"exp2", 1},
                                   {"expm1", 1},
                                   {"log", 1},
                                   {"log10", 1},
                                   {"log2", 1},
                                   {"log1p", 1},
                                   {"logb", 1},
                                   {"ilogb", 1},
                                   {"sqrt", 1},
                                   {"cbrt", 1},
                                   {"erf", 1},
                                   {"erfc", 1},
                                   {"tgamma", 1},
                                   {"ceil", 1},
                                   {"floor", 1},
                                   {"trunc", 1},
                                   {"round", 1},
                                   {"lround", 1},
                                   {"llround", 1},
                                   {"rint", 1},
                                   {"lrint", 1},
                                   {"llrint", 1},
                                   {"nearbyint", 1},
                                   {"fabs", 1},
                                   {"atan2", 2},
                                   {"pow", 2},
                                   {"hypot", 2},
                                   {"fmod", 2},
                                   {"fdim", 2},
                                   {"remainder", 2},
                                   {"copysign", 2},
                                   {"nextafter", 2},
                                   {"fmin", 2},
                                   {"fmax", 2},
                                   {"fma", 3},
                                   {"ldexp", 1, ", d[i]"},
                                   {"scalbn", 1, ", d[i]"},
                                   {"scalbln", 1, ", d[i]"}};

constexpr int kCallsOfStatement = 12;

// Calls of all functions with this first argument.
std::vector<std::string> Calls(const std::string& argument) {
  std::vector<std::string> calls;
  for (const Function& function : kFunctions) {
    std::string arguments = argument;
    for (int k = 1; k < function.numbers; ++k) arguments += k == 1 ? ", 2" : ", x[i]";
    for (const char* suffix : {"", "f"})
      calls.push_back(absl::StrCat(function.name, suffix, "(", arguments, function.others, ")"));
  }
  for (const char* name : {"abs", "labs", "llabs", "__builtin_sqrt"})
    calls.push_back(absl::StrCat(name, "(", argument, ")"));
  calls.push_back(absl::StrCat("__builtin_fmaxf(", argument, ", 1)"));
  for (const char* name : {"isnan", "isinf", "isfinite", "signbit", "__builtin_isinf_sign"})
    calls.push_back(absl::StrCat(name, "((double)", argument, ")"));
  // Of integers, as no other number may be negative where it becomes unsigned; and of what is not zero.
  for (const char* name : {"popcount", "parity", "clz", "ctz", "popcountl", "parityl", "clzl", "ctzl",
                           "popcountll", "parityll", "clzll", "ctzll", "bswap16", "bswap32", "bswap64"})
    calls.push_back(absl::StrCat("__builtin_", name, "((long)(", argument, " * 77) | 64)"));
  // An int, which may be negative.
  calls.push_back(absl::StrCat("(__builtin_bswap16((long)(", argument, " * 77)) - 70000)"));
  return calls;
}

// A region that stores sums of them.
v1::Scop Region(const std::string& argument) {
  std::string statements;
  int count = 0;
  const std::vector<std::string> calls = Calls(argument);
  for (size_t first = 0; first < calls.size(); first += kCallsOfStatement) {
    const size_t end = std::min(calls.size(), first + kCallsOfStatement);
    absl::StrAppend(&statements, "    y[", count++,
                    "][i] = ", absl::StrJoin(calls.begin() + first, calls.begin() + end, " + "), ";\n");
  }
  const std::string text = absl::StrCat("#include <math.h>\n#include <stdlib.h>\n",
                                        "void f(int n, int a[n], float x[n], double d[n], double y[", count,
                                        "][n]) {\n", "#pragma scop\n  for (int i = 0; i < n; i++) {\n",
                                        statements, "  }\n#pragma endscop\n}\n");
  const TemporaryFolder folder = TemporaryFolder::Make().value();
  const std::string path = folder.path() + "/functions.c";
  EXPECT_TRUE(WriteFile(path, text).ok());
  const auto extraction = testing::ExtractFile(path);
  EXPECT_TRUE(extraction.ok()) << extraction.status();
  return extraction.ok() ? extraction->scops(0) : v1::Scop();
}

class Functions : public ::testing::TestWithParam<const char*> {};

TEST_P(Functions, ComputeWhatTheyDoInC) {
  CheckScop(Region(GetParam()), {{"n", 5}}, ScheduleLevel::kO1, /*configurations=*/0);
}

TEST_P(Functions, CompileWithNvcc) {
  const absl::StatusOr<std::string> nvcc = FindNvcc();
  if (!nvcc.ok()) GTEST_SKIP() << nvcc.status().message();
  const v1::Scop scop = Region(GetParam());
  const std::map<std::string, int64_t> values = {{"n", 5}};
  const auto space =
      CudaSpace::Make(WithParameterFacts(scop, values), values, testing::H200Options()).value();
  const auto candidate = MakeCandidate(*space, testing::MakeReference(scop, values), 0, /*check=*/false);
  ASSERT_TRUE(candidate.ok()) << candidate.status();
  CompileWithNvcc(*nvcc, candidate->program.kernels);
}

std::string ArgumentName(const ::testing::TestParamInfo<const char*>& info) {
  constexpr const char* kNames[] = {"iterator", "integer", "single_precision", "double_precision"};
  return kNames[info.index];
}

INSTANTIATE_TEST_SUITE_P(Arguments, Functions, ::testing::Values("i", "a[i]", "x[i]", "d[i]"), ArgumentName);

}  // namespace
}  // namespace tune
