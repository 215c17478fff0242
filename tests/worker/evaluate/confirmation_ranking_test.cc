#include "worker/evaluate/confirmation_ranking.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/base/random.h"
#include "common/evaluation/measurement.h"

namespace tune {
namespace {

using ::testing::ElementsAre;

void Add(v1::Confirmation* confirmation, int64_t index, double seconds, uint64_t seed) {
  v1::ConfirmedCandidate* candidate = confirmation->add_candidates();
  candidate->set_index(index);
  if (seconds == 0) return candidate->set_message("failed");
  Random random(seed);
  std::vector<double> samples;
  for (int i = 0; i < 20; ++i) samples.push_back(seconds * (1 + 0.02 * random.Uniform()));
  *candidate->mutable_measurement() = MakeMeasurement(samples);
}

TEST(ConfirmationRankingTest, SortsAndTellsApart) {
  v1::Confirmation confirmation;
  Add(&confirmation, 7, 0, 0);
  Add(&confirmation, 4, 1.5, 1);
  Add(&confirmation, 9, 1.0, 2);
  Add(&confirmation, 2, 1.0, 3);
  RankConfirmation(&confirmation);
  std::vector<int64_t> order;
  for (const auto& candidate : confirmation.candidates()) order.push_back(candidate.index());
  EXPECT_EQ(order[2], 4);
  EXPECT_EQ(order[3], 7);
  EXPECT_THAT(confirmation.equal_to_best(), ElementsAre(order[1]));
}

TEST(ConfirmationRankingTest, NothingMeasured) {
  v1::Confirmation confirmation;
  Add(&confirmation, 1, 0, 0);
  RankConfirmation(&confirmation);
  EXPECT_EQ(confirmation.equal_to_best_size(), 0);
}

}  // namespace
}  // namespace tune
