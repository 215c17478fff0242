// Wrong programs: what the interpreter tells from the right ones, the check finds.
#include "tests/worker/device_programs/mutation.h"

#include <gtest/gtest.h>

#include "absl/strings/str_replace.h"
#include "tests/common/testing/device_models.h"
#include "tests/common/testing/programs.h"
#include "tests/worker/device_programs/small_program.h"

namespace tune {
namespace {

constexpr uint64_t kConfigurations = 4;
constexpr uint64_t kMutants = 12;  // of each
constexpr int64_t kSize = 13;

class MutationTest : public ::testing::TestWithParam<std::string> {
 protected:
  // Whether the mutant does something else, or what no program must.
  static bool IsWrong(const DeviceProgram& program, const v1::Scop& scop,
                      const testing::ResidueMemory& expected) {
    testing::ResidueMemory memory = testing::MakeResidues(program.arrays);
    if (!testing::Interpret(program, scop, ChooseHelperNames(scop), &memory).ok()) return true;
    for (const auto& [name, residues] : expected) {
      if (memory.at(name) != residues) return true;
    }
    return false;
  }
};

TEST_P(MutationTest, WhatIsWrongIsFound) {
  const auto extraction = testing::ExtractFile(testing::ProgramPath(GetParam()), testing::OddSizes());
  ASSERT_TRUE(extraction.ok()) << extraction.status();
  int found = 0, too_hard = 0;
  for (const v1::Scop& scop : extraction->scops()) {
    const std::map<std::string, int64_t> values = testing::ParameterValues(scop, kSize);
    const v1::Reference reference = testing::MakeReference(scop, values);
    const auto expected = testing::ExpectedResidues(scop, reference, values);
    ASSERT_TRUE(expected.ok()) << expected.status();
    const auto space =
        CudaSpace::Make(WithParameterFacts(scop, values), values, testing::H200Options(), LittleWork());
    ASSERT_TRUE(space.ok()) << space.status();
    for (uint64_t seed = 0; seed < kConfigurations; ++seed) {
      const auto small = testing::MakeSmallProgram(**space, reference, seed);
      if (!small.ok()) continue;
      for (uint64_t number = 0; number < kMutants; ++number) {
        const auto mutant = testing::Mutate(small->device, 1000 * seed + number);
        if (!mutant) continue;
        const absl::Status check = testing::Check(*small, mutant->program);
        found += absl::IsFailedPrecondition(check);
        too_hard += absl::IsResourceExhausted(check);
        if (!check.ok() && !absl::IsInternal(check)) continue;
        EXPECT_FALSE(absl::IsInternal(check)) << check;
        EXPECT_FALSE(IsWrong(mutant->program, small->mapped->scop->proto, *expected))
            << mutant->change << ", configuration " << seed << ", mutant " << number << "\n"
            << small->configuration;
      }
    }
  }
  RecordProperty("found", found);
  RecordProperty("too_hard", too_hard);
  EXPECT_GT(found, 10);
  EXPECT_LE(too_hard, found / 10);
}

INSTANTIATE_TEST_SUITE_P(All, MutationTest, ::testing::ValuesIn(testing::ProgramNames()),
                         [](const auto& info) {
                           return absl::StrReplaceAll(info.param, {{"-", "_"}});
                         });

}  // namespace
}  // namespace tune
