// Programs whose data decide about elements, interpreted and proven; wrong ones are found.
#include <gtest/gtest.h>

#include "tests/common/testing/device_models.h"
#include "tests/common/testing/programs.h"
#include "tests/worker/device_programs/mutation.h"
#include "tests/worker/device_programs/small_program.h"

namespace tune {
namespace {

constexpr uint64_t kDataConfigurations = 12;
constexpr uint64_t kDataMutants = 10;  // of each

TEST(DataElements, AreRightAndWhatIsWrongIsFound) {
  const auto extraction = testing::ExtractFile(TUNE_SOURCE_DIR "/tests/worker/codegen/golden/by_data.c", {});
  ASSERT_TRUE(extraction.ok()) << extraction.status();
  const v1::Scop& scop = extraction->scops(0);
  const std::map<std::string, int64_t> values = {{"n", 13}, {"k", 5}};
  const v1::Reference reference = testing::MakeReference(scop, values);
  const auto expected = testing::ExpectedResidues(scop, reference, values);
  ASSERT_TRUE(expected.ok()) << expected.status();
  const auto space =
      CudaSpace::Make(WithParameterFacts(scop, values), values, testing::H200Options(), LittleWork());
  ASSERT_TRUE(space.ok()) << space.status();
  int run = 0, found = 0;
  for (uint64_t seed = 0; seed < kDataConfigurations; ++seed) {
    const auto small = testing::MakeSmallProgram(**space, reference, seed);
    if (!small.ok()) continue;
    ++run;
    ASSERT_EQ(testing::Difference(*small, small->device, *expected), "") << small->configuration;
    EXPECT_EQ(testing::Check(*small, small->device), absl::OkStatus()) << small->configuration;
    for (uint64_t number = 0; number < kDataMutants; ++number) {
      const auto mutant = testing::Mutate(small->device, 1000 * seed + number);
      if (!mutant) continue;
      const absl::Status check = testing::Check(*small, mutant->program);
      found += absl::IsFailedPrecondition(check);
      if (check.ok()) {
        EXPECT_EQ(testing::Difference(*small, mutant->program, *expected), "") << mutant->change << "\n"
                                                                               << small->configuration;
      }
    }
  }
  EXPECT_GT(run, kDataConfigurations / 2);
  EXPECT_GT(found, 10);
}

}  // namespace
}  // namespace tune
