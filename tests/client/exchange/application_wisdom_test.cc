#include "client/exchange/application_wisdom.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/base/file.h"
#include "common/exchange/results_alone.h"

namespace tune {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

LearntResult Gemm(int64_t size, double seconds) {
  return {
      "gemm:0123", "GPU, \"cpu\" = 4 cores", {size, size}, seconds, {{"platform", "formats"}, {"x", "64"}}};
}

class ApplicationWisdomTest : public ::testing::Test {
 protected:
  const TemporaryFolder folder_ = TemporaryFolder::Make().value();
  const std::string path_ = folder_.path() + "/wisdom";
};

TEST_F(ApplicationWisdomTest, OfTwoResultsTheFasterOneStays) {
  ASSERT_TRUE(AddLearntResults(path_, {Gemm(500, 2e-3), Gemm(100, 1e-4)}).ok());
  ASSERT_TRUE(AddLearntResults(path_, {Gemm(500, 1e-3), Gemm(100, 3e-4)}).ok());
  const auto results = ReadLearntResults(path_);
  ASSERT_TRUE(results.ok()) << results.status();
  ASSERT_EQ(results->size(), 2u);
  EXPECT_EQ((*results)[0].seconds, 1e-4);
  EXPECT_EQ((*results)[1].seconds, 1e-3);
  EXPECT_THAT((*results)[1].inputs, ElementsAre(500, 500));
  EXPECT_EQ((*results)[1].device, Gemm(0, 0).device);
  EXPECT_EQ((*results)[1].values.at("x"), "64");
}

TEST_F(ApplicationWisdomTest, WhatIsNoWisdomFileIsRefusedAndLeftAlone) {
  EXPECT_TRUE(absl::IsNotFound(ReadLearntResults(path_).status()));
  ASSERT_TRUE(WriteFile(path_, "something else\n").ok());
  EXPECT_TRUE(absl::IsInvalidArgument(ReadLearntResults(path_).status()));
  const absl::Status added = AddLearntResults(path_, {Gemm(500, 1e-3)});
  EXPECT_TRUE(absl::IsInvalidArgument(added));
  EXPECT_THAT(added.message(), HasSubstr(path_));
  EXPECT_EQ(ReadFile(path_).value(), "something else\n");
}

TEST_F(ApplicationWisdomTest, AResultIsAStudyOfOriginOnlineAndBack) {
  const v1::ArchivedStudy study = StudyOfLearntResult(Gemm(500, 1e-3), "app.wisdom");
  EXPECT_EQ(study.study().name(), "gemm:0123");
  EXPECT_EQ(study.study().provenance().format(), kLibtuneFormat);
  EXPECT_TRUE(AreResultsAlone(study.study().provenance().format()));
  ASSERT_EQ(study.candidates_size(), 1);
  const v1::Candidate& candidate = study.candidates(0).candidate();
  EXPECT_EQ(candidate.origin(), v1::ONLINE);
  EXPECT_EQ(candidate.evaluation().outcome(), v1::CORRECT);
  const auto back = LearntResultOf(study.study(), candidate.configuration());
  ASSERT_TRUE(back.has_value());
  EXPECT_EQ(back->region, Gemm(500, 1e-3).region);
  EXPECT_EQ(back->device, Gemm(500, 1e-3).device);
  EXPECT_EQ(back->inputs, Gemm(500, 1e-3).inputs);
  EXPECT_EQ(back->values, Gemm(500, 1e-3).values);
  EXPECT_EQ(back->seconds, 1e-3);
  EXPECT_FALSE(LearntResultOf(v1::Study(), candidate.configuration()).has_value());
}

// Servers know studies by their fingerprints.
TEST_F(ApplicationWisdomTest, TheSameResultIsTheSameStudy) {
  const std::string fingerprint = StudyOfLearntResult(Gemm(500, 1e-3), "a").fingerprint();
  EXPECT_EQ(StudyOfLearntResult(Gemm(500, 1e-3), "a").fingerprint(), fingerprint);
  EXPECT_NE(StudyOfLearntResult(Gemm(500, 2e-3), "a").fingerprint(), fingerprint);
  EXPECT_NE(StudyOfLearntResult(Gemm(501, 1e-3), "a").fingerprint(), fingerprint);
  LearntResult other = Gemm(500, 1e-3);
  other.region = "syrk";
  EXPECT_NE(StudyOfLearntResult(other, "a").fingerprint(), fingerprint);
}

}  // namespace
}  // namespace tune
