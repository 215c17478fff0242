#include "server/study/worker_claims.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "common/evaluation/measurement.h"

namespace tune {
namespace {

using ::testing::HasSubstr;

const double kNoTimes[] = {std::nan(""), std::numeric_limits<double>::infinity(), 0, -1, 1e-320, 1e-12};

v1::Measurement Claim(const std::vector<double>& samples, double median) {
  v1::Measurement measurement = MakeMeasurement(samples);
  measurement.set_median(median);
  return measurement;
}

TEST(WorkerClaims, MediansAreOfTheSamples) {
  const v1::Measurement trusted = TrustedMeasurement(Claim({3, 1, 2}, 1e-6));
  EXPECT_EQ(trusted.median(), 2);
  EXPECT_EQ(trusted.confidence_low(), 1);
  EXPECT_EQ(trusted.confidence_high(), 3);
  EXPECT_EQ(trusted.samples_size(), 3);
  // A median without samples was measured by nobody.
  EXPECT_EQ(TrustedMeasurement(Claim({}, 1)).median(), 0);
  EXPECT_EQ(TrustedMeasurement(Claim(std::vector<double>(10'001, 1.0), 1)).samples_size(), 0);
}

TEST(WorkerClaims, ACorrectEvaluationHasTimes) {
  for (const double bad : kNoTimes) {
    v1::Evaluation evaluation;
    evaluation.set_outcome(v1::CORRECT);
    *evaluation.mutable_measurement() = Claim({1, 1, bad}, 1);
    evaluation.add_kernels()->set_seconds(bad);
    evaluation.mutable_kernels(0)->add_metrics()->set_normalised(bad);
    CheckClaims(&evaluation);
    EXPECT_EQ(evaluation.outcome(), v1::RUNTIME) << bad;
    EXPECT_THAT(evaluation.message(), HasSubstr("no measurement"));
    EXPECT_FALSE(evaluation.has_measurement());
    EXPECT_TRUE(std::isfinite(evaluation.kernels(0).seconds()));
    EXPECT_TRUE(std::isfinite(evaluation.kernels(0).metrics(0).normalised()));
  }
}

TEST(WorkerClaims, AConfirmationHasTimes) {
  for (const double bad : kNoTimes) {
    v1::Confirmation confirmation;
    *confirmation.add_candidates()->mutable_measurement() = Claim({bad, bad, bad}, bad);
    *confirmation.add_candidates()->mutable_measurement() = Claim({2, 2, 2}, bad);
    *confirmation.mutable_sequential() = Claim({bad}, bad);
    v1::ComparedTimes* fresh = confirmation.mutable_check()->mutable_fresh();
    fresh->set_runs(3);
    fresh->set_ratio(bad);
    CheckClaims(&confirmation);
    EXPECT_FALSE(confirmation.candidates(0).has_measurement()) << bad;
    EXPECT_NE(confirmation.candidates(0).message(), "");
    EXPECT_EQ(confirmation.candidates(1).measurement().median(), 2);
    EXPECT_FALSE(confirmation.has_sequential());
    EXPECT_FALSE(confirmation.check().has_fresh());
  }
}

}  // namespace
}  // namespace tune
