// Kernel Tuner's cache files: read as results, written from studies of kernels and read again.
#include "client/exchange/kernel_tuner_cache.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <map>

#include "client/exchange/t4.h"
#include "common/decision/configuration.h"
#include "tests/common/testing/matmul_definition.h"

namespace tune {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

// As Kernel Tuner 1.0 writes them.
Json Cache() {
  return Json::parse(R"json({
    "device_name": "NVIDIA RTX A4000",
    "kernel_name": "vector_add",
    "problem_size": 100,
    "tune_params_keys": ["block_size_x", "type"],
    "tune_params": {"block_size_x": [128, 192, 256], "type": ["float"]},
    "cache": {
      "128,float": {"block_size_x": 128, "type": "float", "time": 0.04, "times": [0.12, 0.03, 0.02],
                    "compile_time": 440.5, "verification_time": 0, "benchmark_time": 1.09, "strategy_time": 0,
                    "framework_time": 0.8, "timestamp": "2022-12-23 12:11:26.411558+00:00"},
      "192,float": {"block_size_x": 192, "type": "float", "time": "CompilationFailedConfig"},
      "256,float": {"block_size_x": 256, "type": "float", "time": 0.01}
    }})json");
}

TEST(ReadKernelTunerCacheTest, EntriesAreResults) {
  const v1::ArchivedStudy archived = ReadKernelTunerCache(Cache(), "vector_add.json").value();
  EXPECT_EQ(archived.study().name(), "vector_add");
  EXPECT_EQ(archived.study().device().model(), "NVIDIA RTX A4000");
  EXPECT_EQ(archived.study().state(), v1::DONE);
  EXPECT_EQ(archived.study().evaluated(), 3);
  EXPECT_EQ(archived.study().best_index(), 2);
  EXPECT_EQ(archived.study().provenance().format(), "Kernel Tuner cache");
  EXPECT_FALSE(archived.has_spec());
  ASSERT_EQ(archived.candidates_size(), 3);
  const v1::Candidate& first = archived.candidates(0).candidate();
  EXPECT_EQ(PrintConfiguration(first.configuration()), "block_size_x = 128\ntype = float\n");
  EXPECT_THAT(first.evaluation().measurement().samples(), ElementsAre(0.12e-3, 0.03e-3, 0.02e-3));
  EXPECT_DOUBLE_EQ(first.evaluation().stages(0).seconds(), 0.4405);
  EXPECT_EQ(first.evaluated_unix_ms(), 1671797486411);
  EXPECT_EQ(archived.candidates(1).candidate().evaluation().outcome(), v1::COMPILE);
  EXPECT_DOUBLE_EQ(archived.candidates(2).candidate().evaluation().measurement().median(), 0.01e-3);
}

// As its observer of NVML and the user's metrics write them.
TEST(ReadKernelTunerCacheTest, TakesItsObjectiveEnergyAndMetrics) {
  Json cache = Cache();
  cache["objective"] = "GFLOP/s";
  Json& entry = cache["cache"]["128,float"];
  entry["nvml_power"] = 200;
  entry["nvml_energy"] = 0.007;
  entry["GFLOP/s"] = 900.5;
  cache["cache"]["256,float"]["GFLOP/s"] = 100;
  cache["cache"]["256,float"]["nvml_power"] = 200;
  cache["cache"]["256,float"]["power_readings"] = Json::array({1, 2});
  const v1::ArchivedStudy archived = ReadKernelTunerCache(cache, "x").value();
  EXPECT_EQ(archived.study().search().objective(), "GFLOP/s");
  EXPECT_TRUE(archived.study().search().maximise());
  EXPECT_EQ(archived.study().best_index(), 0) << "the faster one has less of it";
  EXPECT_EQ(archived.study().best_metrics(0).value(), 900.5);
  const v1::Evaluation& first = archived.candidates(0).candidate().evaluation();
  EXPECT_EQ(first.measurement().joules(), 0.007);
  ASSERT_EQ(first.metrics_size(), 1);
  EXPECT_EQ(first.metrics(0).name(), "GFLOP/s");
  const v1::Evaluation& last = archived.candidates(2).candidate().evaluation();
  EXPECT_DOUBLE_EQ(last.measurement().joules(), 200 * 0.01e-3) << "by its power";
  EXPECT_EQ(last.metrics_size(), 1);
  EXPECT_EQ(archived.candidates(1).candidate().evaluation().metrics_size(), 0);
  cache["objective"] = Json::array({"nvml_energy", "time"});
  EXPECT_EQ(ReadKernelTunerCache(cache, "x")->study().search().objective(), "energy");
  EXPECT_EQ(ReadKernelTunerCache(cache, "x")->study().best_index(), 2);
  cache["objective"] = "points";
  EXPECT_THAT(ReadKernelTunerCache(cache, "x")->study().warnings(1),
              HasSubstr("compares by points and does not say whether more or less of it is better"));
}

