#include "common/evaluation/code_doubt.h"

#include <gmock/gmock.h>

namespace tune {
namespace {

using ::testing::HasSubstr;

TEST(CodeDoubtTest, SaysWhetherTheCodeWasCompared) {
  v1::Study study;
  v1::Evaluation evaluation;
  evaluation.set_worker("w");
  EXPECT_EQ(CodeDoubt(study, evaluation), "") << "generated, not sent by a worker";
  study.set_id("s1");
  EXPECT_THAT(CodeDoubt(study, evaluation), HasSubstr("as worker w sent it, not compared"));
  evaluation.mutable_comparison()->set_note("no tune-generate");
  EXPECT_THAT(CodeDoubt(study, evaluation), HasSubstr("makes of it (no tune-generate): read"));
  evaluation.mutable_comparison()->set_same(true);
  EXPECT_EQ(CodeDoubt(study, evaluation), "");
}

TEST(CodeDoubtTest, AnotherServersComparisonIsNotThisOnes) {
  v1::Study study;
  study.set_id("s1");
  study.mutable_provenance()->set_server("elsewhere:7410");
  v1::Evaluation evaluation;
  evaluation.mutable_comparison()->set_same(true);
  EXPECT_THAT(CodeDoubt(study, evaluation), HasSubstr("comes from elsewhere:7410 and was not compared"));
}

}  // namespace
}  // namespace tune
