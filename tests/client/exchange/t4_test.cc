// T4 results: what is written keeps to the schema; what is read, ours or another tool's, becomes results
// alone.
#include "client/exchange/t4.h"

#include <gmock/gmock.h>
#include <google/protobuf/text_format.h>
#include <gtest/gtest.h>

#include "client/exchange/values.h"
#include "common/exchange/study_identity.h"

namespace tune {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

v1::ArchivedStudy FinishedStudy() {
  v1::ArchivedStudy study;
  EXPECT_TRUE(google::protobuf::TextFormat::ParseFromString(
      R"pb(
        study {
          id: "s3"
          name: "gemm"
          owner: "ann@lab"
          state: DONE
          best_index: 1
          created_unix_ms: 1700000000000
          device { target: CUDA model: "NVIDIA H200" compiler: "NVRTC 13.0" }
          search { strategy: "ants" seed: 18446744073709551615 }
          reference { parameters { name: "n" value: 1000 } }
        }
        spec { generator: "builtin" }
        candidates {
          candidate {
            index: 0
            origin: SEARCH
            state: EVALUATED
            evaluated_unix_ms: 1700000001000
            configuration {
              decisions { key: "k0.block_size_x" option: "32" }
              decisions { key: "schedule.algorithm" option: "pluto" }
            }
            evaluation {
              outcome: CORRECT
              measurement {
                samples: 0.004
                samples: 0.005
                median: 0.0045
                confidence_low: 0.004
                confidence_high: 0.005
              }
              stages { stage: "compile" seconds: 0.25 }
            }
          }
        }
        candidates {
          candidate {
            index: 1
            origin: SEARCH
            state: EVALUATED
            evaluation {
              outcome: CORRECT
              measurement { samples: 0.001 median: 0.001 }
              duplicate_of_plus_one: 1
            }
          }
        }
        candidates {
          candidate {
            index: 2
            origin: SEARCH
            state: EVALUATED
            evaluation { outcome: OOM message: "too much" }
          }
        }
        candidates {
          candidate {
            index: 3
            origin: SEARCH
            state: POISONED
            evaluation { outcome: WORKER_LOST }
          }
        }
        candidates {
          candidate {
            index: 4
            origin: SEARCH
            state: EVALUATED
            evaluation { outcome: CANCELLED }
          }
        }
        candidates {
          candidate {
            index: 1000000
            origin: REPLAY
            state: EVALUATED
            evaluation { outcome: CORRECT }
          }
        }
      )pb",
      &study));
  return study;
}

TEST(WriteT4Test, KeepsToTheSchema) {
  const Json json = WriteT4(FinishedStudy()).value();
  EXPECT_TRUE(CheckT4(json).ok()) << CheckT4(json);
  EXPECT_TRUE(CheckT4(Json::parse(PrintJson(json))).ok());
  EXPECT_EQ(json["schema_version"], "1.1.0");
  EXPECT_EQ(json["metadata"]["compute_api"], "CUDA");
  EXPECT_EQ(json["metadata"]["device"], "NVIDIA H200");
  EXPECT_EQ(json["metadata"]["timeunit"], "milliseconds");
  EXPECT_EQ(json["metadata"]["timestamp"], "2023-11-14T22:13:20Z");
  ASSERT_EQ(json["results"].size(), 4u);
  const Json& first = json["results"][0];
  EXPECT_EQ(first["configuration"]["k0.block_size_x"], 32);
  EXPECT_EQ(first["configuration"]["schedule.algorithm"], "pluto");
  EXPECT_EQ(first["objectives"], Json::array({"time"}));
  EXPECT_EQ(first["invalidity"], "correct");
  EXPECT_EQ(first["correctness"], 1);
  EXPECT_EQ(first["times"]["runtimes"].size(), 2u);
  EXPECT_DOUBLE_EQ(first["times"]["runtimes"][1].get<double>(), 5);
  EXPECT_DOUBLE_EQ(first["times"]["compilation_time"].get<double>(), 250);
  EXPECT_DOUBLE_EQ(first["measurements"][0]["value"].get<double>(), 4.5);
}

TEST(WriteT4Test, OurOwnFactsStandUnderOurKey) {
  const Json json = WriteT4(FinishedStudy()).value();
  EXPECT_EQ(json["results"][2]["invalidity"], "runtime");
  EXPECT_EQ(json["results"][3]["invalidity"], "timeout");
  EXPECT_EQ(json["results"][2]["correctness"], 0);
  const Json& own = json["metadata"]["tuned"];
  ASSERT_EQ(own["results"].size(), json["results"].size());
  EXPECT_EQ(own["results"][2]["outcome"], "oom");
  EXPECT_EQ(own["results"][2]["message"], "too much");
  EXPECT_EQ(own["results"][3]["outcome"], "worker_lost");
  EXPECT_EQ(own["results"][1]["duplicate_of"], 0);
  EXPECT_EQ(own["parameters"]["n"], 1000);
  EXPECT_EQ(own["study"], "s3");
  EXPECT_EQ(own["seed"], UINT64_MAX);
}

