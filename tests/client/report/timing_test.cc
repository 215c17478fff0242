#include "client/report/timing.h"

#include <gtest/gtest.h>

namespace tune {
namespace {

v1::Candidate Evaluated(int64_t index, int64_t created_ms, int64_t evaluated_ms,
                        const std::vector<std::pair<std::string, double>>& stages) {
  v1::Candidate candidate;
  candidate.set_index(index);
  candidate.set_origin(v1::SEARCH);
  candidate.set_state(v1::EVALUATED);
  candidate.set_created_unix_ms(created_ms);
  candidate.set_evaluated_unix_ms(evaluated_ms);
  candidate.mutable_evaluation()->set_worker("w");
  for (const auto& [stage, seconds] : stages) {
    v1::StageTime* time = candidate.mutable_evaluation()->add_stages();
    time->set_stage(stage);
    time->set_seconds(seconds);
  }
  return candidate;
}

std::vector<v1::Candidate> FourOfSix() {
  std::vector<v1::Candidate> candidates = {
      Evaluated(0, 10'000, 10'500, {{"walk", 0.25}, {"compile", 0.75}, {"run", 0.5}}),
      Evaluated(1, 10'100, 11'000, {{"walk", 0.25}, {"compile", 1.25}, {"run", 0.5}}),
      Evaluated(2, 10'200, 11'500, {{"walk", 0.25}}),
      Evaluated(3, 10'900, 12'000, {{"walk", 0.25}, {"generate", 0.5}, {"compile", 0.5}}),
      Evaluated(4, 9'000, 20'000, {{"walk", 99}}),
      Evaluated(5, 9'000, 20'000, {{"walk", 99}})};
  candidates[4].set_origin(v1::REPLAY);
  candidates[5].mutable_evaluation()->clear_worker();  // no schedule: no worker had it
  return candidates;
}

TEST(TimingTest, SumsMeansAndShares) {
  EXPECT_EQ(TimingTable(TimingOf(FourOfSix())),
            "4 evaluations in 2.00 s: 2 a second\n"
            "stage     evaluations     sum    mean   share  of wall time\n"
            "walk                4  1.00 s  250 ms   20.0%         50.0%\n"
            "generate            1  500 ms  500 ms   10.0%         25.0%\n"
            "compile             3  2.50 s  833 ms   50.0%        125.0%\n"
            "run                 2  1.00 s  500 ms   20.0%         50.0%\n"
            "all                 4  5.00 s  1.25 s  100.0%        250.0%\n");
}

TEST(TimingTest, AsJson) {
  const Json json = ToJson(TimingOf(FourOfSix()));
  EXPECT_EQ(json["evaluations"], 4);
  EXPECT_EQ(json["wall_seconds"], 2.0);
  EXPECT_EQ(json["evaluations_per_second"], 2.0);
  ASSERT_EQ(json["stages"].size(), 4u);
  EXPECT_EQ(json["stages"][2]["stage"], "compile");
  EXPECT_EQ(json["stages"][2]["share"], 0.5);
  EXPECT_EQ(json["stages"][2]["of_wall_time"], 1.25);
}

TEST(TimingTest, NothingYetAndNoTime) {
  EXPECT_EQ(TimingTable(TimingOf({})), "no evaluations yet\n");
  EXPECT_EQ(ToJson(TimingOf({}))["evaluations_per_second"], 0.0);
  v1::Candidate pending;
  pending.set_state(v1::PENDING);
  EXPECT_EQ(TimingOf({pending}).evaluations, 0);
  EXPECT_EQ(TimingTable(TimingOf({Evaluated(0, 1'000, 1'000, {})})), "1 evaluation in 0 s\n");
}

}  // namespace
}  // namespace tune
