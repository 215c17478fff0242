#include "client/exchange/case_formats.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "absl/strings/str_replace.h"

namespace tune {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

v1::Study StudyOnGpu() {
  v1::Study study;
  study.set_id("s7");
  study.mutable_device()->set_target(v1::CUDA);
  study.mutable_device()->set_model("some GPU");
  study.set_best_index(3);
  study.mutable_best()->add_samples(2e-3);
  study.mutable_best()->set_median(2e-3);
  v1::ParameterValue& n = *study.mutable_reference()->add_parameters();
  n.set_name("n");
  n.set_value(500);
  return study;
}

v1::Configuration Decisions(const std::vector<std::pair<std::string, std::string>>& decisions) {
  v1::Configuration configuration;
  for (const auto& [key, option] : decisions) {
    v1::Decision& decision = *configuration.add_decisions();
    decision.set_key(key);
    decision.set_option(option);
  }
  return configuration;
}

// Threads along each axis, the outermost first, whatever the order of the decisions.
TEST(CaseFormatsTest, AreReadFromAConfiguration) {
  const v1::CaseFormats formats = CaseFormatsOf(StudyOnGpu(), Decisions({{"schedule.algorithm", "pluto"},
                                                                         {"k[S0,S1].tile_size_2", "64"},
                                                                         {"k[S0,S1].block_size_2", "16"},
                                                                         {"k[S0,S1].tile_size_0", "64"},
                                                                         {"k[S0,S1].block_size_0", "8"},
                                                                         {"k[S0,S1].inner_tile", "32"},
                                                                         {"k[S2].reduction", "on"}}));
  ASSERT_EQ(formats.formats_size(), 1);
  const v1::CaseFormat& format = formats.formats(0);
  EXPECT_EQ(format.kernel(), "k[S0,S1]");
  EXPECT_EQ(format.device(), "some GPU");
  EXPECT_THAT(format.block(), ElementsAre(8, 16));
  EXPECT_EQ(format.points(), 4);
  EXPECT_EQ(format.strip(), 32);
  EXPECT_EQ(format.seconds(), 2e-3);
  EXPECT_EQ(format.source(), "s7");
  ASSERT_EQ(format.parameters_size(), 1);
  EXPECT_EQ(format.parameters(0).value(), 500);
}

TEST(CaseFormatsTest, StudiesOfTheHostHaveNone) {
  const v1::Configuration best = Decisions({{"k[S0].block_size_0", "8"}});
  v1::Study study = StudyOnGpu();
  EXPECT_EQ(CaseFormatsOf(study, best).formats_size(), 1);
  study.mutable_device()->set_target(v1::CPU);
  EXPECT_EQ(CaseFormatsOf(study, best).formats_size(), 0);
  study = StudyOnGpu();
  study.set_best_index(-1);
  EXPECT_EQ(CaseFormatsOf(study, best).formats_size(), 0);
}

TEST(CaseFormatsTest, AreReadBackFromTheirText) {
  const v1::CaseFormats formats =
      CaseFormatsOf(StudyOnGpu(), Decisions({{"k[S0].block_size_0", "8"}, {"k[S0].tile_size_0", "16"}}));
  const auto read = ParseCaseFormats(PrintCaseFormats(formats));
  ASSERT_TRUE(read.ok()) << read.status();
  EXPECT_EQ(read->DebugString(), formats.DebugString());
}

TEST(CaseFormatsTest, WhatIsNoneIsRefused) {
  const std::string text =
      PrintCaseFormats(CaseFormatsOf(StudyOnGpu(), Decisions({{"k[S0].block_size_0", "8"}})));
  EXPECT_THAT(ParseCaseFormats("{}").status().message(), HasSubstr("no formats of `tunectl export"));
  EXPECT_THAT(ParseCaseFormats("[1, 2").status().message(), HasSubstr("no formats"));
  const std::vector<std::pair<std::string, std::string>> changes = {
      {"\"case_formats\": 1", "\"case_formats\": 2"},
      {"\"points\": 1", "\"points\": 0"},
      {"\"points\": 1", "\"points\": \"1\""},
      {"        8\n", "        2000\n"},
      {"        8\n", "        8, 8, 8, 8\n"},
      {"\"n\": 500", "\"n\": 0.5"},
      {"\"kernel\"", "\"core\""}};
  for (const auto& [from, to] : changes) {
    ASSERT_THAT(text, HasSubstr(from));
    EXPECT_TRUE(absl::IsInvalidArgument(ParseCaseFormats(absl::StrReplaceAll(text, {{from, to}})).status()))
        << to;
  }
}

}  // namespace
}  // namespace tune