TEST(ReadKernelTunerCacheTest, SaysWhatIsNoCacheAndWhere) {
  const auto message = [](const std::function<void(Json*)>& change) {
    Json cache = Cache();
    change(&cache);
    const absl::Status status = ReadKernelTunerCache(cache, "x").status();
    EXPECT_TRUE(absl::IsInvalidArgument(status));
    return std::string(status.message());
  };
  EXPECT_THAT(message([](Json* c) { c->erase("tune_params_keys"); }),
              HasSubstr("tune_params_keys must be a list of the parameters' names"));
  EXPECT_THAT(message([](Json* c) { (*c)["tune_params_keys"][1] = 7; }), HasSubstr("tune_params_keys[1]"));
  EXPECT_THAT(message([](Json* c) { c->erase("cache"); }), HasSubstr("cache must be an object of results"));
  EXPECT_THAT(message([](Json* c) { (*c)["cache"] = Json::object(); }),
              HasSubstr("the cache has no results"));
  EXPECT_THAT(message([](Json* c) { (*c)["cache"]["128,float"] = 3; }),
              HasSubstr("cache[\"128,float\"] must be an object"));
  EXPECT_THAT(message([](Json* c) { (*c)["cache"]["128,float"].erase("type"); }),
              HasSubstr("cache[\"128,float\"] has no value of type"));
  EXPECT_THAT(message([](Json* c) { (*c)["cache"]["128,float"]["type"] = Json::array(); }),
              HasSubstr("cache[\"128,float\"].type must be a number"));
  EXPECT_THAT(message([](Json* c) { (*c)["cache"]["128,float"].erase("time"); }), HasSubstr("has no time"));
  EXPECT_THAT(message([](Json* c) { (*c)["cache"]["128,float"]["time"] = Json(); }),
              HasSubstr("cache[\"128,float\"].time must be a number or a word"));
  EXPECT_THAT(message([](Json* c) { (*c)["cache"]["128,float"]["times"][0] = "a"; }),
              HasSubstr("cache[\"128,float\"].times must be a list of numbers"));
}

v1::Candidate MatmulCandidate(int64_t index, const std::string& decisions, v1::Outcome outcome,
                              double seconds) {
  v1::Candidate candidate;
  candidate.set_index(index);
  candidate.set_origin(v1::SEARCH);
  candidate.set_state(v1::EVALUATED);
  *candidate.mutable_configuration() = ParseConfiguration(decisions).value();
  candidate.mutable_evaluation()->set_outcome(outcome);
  if (outcome != v1::CORRECT) return candidate;
  candidate.mutable_evaluation()->mutable_measurement()->add_samples(seconds);
  candidate.mutable_evaluation()->mutable_measurement()->set_median(seconds);
  return candidate;
}

v1::ArchivedStudy MatmulStudy() {
  v1::ArchivedStudy study;
  *study.mutable_spec() = testing::KernelSpec(testing::MatmulDefinition(64), "void matmul();\n");
  v1::TuningParameterValues* fixed = study.mutable_spec()->mutable_kernel()->add_parameters();
  fixed->set_name("type");
  fixed->add_values()->set_text("float");
  study.mutable_study()->set_id("s1");
  study.mutable_study()->mutable_device()->set_model("a CPU");
  int64_t index = 0;
  const auto add = [&](const std::string& decisions, v1::Outcome outcome, double seconds) {
    *study.add_candidates()->mutable_candidate() = MatmulCandidate(index++, decisions, outcome, seconds);
  };
  add("TILE_I = 16\nTILE_J = 16\nUNROLL = 1\nTRANSPOSED = 0", v1::CORRECT, 0.002);
  add("TILE_I = 8\nTILE_J = 16\nUNROLL = 1\nTRANSPOSED = 0", v1::COMPILE, 0);
  add("TILE_I = 8\nTILE_J = 8\nUNROLL = 1\nTRANSPOSED = 0", v1::WORKER_LOST, 0);
  return study;
}