TEST(WriteT4Test, OnTheHostThereIsNoComputeApi) {
  v1::ArchivedStudy study = FinishedStudy();
  study.mutable_study()->mutable_device()->set_target(v1::CPU);
  const Json json = WriteT4(study).value();
  EXPECT_FALSE(json["metadata"].contains("compute_api"));
  EXPECT_TRUE(CheckT4(json).ok());
  study.clear_candidates();
  EXPECT_TRUE(absl::IsInvalidArgument(WriteT4(study).status()));
}

// Each change breaks one rule of the schema.
TEST(CheckT4Test, EveryRuleIsChecked) {
  const std::vector<std::pair<std::string, std::function<void(Json&)>>> changes = {
      {"schema_version", [](Json& j) { j["schema_version"] = "1.1"; }},
      {"schema_version", [](Json& j) { j["schema_version"] = 1; }},
      {"metadata", [](Json& j) { j["metadata"] = Json::array(); }},
      {"metadata.compute_api", [](Json& j) { j["metadata"]["compute_api"] = "HIP"; }},
      {"metadata.platform", [](Json& j) { j["metadata"]["platform"] = 3; }},
      {"metadata.device", [](Json& j) { j["metadata"]["device"] = Json(); }},
      {"metadata.autotuner", [](Json& j) { j["metadata"]["autotuner"] = true; }},
      {"metadata.autotuner_version", [](Json& j) { j["metadata"]["autotuner_version"] = 1.0; }},
      {"metadata.timestamp", [](Json& j) { j["metadata"]["timestamp"] = 5; }},
      {"metadata.timeunit", [](Json& j) { j["metadata"]["timeunit"] = "ms"; }},
      {"results", [](Json& j) { j["results"] = Json::object(); }},
      {"results[1]", [](Json& j) { j["results"][1] = "x"; }},
      {"results[0].timestamp", [](Json& j) { j["results"][0]["timestamp"] = 7; }},
      {"results[0].configuration", [](Json& j) { j["results"][0].erase("configuration"); }},
      {"results[0].configuration", [](Json& j) { j["results"][0]["configuration"] = Json::array(); }},
      {"results[0].objectives[0]", [](Json& j) { j["results"][0]["objectives"][0] = 1; }},
      {"results[0].times", [](Json& j) { j["results"][0].erase("times"); }},
      {"results[0].times.compilation_time",
       [](Json& j) { j["results"][0]["times"]["compilation_time"] = "1"; }},
      {"results[0].times.runtimes[0]", [](Json& j) { j["results"][0]["times"]["runtimes"][0] = "1"; }},
      {"results[0].times.framework", [](Json& j) { j["results"][0]["times"]["framework"] = Json(); }},
      {"results[2].invalidity", [](Json& j) { j["results"][2]["invalidity"] = "oom"; }},
      {"results[2].invalidity", [](Json& j) { j["results"][2].erase("invalidity"); }},
      {"results[2].correctness", [](Json& j) { j["results"][2]["correctness"] = 2; }},
      {"results[2].correctness", [](Json& j) { j["results"][2]["correctness"] = false; }},
      {"results[2].correctness", [](Json& j) { j["results"][2].erase("correctness"); }},
      {"results[0].measurements", [](Json& j) { j["results"][0]["measurements"] = 1; }},
      {"results[0].measurements[0].value",
       [](Json& j) { j["results"][0]["measurements"][0]["value"] = Json::object(); }},
      {"results[0].measurements[0].type",
       [](Json& j) { j["results"][0]["measurements"][0]["type"] = "Float"; }},
      {"results[0].compilation_data.registers", [](Json& j) {
         j["results"][0]["compilation_data"] = {{"max_work_group_size", 1},
                                                {"local_memory_size", 0},
                                                {"private_memory_size", 0},
                                                {"constant_memory_size", 0},
                                                {"registers", -1}};
       }}};
  const Json good = WriteT4(FinishedStudy()).value();
  for (const auto& [place, change] : changes) {
    Json json = good;
    change(json);
    const absl::Status status = CheckT4(json);
    EXPECT_TRUE(absl::IsInvalidArgument(status)) << place;
    EXPECT_THAT(std::string(status.message()), HasSubstr(": " + place + " "));
  }
  EXPECT_FALSE(CheckT4(Json::array()).ok());
  EXPECT_TRUE(CheckT4(Json::object()).ok());  // the schema demands nothing at the top
}

