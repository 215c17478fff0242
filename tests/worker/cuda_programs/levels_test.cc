// Schedules of levels O2 and O3 of tests/programs, mapped and run on the simulated device.
#include <gtest/gtest.h>

#include "absl/strings/str_replace.h"
#include "tests/common/testing/programs.h"
#include "tests/common/testing/sanitized.h"
#include "tests/worker/cuda_programs/simulation.h"

namespace tune {
namespace {

constexpr int kRandomSchedules = testing::kSanitized ? 1 : 2;

class LevelsTest : public ::testing::TestWithParam<std::string> {
 protected:
  static void Check(ScheduleLevel level) {
    if (testing::kSanitizedThreads) GTEST_SKIP() << "the simulator has one thread";
    const auto extraction = testing::ExtractFile(testing::ProgramPath(GetParam()), testing::OddSizes());
    ASSERT_TRUE(extraction.ok()) << extraction.status();
    for (const v1::Scop& scop : extraction->scops())
      CheckScop(scop, testing::ParameterValues(scop, 33), level, kRandomSchedules);
  }
};

TEST_P(LevelsTest, PartitionsAgreeWithTheSequentialProgram) { Check(ScheduleLevel::kO2); }
TEST_P(LevelsTest, HyperplanesAgreeWithTheSequentialProgram) { Check(ScheduleLevel::kO3); }

INSTANTIATE_TEST_SUITE_P(All, LevelsTest, ::testing::ValuesIn(testing::ProgramNames()), [](const auto& info) {
  return absl::StrReplaceAll(info.param, {{"-", "_"}});
});

}  // namespace
}  // namespace tune
