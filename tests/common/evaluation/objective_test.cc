#include "common/evaluation/objective.h"

#include <gtest/gtest.h>

#include <cmath>

namespace tune {
namespace {

using Metrics = google::protobuf::RepeatedPtrField<v1::MetricValue>;

v1::Measurement Measured(double seconds, double joules) {
  v1::Measurement measurement;
  measurement.set_median(seconds);
  measurement.set_joules(joules);
  return measurement;
}

v1::SearchOptions By(const std::string& objective, bool maximise = false) {
  v1::SearchOptions search;
  search.set_objective(objective);
  search.set_maximise(maximise);
  return search;
}

TEST(ObjectiveTest, TimeIsTheDefault) {
  EXPECT_TRUE(IsTimeObjective({}));
  EXPECT_TRUE(IsTimeObjective(By("time")));
  EXPECT_FALSE(IsTimeObjective(By("energy")));
  EXPECT_EQ(CostOf({}, Measured(0.5, 8), {}), 0.5);
}

TEST(ObjectiveTest, OfEnergy) {
  const v1::Measurement measured = Measured(0.5, 8);
  EXPECT_EQ(CostOf(By("energy"), measured, {}), 8);
  EXPECT_EQ(CostOf(By("power"), measured, {}), 16);
  EXPECT_EQ(CostOf(By("edp"), measured, {}), 4);
  for (const char* objective : {"energy", "power", "edp"})
    EXPECT_EQ(CostOf(By(objective), Measured(0.5, 0), {}), 0) << "not measured: " << objective;
  EXPECT_EQ(PowerOf(v1::Measurement()), 0);
}

TEST(ObjectiveTest, MetricsAreMadeSmallOrLarge) {
  Metrics metrics;
  for (const auto& [name, value] :
       std::vector<std::pair<std::string, double>>{{"gflops", 400}, {"zero", 0}, {"below", -3}}) {
    v1::MetricValue* metric = metrics.Add();
    metric->set_name(name);
    metric->set_value(value);
  }
  EXPECT_EQ(QuantityOf("below", Measured(1, 1), metrics), -3);
  EXPECT_EQ(CostOf(By("gflops"), Measured(1, 1), metrics), 400);
  EXPECT_EQ(CostOf(By("gflops", true), Measured(1, 1), metrics), 1 / 400.0);
  for (const char* none : {"zero", "below", "missing"}) {
    EXPECT_EQ(CostOf(By(none), Measured(1, 1), metrics), 0) << none;
    EXPECT_EQ(CostOf(By(none, true), Measured(1, 1), metrics), 0) << none;
  }
}

TEST(ObjectiveTest, GainIsByIt) {
  v1::Study study;
  *study.mutable_search() = By("energy");
  *study.mutable_default_measurement() = Measured(0.5, 8);
  *study.mutable_best() = Measured(1, 2);
  study.set_gain_over_default(0.5);
  EXPECT_EQ(DefaultQuantity(study), 8);
  EXPECT_EQ(BestQuantity(study), 2);
  EXPECT_EQ(GainByObjective(study), 4);
  EXPECT_EQ(UnitOf("energy"), "J");
  *study.mutable_search() = By("gflops", true);
  EXPECT_EQ(GainByObjective(study), 0) << "not known";
  EXPECT_EQ(UnitOf("gflops"), "");
  for (const auto& [metrics, value] :
       {std::pair(study.mutable_best_metrics(), 300.0), std::pair(study.mutable_default_metrics(), 100.0)}) {
    v1::MetricValue* metric = metrics->Add();
    metric->set_name("gflops");
    metric->set_value(value);
  }
  EXPECT_EQ(GainByObjective(study), 3);
  study.clear_search();
  EXPECT_EQ(GainByObjective(study), 0.5);
}

TEST(ObjectiveTest, ACostOfNothingIsTheWorst) {
  EXPECT_TRUE(IsLessCost(1, 2));
  EXPECT_TRUE(IsLessCost(1, 0));
  EXPECT_FALSE(IsLessCost(2, 1));
  EXPECT_FALSE(IsLessCost(0, 1));
  EXPECT_FALSE(IsLessCost(0, 0));
  v1::Study study;
  *study.mutable_best() = Measured(1, 2);
  study.set_best_index(-1);
  EXPECT_EQ(BestCost(By("energy"), study), 0) << "nothing is correct";
  study.set_best_index(0);
  EXPECT_EQ(BestCost(By("energy"), study), 2);
  EXPECT_TRUE(SameObjective(v1::SearchOptions(), By("time")));
  EXPECT_FALSE(SameObjective(By("gflops"), By("gflops", true)));
  EXPECT_FALSE(SameObjective(By("energy"), By("time")));
}

TEST(ObjectiveTest, CostsTakeThePlaceOfTimes) {
  v1::Evaluation evaluation;
  evaluation.set_outcome(v1::CORRECT);
  *evaluation.mutable_measurement() = Measured(0.5, 8);
  evaluation.add_kernels()->set_seconds(0.25);
  ReplaceTimeByCost(By("time"), &evaluation);
  EXPECT_EQ(evaluation.measurement().median(), 0.5);
  EXPECT_EQ(evaluation.kernels(0).seconds(), 0.25);
  ReplaceTimeByCost(By("energy"), &evaluation);
  EXPECT_EQ(evaluation.measurement().median(), 8);
  EXPECT_EQ(evaluation.kernels(0).seconds(), 0);
  evaluation.set_outcome(v1::RUNTIME);
  ReplaceTimeByCost(By("gflops"), &evaluation);
  EXPECT_EQ(evaluation.measurement().median(), 8) << "what failed stays as it is";
}

}  // namespace
}  // namespace tune
