#include "worker/parts/shared_generator.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "common/decision/configuration.h"
#include "common/space/shared_space.h"
#include "tests/worker/parts/divided_programs.h"
#include "worker/parts/parts_file.h"

namespace tune {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

v1::Reference ReferenceOf(int64_t size) {
  v1::Reference reference;
  for (const char* const name : {"n", "m", "k"}) {
    v1::ParameterValue& value = *reference.add_parameters();
    value.set_name(name);
    value.set_value(size);
  }
  return reference;
}

const v1::Scop& Gemm() {
  static const v1::Extraction extraction = ExtractText(kDividedPrograms);
  return extraction.scops(0);
}

GeneratedProgram Generate(const v1::Configuration& configuration) {
  const auto generator = MakeSharedGenerator(Gemm(), ReferenceOf(100), "some GPU");
  EXPECT_TRUE(generator.ok()) << generator.status();
  const auto program = (*generator)->Generate(configuration);
  EXPECT_TRUE(program.ok()) << program.status();
  return program.value_or(GeneratedProgram());
}

TEST(SharedGenerator, WritesTheConfigurationsDivisionThreadsAndFormats) {
  const GeneratedProgram program =
      Generate(ParseConfiguration("shared.division = cpu+gpu\nshared.share_1 = 15\nshared.threads = half\n"
                                  "shared.block = 32x4\nshared.points = 2\nshared.strip = 8\n")
                   .value());
  EXPECT_THAT(
      program.device_file,
      AllOf(HasSubstr("#define gemm_PARTS \"cpu:15,gpu:85\""), HasSubstr("#define gemm_FEWER_THREADS 2"),
            HasSubstr("{\"some GPU\", {4, 32, 1}, 2, 8}"), HasSubstr("{100, 100, 100},")));
  EXPECT_THAT(program.code, HasSubstr("tune_part_gemm("));
  EXPECT_FALSE(RunsOriginal(program.device_file));
}

TEST(SharedGenerator, KnowsTheOriginalAndTellsProgramsApart) {
  std::set<std::string> fingerprints;
  for (const v1::Configuration& seed : SharedSeeds()) {
    const GeneratedProgram program = Generate(seed);
    EXPECT_EQ(RunsOriginal(program.device_file), fingerprints.empty());  // the first one
    EXPECT_THAT(program.device_file, Not(HasSubstr("some GPU")));
    fingerprints.insert(program.fingerprint);
  }
  EXPECT_EQ(fingerprints.size(), 3);
}

TEST(SharedGenerator, RefusesSizesAndRegionsThatHaveNoParts) {
  const auto small = MakeSharedGenerator(Gemm(), ReferenceOf(2), "some GPU");
  EXPECT_TRUE(absl::IsInvalidArgument(small.status())) << small.status();
  EXPECT_THAT(std::string(small.status().message()), HasSubstr("needs k >= 4 && m >= 4 && n >= 4"));
  const v1::Extraction sum = ExtractText(
      "void f(int n, double s[1], double x[n]) {\n#pragma scop\n"
      "for (int i = 0; i < n; i++) s[0] += x[i];\n#pragma endscop\n}\n");
  const auto none = MakeSharedGenerator(sum.scops(0), ReferenceOf(100), "some GPU");
  EXPECT_THAT(std::string(none.status().message()), HasSubstr("no outermost parallel loop"));
}

TEST(SharedGenerator, RefusesConfigurationsOfOtherSpaces) {
  const auto generator = MakeSharedGenerator(Gemm(), ReferenceOf(100), "some GPU").value();
  for (const char* const text :
       {"shared.division = gpu+gpu\n", "shared.division = original\nshared.threads = all\n"})
    EXPECT_TRUE(absl::IsInvalidArgument(generator->Generate(ParseConfiguration(text).value()).status()))
        << text;
}

}  // namespace
}  // namespace tune
