// The programs of tests/programs as data, interpreted: what passes made of them computes what the region
// does.
#include "tests/common/testing/programs.h"

#include <gtest/gtest.h>

#include "absl/strings/str_replace.h"
#include "tests/common/testing/device_models.h"
#include "tests/worker/device_programs/small_program.h"

namespace tune {
namespace {

constexpr int kSeeds = 5;

class DeviceProgramsTest : public ::testing::TestWithParam<std::string> {};

TEST_P(DeviceProgramsTest, ComputeWhatTheRegionDoes) {
  const auto extraction = testing::ExtractFile(testing::ProgramPath(GetParam()), testing::OddSizes());
  ASSERT_TRUE(extraction.ok()) << extraction.status();
  for (const v1::Scop& scop : extraction->scops()) {
    const std::map<std::string, int64_t> values = testing::ParameterValues(scop, 13);
    const v1::Reference reference = testing::MakeReference(scop, values);
    const auto expected = testing::ExpectedResidues(scop, reference, values);
    ASSERT_TRUE(expected.ok()) << expected.status();
    const auto space =
        CudaSpace::Make(WithParameterFacts(scop, values), values, testing::H200Options(), LittleWork());
    ASSERT_TRUE(space.ok()) << space.status();
    int run = 0, checked = 0;
    for (uint64_t seed = 0; seed < kSeeds; ++seed) {
      const auto small = testing::MakeSmallProgram(**space, reference, seed);
      if (!small.ok()) continue;  // too much work, or too much shared memory
      const v1::Scop& own = small->mapped->scop->proto;
      testing::ResidueMemory memory = testing::MakeResidues(small->device.arrays);
      const absl::Status status = testing::Interpret(small->device, own, ChooseHelperNames(own), &memory);
      ASSERT_TRUE(status.ok()) << status << "\n" << small->configuration;
      const absl::Status check = testing::Check(*small, small->device);
      ASSERT_TRUE(check.ok() || absl::IsResourceExhausted(check)) << check << "\n" << small->configuration;
      checked += check.ok();
      for (const auto& [name, residues] : *expected)
        ASSERT_EQ(memory.at(name), residues) << name << "\n" << small->configuration;
      ++run;
    }
    EXPECT_GT(run, kSeeds / 2);
    EXPECT_GT(checked, kSeeds / 2);
  }
}

INSTANTIATE_TEST_SUITE_P(All, DeviceProgramsTest, ::testing::ValuesIn(testing::ProgramNames()),
                         [](const auto& info) {
                           return absl::StrReplaceAll(info.param, {{"-", "_"}});
                         });

}  // namespace
}  // namespace tune
