// Every target on its seeds and on some changed ones; with clang, tests/fuzz/libfuzzer_main.cc looks further.
#include "tests/fuzz/targets.h"

#include <gtest/gtest.h>

#include "common/base/random.h"
#include "tests/common/testing/sanitized.h"

namespace tune::testing {
namespace {

class FuzzTargetTest : public ::testing::TestWithParam<FuzzTarget> {};

TEST_P(FuzzTargetTest, SeedsComeBack) {
  for (const std::string& seed : GetParam().seeds()) GetParam().run(seed);
}

TEST_P(FuzzTargetTest, ChangedSeedsComeBack) {
  const std::vector<std::string> seeds = GetParam().seeds();
  const int changed = kSanitized ? 50 : 300;
  for (int i = 0; i < changed; ++i) {
    Random random(i);
    std::string input = seeds[random.Below(seeds.size())];
    for (uint64_t changes = 1 + random.Below(4); changes > 0; --changes) {
      const size_t begin = random.Below(input.size()), length = random.Below(8);
      const std::string piece(random.Below(3), static_cast<char>(random.Below(256)));
      input.replace(begin, std::min(length, input.size() - begin), piece + input.substr(0, random.Below(4)));
      if (input.empty()) input = " ";
    }
    GetParam().run(input);
  }
}

INSTANTIATE_TEST_SUITE_P(Targets, FuzzTargetTest,
                         ::testing::Values(IslTextTarget(), ScheduleTarget(), ScopTarget(), ArchiveTarget(),
                                           T4Target(), T1Target(), ShortFormTarget(),
                                           KernelDefinitionTarget(), KernelSourceTarget(), BundleTarget(),
                                           HttpTarget(), ParametersTarget(), PtxTarget()),
                         [](const auto& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace tune::testing
