#include "client/report/objective_report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

namespace tune {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

v1::Candidate Measured(int64_t index, double seconds, double joules, double gflops) {
  v1::Candidate candidate;
  candidate.set_index(index);
  candidate.set_origin(v1::SEARCH);
  v1::Evaluation* evaluation = candidate.mutable_evaluation();
  evaluation->set_outcome(v1::CORRECT);
  evaluation->mutable_measurement()->set_median(seconds);
  evaluation->mutable_measurement()->set_joules(joules);
  v1::MetricValue* metric = evaluation->add_metrics();
  metric->set_name("gflops");
  metric->set_value(gflops);
  return candidate;
}

std::vector<int64_t> Indices(const std::vector<const v1::Candidate*>& front) {
  std::vector<int64_t> indices;
  for (const v1::Candidate* candidate : front) indices.push_back(candidate->index());
  return indices;
}

TEST(ParseFrontTest, QuantitiesWithTheirDirections) {
  const auto front = ParseFront("time,+gflops");
  ASSERT_TRUE(front.ok()) << front.status();
  ASSERT_EQ(front->size(), 2u);
  EXPECT_EQ((*front)[0].name, "time");
  EXPECT_FALSE((*front)[0].maximise);
  EXPECT_EQ((*front)[1].name, "gflops");
  EXPECT_TRUE((*front)[1].maximise);
  for (const char* bad : {"", "time", "time,", "time,+time", "+,time"})
    EXPECT_THAT(std::string(ParseFront(bad).status().message()), HasSubstr("--front")) << bad;
}

TEST(ParetoFrontReport, LeavesOutWhatIsSurpassedOrNotMeasured) {
  std::vector<v1::Candidate> candidates = {
      Measured(0, 3, 2, 5), Measured(1, 1, 9, 5),     Measured(2, 2, 4, 5),
      Measured(3, 2, 5, 5), Measured(4, 1, 9, 5),     Measured(5, 1, 0, 5),
      Measured(6, 4, 3, 7), Measured(7, 0.1, 0.1, 5), Measured(8, 0.1, 0.1, 5)};
  candidates[7].mutable_evaluation()->set_outcome(v1::CORRECTNESS);
  candidates[8].set_origin(v1::REPLAY);
  EXPECT_THAT(Indices(ParetoFront(candidates, *ParseFront("time,energy"))), ElementsAre(1, 4, 2, 0));
  EXPECT_THAT(Indices(ParetoFront(candidates, *ParseFront("energy,+gflops"))), ElementsAre(0, 6));
  EXPECT_THAT(Indices(ParetoFront(candidates, *ParseFront("time,nothing"))), ElementsAre());
  EXPECT_THAT(FrontTable(ParetoFront(candidates, *ParseFront("time,energy")), *ParseFront("time,energy")),
              HasSubstr("2.00 s     4 J"));
  EXPECT_THAT(FrontTable({}, *ParseFront("time,energy")), HasSubstr("no front: "));
}

TEST(ParetoFrontReport, IsWhatItsDefinitionSays) {
  std::mt19937 random(7);
  std::uniform_int_distribution<int> value(1, 6);
  for (int round = 0; round < 200; ++round) {
    std::vector<v1::Candidate> candidates;
    for (int i = 0; i < 12; ++i)
      candidates.push_back(Measured(i, value(random), value(random), value(random)));
    std::vector<int64_t> expected;
    for (const v1::Candidate& a : candidates) {
      bool surpassed = false;
      for (const v1::Candidate& b : candidates) {
        const double t = b.evaluation().measurement().median() - a.evaluation().measurement().median();
        const double e = b.evaluation().measurement().joules() - a.evaluation().measurement().joules();
        const double g = a.evaluation().metrics(0).value() - b.evaluation().metrics(0).value();
        surpassed = surpassed || (t <= 0 && e <= 0 && g <= 0 && (t < 0 || e < 0 || g < 0));
      }
      if (!surpassed) expected.push_back(a.index());
    }
    EXPECT_THAT(Indices(ParetoFront(candidates, *ParseFront("time,energy,+gflops"))),
                ::testing::UnorderedElementsAreArray(expected));
  }
}

TEST(QuantitiesTextTest, EnergyAndMetrics) {
  const v1::Evaluation evaluation = Measured(1, 0.5, 8, 1234.5).evaluation();
  EXPECT_EQ(QuantitiesText(evaluation.measurement(), evaluation.metrics()), "8 J a run, 16 W; gflops 1234");
  EXPECT_EQ(QuantitiesText({}, {}), "");
  v1::SearchOptions search;
  EXPECT_EQ(ObjectiveText(search), "");
  search.set_objective("gflops");
  search.set_maximise(true);
  EXPECT_EQ(ObjectiveText(search), "gflops, as much as possible");
}

}  // namespace
}  // namespace tune
