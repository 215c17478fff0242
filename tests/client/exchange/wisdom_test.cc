// Wisdom: lines that Kernel Launcher's reader takes.
#include "client/exchange/wisdom.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "absl/strings/str_split.h"
#include "client/report/json.h"

namespace tune {
namespace {

using ::testing::HasSubstr;

v1::ArchivedStudy TunedKernel(const std::string& kernel, int64_t n, double seconds,
                              const std::vector<std::pair<std::string, std::string>>& decisions) {
  v1::ArchivedStudy study;
  study.mutable_study()->set_id("s3");
  study.mutable_study()->set_best_index(2);
  study.mutable_study()->mutable_best()->set_median(seconds);
  study.mutable_study()->mutable_device()->set_model("NVIDIA H200");
  v1::ParameterValue* parameter = study.mutable_study()->mutable_reference()->add_parameters();
  parameter->set_name("n");
  parameter->set_value(n);
  study.mutable_spec()->mutable_scop()->set_name(kernel);
  v1::Candidate& best = *study.add_candidates()->mutable_candidate();
  best.set_index(2);
  for (const auto& [key, option] : decisions) {
    v1::Decision* decision = best.mutable_configuration()->add_decisions();
    decision->set_key(key);
    decision->set_option(option);
  }
  return study;
}

// The reader's rules: a header with version, key, objective and parameters; each line with as many values.
std::vector<Json> ReadLines(const std::string& text) {
  std::vector<Json> lines;
  for (absl::string_view line : absl::StrSplit(text, '\n', absl::SkipEmpty())) {
    lines.push_back(Json::parse(std::string(line)));
  }
  EXPECT_EQ(lines[0]["version"], "1.0");
  EXPECT_TRUE(lines[0]["key"].is_string());
  EXPECT_TRUE(lines[0]["objective"].is_string());
  for (const Json& name : lines[0]["tunable_parameters"]) EXPECT_TRUE(name.is_string());
  for (size_t i = 1; i < lines.size(); ++i) {
    EXPECT_EQ(lines[i]["config"].size(), lines[0]["tunable_parameters"].size());
    for (const Json& value : lines[i]["config"]) EXPECT_TRUE(value.is_number() || value.is_string());
    for (const Json& size : lines[i]["problem_size"]) EXPECT_TRUE(size.is_number_integer());
    EXPECT_TRUE(lines[i][lines[0]["objective"].get<std::string>()].is_number());
    EXPECT_TRUE(lines[i]["environment"]["device_name"].is_string());
  }
  return lines;
}

TEST(WisdomTest, OneLineAStudy) {
  const std::string text = WriteWisdom({TunedKernel("gemm", 1000, 0.002, {{"tile", "32"}, {"order", "ij"}}),
                                        TunedKernel("gemm", 2000, 0.016, {{"tile", "64"}, {"unroll", "4"}})})
                               .value();
  const std::vector<Json> lines = ReadLines(text);
  ASSERT_EQ(lines.size(), 3u);
  EXPECT_EQ(lines[0]["key"], "gemm");
  EXPECT_EQ(lines[0]["tunable_parameters"], Json::array({"tile", "order", "unroll"}));
  EXPECT_EQ(lines[1]["config"], Json::array({32, "ij", ""}));
  EXPECT_EQ(lines[2]["config"], Json::array({64, "", 4}));
  EXPECT_EQ(lines[2]["problem_size"], Json::array({2000}));
  EXPECT_DOUBLE_EQ(lines[1]["time"].get<double>(), 2);
  EXPECT_EQ(lines[1]["environment"]["device_name"], "NVIDIA H200");
}

TEST(WisdomTest, ExtentsStandInForParameters) {
  v1::ArchivedStudy study = TunedKernel("gemm", 1, 1, {{"tile", "32"}});
  study.mutable_study()->mutable_reference()->clear_parameters();
  study.mutable_study()->mutable_reference()->add_arrays();
  v1::ArrayExtents* array = study.mutable_study()->mutable_reference()->add_arrays();
  array->add_extents(100);
  array->add_extents(200);
  EXPECT_EQ(ReadLines(WriteWisdom({study}).value())[1]["problem_size"], Json::array({100, 200}));
}

TEST(WisdomTest, OfHandWrittenKernelsAllParameters) {
  v1::ArchivedStudy study = TunedKernel("", 64, 0.002, {{"BLOCK", "32"}});
  v1::KernelDefinition* definition = study.mutable_spec()->mutable_kernel();
  definition->add_kernels()->set_name("filter::smooth");
  v1::TuningParameterValues* block = definition->add_parameters();
  block->set_name("BLOCK");
  for (const int value : {32, 64}) block->add_values()->set_integer(value);
  v1::TuningParameterValues* fixed = definition->add_parameters();
  fixed->set_name("type");
  fixed->add_values()->set_text("float");
  study.mutable_study()->mutable_search()->set_objective("energy");
  study.mutable_study()->mutable_best()->set_joules(0.25);
  const std::vector<Json> lines = ReadLines(WriteWisdom({study}).value());
  EXPECT_EQ(lines[0]["key"], "filter::smooth");
  EXPECT_EQ(lines[0]["objective"], "energy");
  EXPECT_EQ(lines[0]["tunable_parameters"], Json::array({"BLOCK", "type"}));
  EXPECT_EQ(lines[1]["config"], Json::array({32, "float"}));
  EXPECT_EQ(lines[1]["energy"], 0.25);
  EXPECT_FALSE(lines[1].contains("time"));
  v1::ArchivedStudy for_time = study;
  for_time.mutable_study()->clear_search();
  EXPECT_THAT(std::string(WriteWisdom({study, for_time}).status().message()),
              HasSubstr("s3 is tuned for energy, s3 for time"));
}

TEST(WisdomTest, OneKernelWithAResult) {
  const v1::ArchivedStudy gemm = TunedKernel("gemm", 1, 1, {});
  const auto mixed = WriteWisdom({gemm, TunedKernel("atax", 1, 1, {})});
  EXPECT_THAT(std::string(mixed.status().message()), HasSubstr("atax"));
  v1::ArchivedStudy nothing = gemm;
  nothing.mutable_study()->set_best_index(-1);
  EXPECT_THAT(std::string(WriteWisdom({nothing}).status().message()), HasSubstr("nothing correct"));
  EXPECT_FALSE(WriteWisdom({}).ok());
}

}  // namespace
}  // namespace tune