TEST(WriteKernelTunerCacheTest, HasAllParametersAndIsReadAgain) {
  const Json json = WriteKernelTunerCache(MatmulStudy()).value();
  EXPECT_EQ(json["kernel_name"], "matmul");
  EXPECT_EQ(json["device_name"], "a CPU");
  EXPECT_EQ(json["objective"], "time");
  EXPECT_EQ(json["tuned"]["study"], "s1");
  EXPECT_EQ(json["tune_params"]["type"], Json::array({"float"}));
  EXPECT_TRUE(json["tune_params"]["TILE_I"].size() > 1);
  ASSERT_EQ(json["cache"].size(), 2u);  // what a worker lost is no result
  const Json& first = json["cache"]["16,16,1,0,float"];
  EXPECT_EQ(first["TILE_I"], 16);
  EXPECT_EQ(first["type"], "float");
  EXPECT_DOUBLE_EQ(first["time"].get<double>(), 2);
  EXPECT_EQ(json["cache"]["8,16,1,0,float"]["time"], "CompilationFailedConfig");
  const v1::ArchivedStudy again = ReadKernelTunerCache(json, "matmul.json").value();
  EXPECT_EQ(again.study().best_index(), 0);
  EXPECT_DOUBLE_EQ(again.study().best().median(), 0.002);
}

// The slower candidate is the better one, by energy and by a metric of which more is better.
v1::ArchivedStudy StudyFor(const std::string& objective, bool maximise) {
  v1::ArchivedStudy study = MatmulStudy();
  study.mutable_study()->mutable_search()->set_objective(objective);
  study.mutable_study()->mutable_search()->set_maximise(maximise);
  *study.mutable_candidates(2)->mutable_candidate() =
      MatmulCandidate(2, "TILE_I = 8\nTILE_J = 8\nUNROLL = 1\nTRANSPOSED = 0", v1::CORRECT, 0.004);
  for (const auto& [index, joules] : {std::pair(0, 0.5), std::pair(2, 0.25)}) {
    v1::Evaluation* evaluation = study.mutable_candidates(index)->mutable_candidate()->mutable_evaluation();
    evaluation->mutable_measurement()->set_joules(joules);
    v1::MetricValue* metric = evaluation->add_metrics();
    metric->set_name("rate");
    metric->set_value(1 / joules);
  }
  return study;
}

TEST(WriteKernelTunerCacheTest, CarriesObjectiveEnergyAndMetrics) {
  const Json json = WriteKernelTunerCache(StudyFor("energy", false)).value();
  EXPECT_EQ(json["objective"], "nvml_energy");
  const Json& first = json["cache"]["16,16,1,0,float"];
  EXPECT_EQ(first["nvml_energy"], 0.5);
  EXPECT_DOUBLE_EQ(first["nvml_power"].get<double>(), 250);
  EXPECT_EQ(first["rate"], 2);
  EXPECT_FALSE(json["cache"]["8,16,1,0,float"].contains("nvml_energy")) << "it failed";
  const v1::ArchivedStudy again = ReadKernelTunerCache(json, "x").value();
  EXPECT_EQ(again.study().search().objective(), "energy");
  EXPECT_EQ(again.study().best_index(), 2);
  EXPECT_EQ(again.study().best().joules(), 0.25);
  ASSERT_EQ(again.candidates(0).candidate().evaluation().metrics_size(), 1) << "edp follows from the energy";
  EXPECT_EQ(again.candidates(0).candidate().evaluation().metrics(0).name(), "rate");
  const v1::ArchivedStudy rate =
      ReadKernelTunerCache(WriteKernelTunerCache(StudyFor("rate", true)).value(), "x").value();
  EXPECT_TRUE(rate.study().search().maximise()) << "by our own key";
  EXPECT_EQ(rate.study().best_index(), 2);
  EXPECT_EQ(rate.study().warnings_size(), 1);
}

