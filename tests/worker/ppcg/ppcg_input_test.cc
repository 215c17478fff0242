#include "worker/ppcg/ppcg_input.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/base/file.h"
#include "common/base/subprocess.h"
#include "common/isl/dimensions.h"
#include "tests/common/testing/sample_scops.h"
#include "tests/worker/codegen/scop_interpreter.h"

namespace tune {
namespace {

using ::testing::HasSubstr;

class PpcgInputTest : public ::testing::Test {
 protected:
  absl::StatusOr<PpcgInput> Print(const v1::Scop& scop, const std::map<std::string, int64_t>& values) {
    TUNE_ASSIGN_OR_RETURN(const auto parsed, ParseScop(context_, scop));
    const v1::Reference reference = testing::MakeReference(scop, values);
    TUNE_ASSIGN_OR_RETURN(const std::vector<DeviceArray> arrays, DeviceArrays(context_, *parsed, reference));
    return PrintPpcgInput(context_, *parsed, arrays, values);
  }

  IslContext context_;
};

TEST_F(PpcgInputTest, AProductInFull) {
  const auto input = Print(testing::GemmScop(), {{"ni", 40}, {"nj", 50}, {"nk", 60}});
  ASSERT_TRUE(input.ok()) << input.status();
  EXPECT_EQ(
      input->text,
      R"(void tune_region(double alpha, double beta, double C[static const restrict 40][50], double A[static const restrict 40][60], double B[static const restrict 60][50])
{
/* tune: begin */
#pragma scop
  for (int tune_c0 = 0; tune_c0 <= 39; tune_c0 += 1) {
    for (int tune_c1 = 0; tune_c1 <= 49; tune_c1 += 1) {
      S0: C[tune_c0][tune_c1] *= beta;
    }
    for (int tune_c1 = 0; tune_c1 <= 59; tune_c1 += 1) {
      for (int tune_c2 = 0; tune_c2 <= 49; tune_c2 += 1) {
        S1: C[tune_c0][tune_c2] += alpha * A[tune_c0][tune_c1] * B[tune_c1][tune_c2];
      }
    }
  }
#pragma endscop
/* tune: end */
}
)");
  EXPECT_FALSE(input->needs_long);
}

TEST_F(PpcgInputTest, LongIteratorsForLargeArrays) {
  const auto input = Print(testing::GemmScop(), {{"ni", 50'000}, {"nj", 50'000}, {"nk", 6}});
  ASSERT_TRUE(input.ok()) << input.status();
  EXPECT_TRUE(input->needs_long);
}

TEST_F(PpcgInputTest, NothingToDoIsAConstraint) {
  const auto input = Print(testing::GemmScop(), {{"ni", 0}, {"nj", 4}, {"nk", 6}});
  EXPECT_TRUE(absl::IsInvalidArgument(input.status())) << input.status();
}

// Each statement once, under its label; the iterations are those of its domain, one to one.
TEST_F(PpcgInputTest, EverySampleIsCAndItsIterationsAreOneToOne) {
  const TemporaryFolder folder = TemporaryFolder::Make().value();
  for (const testing::SampleScop& sample : testing::SampleScops()) {
    SCOPED_TRACE(sample.name);
    const v1::Scop scop = sample.make();
    const auto input = Print(scop, sample.small);
    ASSERT_TRUE(input.ok()) << input.status();
    ASSERT_TRUE(WriteFile(folder.path() + "/a.c", input->text).ok());
    SubprocessOptions options;
    options.folder = folder.path();
    const auto compiled = RunSubprocess(
        {"cc", "-std=c99", "-fsyntax-only", "-Wall", "-Wno-unknown-pragmas", "-Wno-unused-label",
         "-Wno-unused-variable", "-Wno-unused-but-set-variable", "-Werror", "a.c"},
        options);
    ASSERT_TRUE(compiled.ok() && compiled->ok()) << compiled->standard_error << input->text;
    ASSERT_FALSE(input->iterations.is_null());
    EXPECT_TRUE(input->iterations.is_injective()) << IslText(input->iterations);
    EXPECT_TRUE(input->iterations.is_single_valued());
    const auto parsed = ParseScop(context_, scop).value();
    isl::union_set domain = isl::union_set::empty(context_.ctx());
    for (const ParsedStatement& statement : parsed->statements) {
      if (statement.kind == v1::Statement::KILL) continue;
      domain = domain.unite(statement.domain.intersect_params(ParameterValues(context_, sample.small)));
    }
    domain = ProjectOutAllParameters(domain);
    EXPECT_TRUE(input->iterations.domain().is_equal(domain)) << IslText(input->iterations);
  }
}

TEST_F(PpcgInputTest, FunctionsAreDeclared) {
  const v1::Scop scop =
      testing::ScopBuilder("roots", {"n"}, "n >= 0")
          .Array("x", {"n"})
          .Begin("i", "0 <= i < n")
          .Assign({"x", "i"}, {{"x", "i"}},
                  testing::Call("pow", {testing::Call("sqrt", {testing::Read(0)}), testing::Literal("3.0")}))
          .End()
          .Build();
  const auto input = Print(scop, {{"n", 9}});
  ASSERT_TRUE(input.ok()) << input.status();
  EXPECT_THAT(input->text, ::testing::StartsWith("double pow(double, double);\ndouble sqrt(double);\nvoid "));
}

}  // namespace
}  // namespace tune
