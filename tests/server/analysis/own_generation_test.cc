#include "server/analysis/own_generation.h"

#include <gmock/gmock.h>

#include "tests/common/testing/generation_request.h"

namespace tune {
namespace {

using ::testing::HasSubstr;

// Without decisions: each point takes what stands for one that is not recorded, or fails.
v1::GenerationRequest GemmRequest() {
  v1::GenerationRequest request = testing::GemmGeneration(4);
  request.add_configurations();
  return request;
}

absl::StatusOr<v1::GenerationAnswer> AskShell(const std::string& script,
                                              absl::Duration limit = absl::Minutes(3)) {
  return OwnGeneration({.program = {"/bin/sh", "-c", script}, .answer_limit = limit})(GemmRequest());
}

TEST(OwnGenerationTest, TheInstalledProgramAnswersEachConfiguration) {
  const CodeGeneration generate =
      OwnGeneration({.program = {TUNE_BINARY_DIR "/bin/tune-generate", "--serve"}});
  const auto answer = generate(GemmRequest());
  ASSERT_TRUE(answer.ok()) << answer.status();
  ASSERT_EQ(answer->codes_size(), 1);
  EXPECT_NE(answer->codes(0).code() + answer->codes(0).failure(), "");
}

TEST(OwnGenerationTest, AProcessThatDiesIsAnError) {
  const absl::Status status = AskShell("kill -9 $$").status();
  EXPECT_TRUE(absl::IsResourceExhausted(status)) << status;
  EXPECT_THAT(status.message(), HasSubstr("signal 9"));
}

TEST(OwnGenerationTest, AProcessThatTakesTooLongIsAnError) {
  const absl::Status status = AskShell("exec sleep 1000", absl::Milliseconds(50)).status();
  EXPECT_TRUE(absl::IsResourceExhausted(status)) << status;
  EXPECT_THAT(status.message(), HasSubstr("without an end"));
}

TEST(OwnGenerationTest, FewerCodesThanConfigurationsAreAnError) {
  // An empty message: no code at all.
  const absl::Status status = AskShell("printf '\\0\\0\\0\\0'; cat > /dev/null").status();
  EXPECT_TRUE(absl::IsInternal(status)) << status;
}

TEST(OwnGenerationTest, AProgramThatIsNotThereIsAnError) {
  const absl::Status status = OwnGeneration({.program = {"/no/such/program"}})(GemmRequest()).status();
  EXPECT_FALSE(status.ok());
}

}  // namespace
}  // namespace tune
