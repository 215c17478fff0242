// Schedules of levels O2 and O3 of tests/programs, compared with brute force at small sizes.
#include "tests/common/testing/programs.h"

#include <gtest/gtest.h>

#include "absl/strings/str_replace.h"
#include "common/decision/configuration.h"
#include "common/space/schedule_space.h"
#include "tests/common/testing/checked_random_chooser.h"
#include "tests/common/testing/sanitized.h"
#include "tests/common/testing/schedule_oracle.h"

namespace tune {
namespace {

constexpr int kRandomWalks = testing::kSanitized ? 1 : 3;

// As few instances as make a difference: two inside each border.
std::vector<std::string> SmallSizes() {
  std::vector<std::string> flags = {"-DTMAX=2", "-DTSTEPS=2", "-DNR=2", "-DNQ=3"};
  for (const char* size : {"NI", "NJ", "NK", "NL", "NM", "N", "M", "NP", "W", "H"})
    flags.push_back(absl::StrCat("-D", size, "=4"));
  return flags;
}

std::map<std::string, int64_t> SmallValues(const v1::Scop& scop) {
  std::map<std::string, int64_t> values = testing::ParameterValues(scop, 4);
  for (auto& [name, value] : values) value = std::min<int64_t>(value, 5);
  return values;
}

class LevelProgramsTest : public ::testing::TestWithParam<std::string> {};

TEST_P(LevelProgramsTest, RandomSchedulesAreLegal) {
  const auto extraction = testing::ExtractFile(testing::ProgramPath(GetParam()), SmallSizes());
  ASSERT_TRUE(extraction.ok()) << extraction.status();
  for (const v1::Scop& scop : extraction->scops()) {
    const std::map<std::string, int64_t> values = SmallValues(scop);
    const auto space =
        ScheduleSpace::Make(WithParameterFacts(scop, values), values, {}, InnerReductions::kAreKernels);
    ASSERT_TRUE(space.ok()) << space.status();
    const isl::set fixed = ParameterValues((*space)->context(), values);
    const testing::Pairs memory = testing::Interpreter((*space)->scop(), fixed).Run().memory;
    for (const ScheduleLevel level : {ScheduleLevel::kO2, ScheduleLevel::kO3}) {
      for (int seed = 0; seed < kRandomWalks; ++seed) {
        testing::CheckedRandomChooser chooser(seed);
        RecordingChooser recording(&chooser);
        const auto walked = (*space)->Walk(recording, level);
        SCOPED_TRACE(PrintConfiguration(recording.configuration()));
        ASSERT_TRUE(walked.ok()) << walked.status();
        testing::ExpectLegal((*space)->context(), (*space)->scop(), (*space)->dependences(), (*walked)->tree,
                             memory, fixed);
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, LevelProgramsTest, ::testing::ValuesIn(testing::ProgramNames()),
                         [](const auto& info) {
                           return absl::StrReplaceAll(info.param, {{"-", "_"}});
                         });

}  // namespace
}  // namespace tune