TEST(ReadT4Test, OwnResultsComeBack) {
  const Json json = WriteT4(FinishedStudy()).value();
  const v1::ArchivedStudy study = ReadT4(json, "gemm.json").value();
  EXPECT_EQ(study.study().name(), "gemm.json");
  EXPECT_EQ(study.study().owner(), "tuned");
  EXPECT_EQ(study.study().state(), v1::DONE);
  EXPECT_EQ(study.study().target(), v1::CUDA);
  EXPECT_EQ(study.study().device().model(), "NVIDIA H200");
  EXPECT_EQ(study.study().best_index(), 1);
  EXPECT_DOUBLE_EQ(study.study().best().median(), 0.001);
  EXPECT_EQ(study.study().evaluated(), 4);
  EXPECT_EQ(study.study().created_unix_ms(), 1700000000000);
  EXPECT_EQ(study.study().provenance().format(), "T4");
  EXPECT_EQ(study.study().provenance().server(), "gemm.json");
  EXPECT_THAT(study.study().warnings(0), HasSubstr("without the code"));
  EXPECT_FALSE(study.spec().has_scop());
  ASSERT_EQ(study.candidates_size(), 4);
  const v1::Candidate& first = study.candidates(0).candidate();
  EXPECT_EQ(first.configuration().decisions(0).option(), "32");
  EXPECT_THAT(first.evaluation().measurement().samples(), ElementsAre(0.004, 0.005));
  EXPECT_EQ(study.candidates(2).candidate().evaluation().outcome(), v1::RUNTIME);
  EXPECT_EQ(study.fingerprint(), StudyFingerprint(study));
  EXPECT_EQ(ReadT4(json, "other name")->fingerprint(), study.fingerprint());
}

// As Kernel Tuner writes: no metadata, its own spelling of a time, values in milliseconds in the
// measurements.
TEST(ReadT4Test, AnotherToolsDialect) {
  const Json json = Json::parse(R"({"schema_version": "1.0.0", "results": [
      {"timestamp": "2024-05-01 10:20:30.5+00:00", "configuration": {"block_size_x": 64, "use_padding": true},
       "objectives": ["time"], "times": {"compilation": 400.5, "runtimes": []},
       "invalidity": "correct", "correctness": 1,
       "measurements": [{"name": "GFLOP/s", "value": 9.5, "unit": ""}, {"name": "time", "value": 2.5, "unit": "ms"}]},
      {"configuration": {"block_size_x": 2048}, "times": {}, "invalidity": "compile", "correctness": 0}]})");
  const v1::ArchivedStudy study = ReadT4(json, "kt.json").value();
  EXPECT_EQ(study.study().best_index(), 0);
  EXPECT_DOUBLE_EQ(study.study().best().median(), 0.0025);
  EXPECT_EQ(study.study().target(), v1::TARGET_UNSPECIFIED);
  EXPECT_EQ(study.candidates(0).candidate().configuration().decisions(1).option(), "true");
  EXPECT_EQ(study.candidates(0).candidate().evaluated_unix_ms(), 1714558830500);
  EXPECT_EQ(study.candidates(1).candidate().evaluation().outcome(), v1::COMPILE);
  EXPECT_FALSE(ReadT4(Json::object(), "x").ok());
  EXPECT_FALSE(ReadT4(Json::parse(R"({"results": [{}]})"), "x").ok());
}

TEST(ReadT4Test, UnitsOfTime) {
  for (const auto& [unit, seconds] : std::map<std::string, double>{
           {"seconds", 8}, {"milliseconds", 8e-3}, {"microseconds", 8e-6}, {"nanoseconds", 8e-9}}) {
    Json json = {{"metadata", {{"timeunit", unit}}}, {"results", Json::array()}};
    json["results"].push_back({{"configuration", Json::object()},
                               {"times", {{"runtimes", {8.0}}}},
                               {"invalidity", "correct"},
                               {"correctness", 1}});
    EXPECT_DOUBLE_EQ(ReadT4(json, "x")->study().best().median(), seconds) << unit;
  }
}

TEST(ValuesTest, OptionsAndTimes) {
  EXPECT_EQ(OptionValue("32"), Json(32));
  for (const char* text : {"032", "on", "1.5", "", "+3"}) EXPECT_EQ(OptionValue(text), Json(text));
  for (const char* text : {"32", "on", "1.5"}) EXPECT_EQ(OptionText(OptionValue(text)), text);
  EXPECT_EQ(ParseIsoTime(IsoTime(1700000000000)), 1700000000000);
  EXPECT_EQ(IsoTime(0), "");
  EXPECT_EQ(ParseIsoTime("yesterday"), 0);
}

// Some tools write what is no time where nothing was measured.
TEST(ReadT4Test, TimesThatAreNoneAreLeftOut) {
  const Json json = Json::parse(R"({"results": [
      {"configuration": {"x": 1}, "times": {"runtimes": [0, 2]}, "invalidity": "correct", "correctness": 1},
      {"configuration": {"x": 2}, "times": {"runtimes": [-1]}, "invalidity": "correct", "correctness": 1},
      {"configuration": {"x": 3}, "times": {"runtimes": [4]}, "invalidity": "correct", "correctness": 1}]})");
  const v1::ArchivedStudy study = ReadT4(json, "x.json").value();
  EXPECT_FALSE(study.candidates(0).candidate().evaluation().has_measurement());
  EXPECT_FALSE(study.candidates(1).candidate().evaluation().has_measurement());
  EXPECT_EQ(study.study().best_index(), 2);
}

}  // namespace
}  // namespace tune