TEST(WriteT4Test, CarriesObjectiveEnergyAndMetrics) {
  const Json json = WriteT4(StudyFor("rate", true)).value();
  EXPECT_TRUE(CheckT4(json).ok()) << CheckT4(json);
  const Json& first = json["results"][0];
  EXPECT_EQ(first["objectives"], Json::array({"rate"}));
  std::map<std::string, Json> measured;
  for (const Json& measurement : first["measurements"])
    measured[measurement["name"].get<std::string>()] = measurement;
  EXPECT_EQ(measured["time"]["value"], 2);
  EXPECT_EQ(measured["energy"]["value"], 0.5);
  EXPECT_EQ(measured["energy"]["unit"], "J");
  EXPECT_EQ(measured["power"]["unit"], "W");
  EXPECT_EQ(measured["edp"]["unit"], "J s");
  EXPECT_EQ(measured["rate"]["value"], 2);
  EXPECT_EQ(measured["rate"]["unit"], "");
  EXPECT_EQ(json["metadata"]["tuned"]["maximise"], true);
  const v1::ArchivedStudy again = ReadT4(json, "x").value();
  EXPECT_EQ(again.study().search().objective(), "rate");
  EXPECT_TRUE(again.study().search().maximise());
  EXPECT_EQ(again.study().best_index(), 2);
  EXPECT_EQ(again.study().best().joules(), 0.25);
  EXPECT_EQ(again.candidates(0).candidate().evaluation().metrics_size(), 1);
}

TEST(ReadT4Test, TakesTheObjectiveOfAnotherTool) {
  const Json json = Json::parse(R"({"results": [
      {"configuration": {"x": 1}, "objectives": ["GB/s"], "times": {"runtimes": [1]}, "invalidity": "correct",
       "correctness": 1, "measurements": [{"name": "GB/s", "value": 50, "unit": ""},
                                          {"name": "energy", "value": 500, "unit": "mJ"},
                                          {"name": "profile", "value": [1, 2], "unit": ""}]},
      {"configuration": {"x": 2}, "objectives": ["GB/s"], "times": {"runtimes": [2]}, "invalidity": "correct",
       "correctness": 1, "measurements": [{"name": "GB/s", "value": 60, "unit": ""}]}]})");
  const v1::ArchivedStudy study = ReadT4(json, "x").value();
  EXPECT_EQ(study.study().search().objective(), "GB/s");
  EXPECT_TRUE(study.study().search().maximise());
  EXPECT_EQ(study.study().best_index(), 1);
  EXPECT_EQ(study.candidates(0).candidate().evaluation().measurement().joules(), 0.5);
  EXPECT_EQ(study.candidates(0).candidate().evaluation().metrics_size(), 1);
}

TEST(WriteKernelTunerCacheTest, DecisionsThatDifferAreRefused) {
  v1::ArchivedStudy study;
  study.mutable_study()->set_id("s2");
  EXPECT_THAT(std::string(WriteKernelTunerCache(study).status().message()),
              HasSubstr("nothing was evaluated"));
  *study.add_candidates()->mutable_candidate() = MatmulCandidate(0, "a = 1\nb = 2", v1::CORRECT, 1);
  EXPECT_TRUE(WriteKernelTunerCache(study).ok());
  *study.add_candidates()->mutable_candidate() = MatmulCandidate(1, "a = 2", v1::CORRECT, 1);
  EXPECT_THAT(std::string(WriteKernelTunerCache(study).status().message()),
              HasSubstr("s2: candidate 1 has other decisions than those before it"));
}

TEST(WriteT4Test, OfKernelsAllParametersHaveTheirTypes) {
  const Json json = WriteT4(MatmulStudy()).value();
  EXPECT_TRUE(CheckT4(json).ok()) << CheckT4(json);
  EXPECT_EQ(json["results"][0]["configuration"]["TILE_I"], 16);
  EXPECT_EQ(json["results"][0]["configuration"]["type"], "float");
}

}  // namespace
}  // namespace tune
