#include "worker/print/complex_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <complex>
#include <limits>

#include "absl/strings/str_cat.h"
#include "common/array/element_type.h"
#include "common/scop/expression_parts.h"
#include "tests/common/testing/sample_scops.h"
#include "tests/simt/simulator.h"

namespace tune {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

v1::Scop ComplexScop() {
  v1::Scop scop = testing::GemmScop();
  for (v1::Array& array : *scop.mutable_arrays()) array.set_element_type(v1::ELEMENT_TYPE_COMPLEX_DOUBLE);
  return scop;
}

TEST(ComplexText, IsForScopsThatHaveSuchNumbers) {
  const HelperNames names("own_");
  EXPECT_EQ(WithComplexNumbers(testing::GemmScop(), names, "double x;"), "double x;");
  v1::Scop converting = testing::GemmScop();
  v1::Expression& value = *converting.mutable_statements(0)->mutable_value();
  value = ConvertedTo(kComplexFloatType, value);
  for (const v1::Scop& with : {converting, ComplexScop()}) {
    const std::string text = WithComplexNumbers(with, names, "_Complex float x; _Complex double y;");
    EXPECT_THAT(text, StartsWith("template <typename T> struct alignas(2 * sizeof(T)) own_complex {\n"));
    EXPECT_THAT(text, HasSubstr("own_complex<float> x; own_complex<double> y;"));
  }
}

TEST(ComplexText, Parts) {
  EXPECT_EQ(PartText(kRealPart, {"x[i]"}).text, "x[i].re");
  EXPECT_EQ(PartText(kImaginaryPart, {"a + b", CText::kAdditive}).text, "(a + b).im");
  EXPECT_EQ(ImaginaryText(kComplexFloatType, "0.5fi").text, "_Complex float{0, 0.5f}");
  EXPECT_EQ(ComplexCall("cexpf", {"x"}, HelperNames("own_")).text, "own_complex_exp(x)");
  EXPECT_EQ(ComplexCall("cabs", {"x"}, HelperNames("own_")).text, "own_complex_abs(x)");
}

// One thread computes values of one pair of operands, each by an expression of C.
struct alignas(16) Values {
  std::complex<float> narrow[8];
  std::complex<double> wide[10];
  int truths[5];
};

Values Compute(std::complex<float> given_a, std::complex<double> given_b) {
  alignas(16) std::complex<float> a = given_a;
  alignas(16) std::complex<double> b = given_b;
  const std::string kernel =
      "struct values { _Complex float narrow[8]; _Complex double wide[10]; int truths[5]; };\n"
      "extern \"C\" __global__ void compute(_Complex float *pa, _Complex double *pb, values *out) {\n"
      "  _Complex float a = pa[0];\n  _Complex double b = pb[0];\n"
      "  __shared__ _Complex double shared[2];\n  shared[0] = b;\n"
      "  out->narrow[0] = a * a + 2;\n  out->narrow[1] = -a / 3.0f;\n  out->narrow[2] = 1 - ~a;\n"
      "  out->narrow[3] = b;\n  out->narrow[4] = a; out->narrow[4] *= b;\n  out->narrow[5] = 3;\n"
      "  out->narrow[6] = _Complex float{0, 1.0f} * a;\n  out->narrow[7] = own_complex_exp(a);\n"
      "  out->wide[0] = a * shared[0];\n  out->wide[1] = a - b;\n  out->wide[2] = a / b;\n"
      "  out->wide[3] = b / a;\n  out->wide[4] = 2 / b;\n  out->wide[5] = 0.5 * a;\n  out->wide[6] = b; "
      "out->wide[6] -= 1.5f;\n  out->wide[7] = own_complex_abs(b);\n  out->wide[8] = own_complex_arg(b);\n"
      "  out->wide[9] = own_complex_of<double>(a) + own_complex_exp(b);\n"
      "  out->truths[0] = a == a.re;\n  out->truths[1] = a != b;\n  out->truths[2] = !a;\n"
      "  out->truths[3] = a && b ? 1 : 0;\n  out->truths[4] = 1 == (a - a + 1);\n}\n";
  const auto simulator =
      simt::Simulator::Compile(WithComplexNumbers(ComplexScop(), HelperNames("own_"), kernel), {{"compute"}});
  EXPECT_TRUE(simulator.ok()) << simulator.status();
  Values values = {};
  if (!simulator.ok()) return values;
  EXPECT_TRUE((*simulator)->AddMemory("a", &a, sizeof a).ok());
  EXPECT_TRUE((*simulator)->AddMemory("b", &b, sizeof b).ok());
  EXPECT_TRUE((*simulator)->AddMemory("values", &values, sizeof values).ok());
  void *pa = &a, *pb = &b, *out = &values;
  void* arguments[] = {&pa, &pb, &out};
  simt::Simulator::Launch launch;
  launch.arguments = arguments;
  const absl::Status run = (*simulator)->Run(launch, 1);
  EXPECT_TRUE(run.ok()) << run;
  return values;
}

template <typename T>
void ExpectNear(std::complex<T> found, std::complex<double> expected, const char* what) {
  const double tolerance = 8 * std::numeric_limits<T>::epsilon() * (1 + std::abs(expected));
  EXPECT_LE(std::abs(std::complex<double>(found) - expected), tolerance) << what << ": " << found;
}

TEST(ComplexText, ComputesAsCDoes) {
  for (const std::complex<double> b : {std::complex<double>(2, -0.5), {0.25, 3}, {-1e-3, 0}}) {
    const std::complex<float> a(1.5f, -0.75f);
    const std::complex<double> wide_a = a, i(0, 1);
    const Values values = Compute(a, b);
    ExpectNear(values.narrow[0], wide_a * wide_a + 2., "a * a + 2");
    ExpectNear(values.narrow[1], -wide_a / 3., "-a / 3");
    ExpectNear(values.narrow[2], 1. - std::conj(wide_a), "1 - ~a");
    ExpectNear(values.narrow[3], b, "b");
    ExpectNear(values.narrow[4], wide_a * b, "a *= b");
    ExpectNear(values.narrow[5], 3, "3");
    ExpectNear(values.narrow[6], i * wide_a, "I * a");
    ExpectNear(values.narrow[7], std::exp(wide_a), "exp(a)");
    ExpectNear(values.wide[0], wide_a * b, "a * b");
    ExpectNear(values.wide[1], wide_a - b, "a - b");
    ExpectNear(values.wide[2], wide_a / b, "a / b");
    ExpectNear(values.wide[3], b / wide_a, "b / a");
    ExpectNear(values.wide[4], 2. / b, "2 / b");
    ExpectNear(values.wide[5], 0.5 * wide_a, "0.5 * a");
    ExpectNear(values.wide[6], b - 1.5, "b -= 1.5");
    ExpectNear(values.wide[7], std::abs(b), "abs(b)");
    ExpectNear(values.wide[8], std::arg(b), "arg(b)");
    ExpectNear(values.wide[9], wide_a + std::exp(b), "a + exp(b)");
    EXPECT_THAT(values.truths, ::testing::ElementsAre(0, 1, 0, 1, 1));
  }
}

// Squares of these parts are infinite.
TEST(ComplexText, QuotientsOfLargeNumbers) {
  const Values values = Compute({1e30f, -2e30f}, {3e200, 1e200});
  ExpectNear(values.wide[2] * 1e170, std::complex<double>(1e30f, -2e30f) / std::complex<double>(3e30, 1e30),
             "a / b");
}

}  // namespace
}  // namespace tune
