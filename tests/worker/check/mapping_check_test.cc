#include "worker/check/mapping_check.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/common/testing/random_chooser.h"
#include "tests/worker/check/sample_mapping.h"

namespace tune {
namespace {

using testing::MakeGemm;
using testing::Mapping;

class MappingCheckSampleTest : public ::testing::TestWithParam<testing::SampleScop> {};

TEST_P(MappingCheckSampleTest, AcceptsMappedPlans) {
  const testing::SampleScop& sample = GetParam();
  std::map<std::string, int64_t> values;
  for (const auto& [name, value] : sample.small) values[name] = 10 * value + 3;
  for (int seed = 0; seed < 6; ++seed) {
    SCOPED_TRACE(seed);
    DefaultChooser standard;
    testing::RandomChooser random(seed);
    const auto mapping =
        Mapping::Make(sample.make(), values, seed == 0 ? static_cast<Chooser&>(standard) : random);
    const absl::Status status = mapping->Check();
    EXPECT_TRUE(status.ok()) << status;
  }
}

INSTANTIATE_TEST_SUITE_P(All, MappingCheckSampleTest, ::testing::ValuesIn(testing::SampleScops()),
                         [](const auto& info) { return info.param.name; });

TEST(MappingCheck, AcceptsSharedMemoryAndRegisters) {
  const absl::Status status = MakeGemm()->Check();
  EXPECT_TRUE(status.ok()) << status;
}

}  // namespace
}  // namespace tune
