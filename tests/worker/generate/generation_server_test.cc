#include "worker/generate/generation_server.h"

#include <gmock/gmock.h>

#include "common/decision/chooser.h"
#include "common/decision/configuration.h"
#include "common/space/cpu_space.h"
#include "tests/common/testing/generation_request.h"
#include "worker/codegen/code_generator.h"

namespace tune {
namespace {

using ::testing::HasSubstr;

// That of the default decisions, of a study for so many cores.
v1::GenerationRequest GemmRequest(int cores) {
  v1::GenerationRequest request = testing::GemmGeneration(cores);
  const std::map<std::string, int64_t> values = {{"ni", 100}, {"nj", 100}, {"nk", 100}};
  const auto space = CpuSpace::Make(WithParameterFacts(request.scop(), values), values, {cores}).value();
  DefaultChooser defaults;
  RecordingChooser recording(&defaults);
  EXPECT_TRUE(space->Walk(recording).ok());
  *request.add_configurations() = recording.configuration();
  return request;
}

TEST(GenerationServerTest, MakesTheTextOfAWorker) {
  const v1::GenerationRequest request = GemmRequest(7);
  const auto worker = MakeOpenMpGenerator(request.scop(), request.reference(), 7).value();
  const v1::GenerationAnswer answer = GenerateCodes(request);
  ASSERT_EQ(answer.codes_size(), 1);
  EXPECT_EQ(answer.codes(0).failure(), "");
  EXPECT_EQ(answer.codes(0).code(), worker->Generate(request.configurations(0)).value().code);
  EXPECT_THAT(answer.codes(0).code(), HasSubstr("for ("));
}

TEST(GenerationServerTest, EachConfigurationHasItsOwnFailure) {
  v1::GenerationRequest request = GemmRequest(7);
  v1::Decision* decision = request.add_configurations()->add_decisions();
  decision->set_key("loops");
  decision->set_option("no such option");
  const v1::GenerationAnswer answer = GenerateCodes(request);
  ASSERT_EQ(answer.codes_size(), 2);
  EXPECT_EQ(answer.codes(0).failure(), "");
  EXPECT_NE(answer.codes(1).failure(), "");
  EXPECT_EQ(answer.codes(1).code(), "");
}

// Alone, or beside codes; without code of its own.
TEST(GenerationServerTest, MakesACaseDiscussionWhereItIsAskedFor) {
  v1::GenerationRequest request = testing::GemmGeneration(7);
  EXPECT_FALSE(GenerateCodes(request).has_cases());
  request.set_cases(true);
  v1::GenerationAnswer answer = GenerateCodes(request);
  EXPECT_EQ(answer.cases_failure(), "");
  ASSERT_GE(answer.cases().kernels_size(), 1);
  EXPECT_FALSE(answer.cases().kernels(0).cases().empty());
  EXPECT_NE(answer.cases().kernels(0).tree().condition(), "");
  EXPECT_EQ(answer.cases().device_file(), "");
  request.mutable_scop()->mutable_parameters(0)->set_name("threadIdx");
  answer = GenerateCodes(request);
  EXPECT_FALSE(answer.has_cases());
  EXPECT_THAT(answer.cases_failure(), HasSubstr("threadIdx"));
}

}  // namespace
}  // namespace tune
