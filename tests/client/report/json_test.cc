#include "client/report/json.h"

#include <gmock/gmock.h>
#include <google/protobuf/text_format.h>
#include <gtest/gtest.h>

#include "client/report/words.h"

namespace tune {
namespace {

std::vector<std::string> Keys(const Json& json) {
  std::vector<std::string> keys;
  for (const auto& [key, value] : json.items()) keys.push_back(key);
  return keys;
}

// Scripts depend on these names: they may be added to, never renamed.
TEST(JsonTest, ResultOfAStudy) {
  v1::Study study;
  EXPECT_TRUE(ToJson(study)["result"].is_null());
  v1::ProgramCheck* check = study.mutable_confirmation()->mutable_check();
  check->set_outcome(v1::CORRECT);
  check->mutable_fresh()->set_ratio(0.5);
  check->mutable_fresh()->set_ratio_high(0.6);
  check->mutable_fresh()->set_original_seconds(0.001);
  check->mutable_fresh()->set_tuned_seconds(0.002);
  Json result = ToJson(study)["result"];
  EXPECT_EQ(result["faster"], false);
  EXPECT_EQ(result["of"], "program");
  EXPECT_EQ(result["ratio"], 0.5);
  EXPECT_EQ(result["verdict"], "slower");
  EXPECT_EQ(result["execution"], "first");
  EXPECT_THAT(result["text"], ::testing::StartsWith("slower than the original"));
  EXPECT_TRUE(result["host_seconds"].is_null());
  study.mutable_device()->set_target(v1::CUDA);
  result = ToJson(study)["result"];
  EXPECT_EQ(result["host_seconds"], 0.001);
  EXPECT_EQ(result["device_seconds_with_copies"], 0.002);
  check->mutable_warm()->set_ratio(2);
  EXPECT_EQ(ToJson(study)["result"]["execution"], "later");
  EXPECT_EQ(ToJson(study)["result"]["ratio"], 2);
  check->set_outcome(v1::RUNTIME);
  EXPECT_EQ(ToJson(study)["result"]["verdict"], "failed");
}

TEST(JsonTest, NamesOfAStudy) {
  EXPECT_EQ(Keys(ToJson(v1::Study())), (std::vector<std::string>{"id",
                                                                 "name",
                                                                 "owner",
                                                                 "state",
                                                                 "result",
                                                                 "failure",
                                                                 "failure_log",
                                                                 "target",
                                                                 "generator",
                                                                 "rounding",
                                                                 "device",
                                                                 "search",
                                                                 "reference",
                                                                 "evaluated",
                                                                 "budget",
                                                                 "outcomes",
                                                                 "duplicates",
                                                                 "inspections",
                                                                 "cases",
                                                                 "best_index",
                                                                 "best",
                                                                 "default",
                                                                 "objective",
                                                                 "best_metrics",
                                                                 "default_metrics",
                                                                 "gain_over_default",
                                                                 "gain_over_sequential",
                                                                 "roofline",
                                                                 "confirmation",
                                                                 "created",
                                                                 "finished",
                                                                 "region",
                                                                 "note",
                                                                 "warnings",
                                                                 "provenance"}));
}

TEST(JsonTest, NamesOfACandidate) {
  EXPECT_EQ(Keys(ToJson(v1::Candidate())),
            (std::vector<std::string>{"index", "origin", "state", "attempts", "lost", "configuration",
                                      "evaluation", "created", "evaluated"}));
  EXPECT_EQ(Keys(ToJson(v1::Evaluation())),
            (std::vector<std::string>{"outcome", "message", "log", "measurement", "metrics", "errors", "code",
                                      "code_compared", "duplicate_of", "stages", "worker", "compile_command",
                                      "device_file", "kernels", "device"}));
}

TEST(JsonTest, WhatIsNotThereIsNull) {
  v1::Study study;
  study.set_best_index(-1);
  const Json json = ToJson(study);
  EXPECT_TRUE(json["best_index"].is_null());
  EXPECT_TRUE(json["best"].is_null());
  EXPECT_TRUE(json["finished"].is_null());
  EXPECT_TRUE(json["reference"].is_null());
  EXPECT_TRUE(json["confirmation"].is_null());
  EXPECT_TRUE(ToJson(v1::Evaluation())["duplicate_of"].is_null());
}

TEST(JsonTest, ValuesOfAStudy) {
  v1::Study study;
  ASSERT_TRUE(google::protobuf::TextFormat::ParseFromString(
      R"pb(id: "s1"
           state: SEARCHING
           best_index: 0
           best {
             samples: [ 0.5, 0.25 ]
             median: 0.375
             confidence_low: 0.25
             confidence_high: 0.5
           }
           outcomes { outcome: WORKER_LOST count: 2 }
           reference {
             parameters { name: "n" value: 10 }
             arrays {
               name: "A"
               extents: [ 10, 3 ]
             }
           })pb",
      &study));
  const Json json = Json::parse(PrintJson(ToJson(study)));
  EXPECT_EQ(json["state"], "searching");
  EXPECT_EQ(json["best_index"], 0);
  EXPECT_EQ(json["best"]["samples"], (std::vector<double>{0.5, 0.25}));
  EXPECT_EQ(json["outcomes"]["worker_lost"], 2);
  EXPECT_EQ(json["reference"]["parameters"]["n"], 10);
  EXPECT_EQ(json["reference"]["arrays"]["A"], (std::vector<int64_t>{10, 3}));
}

TEST(JsonTest, Devices) {
  v1::Device device;
  device.set_target(v1::CPU);
  EXPECT_TRUE(ToJson(device)["cuda"].is_null());
  EXPECT_EQ(ToJson(device)["slots"], 1);
  device.set_target(v1::CUDA);
  device.set_slots(8);
  device.mutable_cuda()->set_compute_capability_major(9);
  device.mutable_cuda()->set_driver_version(13000);
  const Json json = ToJson(device);
  EXPECT_EQ(json["target"], "cuda");
  EXPECT_EQ(json["slots"], 8);
  EXPECT_EQ(json["cuda"]["compute_capability"], "9.0");
  EXPECT_EQ(json["cuda"]["driver_version"], 13000);
}

TEST(JsonTest, DuplicateIsTheOtherIndex) {
  v1::Evaluation evaluation;
  evaluation.set_duplicate_of_plus_one(1);
  EXPECT_EQ(ToJson(evaluation)["duplicate_of"], 0);
}

TEST(JsonTest, TextThatIsNotUtf8IsReplaced) {
  v1::Evaluation evaluation;
  evaluation.set_outcome(v1::COMPILE);
  Json json = ToJson(evaluation);
  json["log"] = "bad \xff byte";
  EXPECT_EQ(Json::parse(PrintJsonLine(json))["log"], "bad \xef\xbf\xbd byte");
}

TEST(WordsTest, NewerNumbersAndUnspecified) {
  EXPECT_EQ(TargetWord(v1::CPU), "cpu");
  EXPECT_EQ(TargetWord(v1::TARGET_UNSPECIFIED), "-");
  EXPECT_EQ(TargetWord(static_cast<v1::Target>(17)), "unknown (17)");
  EXPECT_EQ(WorkerStateWord(v1::WorkerView::QUARANTINED), "quarantined");
  EXPECT_EQ(OriginWord(v1::REPLAY), "replay");
}

}  // namespace
}  // namespace tune
