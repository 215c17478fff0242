#include "server/study/study_metrics.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tune {
namespace {

using ::testing::HasSubstr;

// C(n x n) in blocks of `tile`; `unroll` divides it.
v1::StudySpec Spec(v1::KernelLanguage language = v1::KERNEL_LANGUAGE_CUDA) {
  v1::StudySpec spec;
  v1::KernelDefinition* kernel = spec.mutable_kernel();
  kernel->set_language(language);
  kernel->add_kernels()->set_name("product");
  for (const char* name : {"tile", "unroll"}) {
    v1::TuningParameterValues* parameter = kernel->add_parameters();
    parameter->set_name(name);
    for (const int value : {1, 2, 4}) parameter->add_values()->set_integer(value);
  }
  kernel->add_constraints("tile % unroll == 0");
  v1::ProblemSize* size = kernel->add_problem();
  size->set_name("n");
  size->set_size("1000");
  spec.set_target(language == v1::KERNEL_LANGUAGE_CUDA ? v1::CUDA : v1::CPU);
  return spec;
}

void Add(const std::string& name, const std::string& expression, v1::StudySpec* spec) {
  v1::MetricDefinition* metric = spec->add_metrics();
  metric->set_name(name);
  metric->set_expression(expression);
}

v1::Configuration Configured(const std::string& tile, const std::string& unroll) {
  v1::Configuration configuration;
  for (const auto& [key, option] :
       std::vector<std::pair<std::string, std::string>>{{"tile", tile}, {"unroll", unroll}}) {
    configuration.add_decisions()->set_key(key);
    configuration.mutable_decisions(configuration.decisions_size() - 1)->set_option(option);
  }
  return configuration;
}

v1::Evaluation Correct(double seconds, double joules) {
  v1::Evaluation evaluation;
  evaluation.set_outcome(v1::CORRECT);
  evaluation.mutable_measurement()->set_median(seconds);
  evaluation.mutable_measurement()->set_joules(joules);
  return evaluation;
}

std::string Text(const v1::Evaluation& evaluation) {
  std::string text;
  for (const v1::MetricValue& metric : evaluation.metrics())
    text += metric.name() + "=" + std::to_string(metric.value()) + " ";
  return text;
}

TEST(StudyMetricsTest, OfParametersSizesAndMeasurement) {
  v1::StudySpec spec = Spec();
  Add("gflops", "2 * n**3 / time / 1e9", &spec);
  Add("blocks", "problem_size[0] // tile", &spec);
  Add("per_joule", "n * unroll / energy", &spec);
  Add("hot", "power if power > 10 else 'cold'", &spec);
  Add("bad", "1 / (tile - 2)", &spec);
  ASSERT_TRUE(CheckObjectives(spec).ok()) << CheckObjectives(spec);
  const auto metrics = StudyMetrics::Make(spec);
  ASSERT_TRUE(metrics.ok()) << metrics.status();
  v1::Evaluation evaluation = Correct(0.5, 8);
  evaluation.add_metrics()->set_name("claimed");
  metrics->Set({}, Configured("4", "2"), &evaluation);
  EXPECT_EQ(Text(evaluation),
            "gflops=4.000000 blocks=250.000000 per_joule=250.000000 hot=16.000000 bad=0.500000 ");
  // Without energy, with a text for a number and a division by zero.
  evaluation = Correct(2, 0);
  metrics->Set({}, Configured("2", "1"), &evaluation);
  EXPECT_EQ(Text(evaluation), "gflops=1.000000 blocks=500.000000 ");
  evaluation = Correct(2, 4);
  metrics->Set({}, Configured("2", "1"), &evaluation);
  EXPECT_EQ(Text(evaluation), "gflops=1.000000 blocks=500.000000 per_joule=250.000000 ");
  evaluation.set_outcome(v1::CORRECTNESS);
  metrics->Set({}, Configured("2", "1"), &evaluation);
  EXPECT_EQ(Text(evaluation), "");
}

TEST(StudyMetricsTest, OfTheParametersOfARegion) {
  v1::StudySpec spec;
  spec.mutable_scop()->add_parameters()->set_name("n");
  Add("rate", "n / time", &spec);
  ASSERT_TRUE(CheckObjectives(spec).ok()) << CheckObjectives(spec);
  const auto metrics = StudyMetrics::Make(spec);
  ASSERT_TRUE(metrics.ok()) << metrics.status();
  v1::Reference reference;
  reference.add_parameters()->set_name("n");
  reference.mutable_parameters(0)->set_value(300);
  v1::Evaluation evaluation = Correct(0.5, 0);
  metrics->Set(reference, {}, &evaluation);
  EXPECT_EQ(Text(evaluation), "rate=600.000000 ");
}

TEST(StudyMetricsTest, FaultsAreToldWithTheirPlace) {
  const auto fault = [](const std::string& name, const std::string& expression) {
    v1::StudySpec spec = Spec();
    Add("first", "time", &spec);
    Add(name, expression, &spec);
    return std::string(CheckObjectives(spec).message());
  };
  EXPECT_EQ(fault("other", "n / time"), "");
  EXPECT_THAT(fault("x", "n / tme"), HasSubstr("spec.metrics: x: \"n / tme\""));
  EXPECT_THAT(fault("x", "n /"), HasSubstr("column"));
  EXPECT_THAT(fault("x y", "n"), HasSubstr("'x y' is no name"));
  EXPECT_THAT(fault("tile", "n"), HasSubstr("tile: the name stands for something else"));
  EXPECT_THAT(fault("edp", "n"), HasSubstr("edp: the name stands for something else"));
  EXPECT_THAT(fault("first", "n"), HasSubstr("first is there twice"));
  v1::StudySpec spec = Spec();
  for (int i = 0; i <= kMostMetrics; ++i) Add("m" + std::to_string(i), "time", &spec);
  EXPECT_THAT(std::string(CheckObjectives(spec).message()), HasSubstr("at most 16"));
}

TEST(StudyMetricsTest, ObjectivesThatAreNone) {
  v1::StudySpec spec = Spec();
  spec.mutable_search()->set_objective("gflops");
  spec.mutable_search()->set_maximise(true);
  EXPECT_THAT(std::string(CheckObjectives(spec).message()),
              HasSubstr("'gflops' is not known; use one of time, energy, power, edp, or define it"));
  Add("gflops", "n / time", &spec);
  EXPECT_TRUE(CheckObjectives(spec).ok());
  EXPECT_FALSE(NeedsEnergy(spec));
  spec.mutable_search()->set_objective("edp");
  EXPECT_THAT(std::string(CheckObjectives(spec).message()), HasSubstr("less of edp is better"));
}

TEST(StudyMetricsTest, EnergyNeedsAGpu) {
  const auto message = [](v1::StudySpec spec) { return std::string(CheckObjectives(spec).message()); };
  v1::StudySpec by_objective = Spec(v1::KERNEL_LANGUAGE_C);
  by_objective.mutable_search()->set_objective("energy");
  EXPECT_THAT(message(by_objective), HasSubstr("energy is measured on NVIDIA GPUs"));
  v1::StudySpec by_metric = Spec(v1::KERNEL_LANGUAGE_C);
  Add("watts", "power * 1", &by_metric);
  EXPECT_THAT(message(by_metric), HasSubstr("energy is measured on NVIDIA GPUs"));
  by_metric.set_target(v1::CUDA);
  EXPECT_EQ(message(by_metric), "");
  EXPECT_TRUE(NeedsEnergy(by_metric));
}

TEST(ByObjectiveTest, StrategiesSeeTheCost) {
  v1::Candidate candidate;
  *candidate.mutable_evaluation() = Correct(0.5, 8);
  candidate.mutable_evaluation()->add_kernels()->set_seconds(0.4);
  v1::SearchOptions search;
  const v1::Candidate by_time = ByObjective(search, candidate);
  EXPECT_EQ(by_time.evaluation().measurement().median(), 0.5);
  EXPECT_EQ(by_time.evaluation().kernels(0).seconds(), 0.4);
  search.set_objective("energy");
  const v1::Candidate by_energy = ByObjective(search, candidate);
  EXPECT_EQ(by_energy.evaluation().measurement().median(), 8);
  EXPECT_EQ(by_energy.evaluation().kernels(0).seconds(), 0);
}

}  // namespace
}  // namespace tune
