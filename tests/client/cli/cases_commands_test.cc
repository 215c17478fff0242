// Case discussions of studies on the command line.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "client/exchange/case_formats.h"
#include "client/submit/front_end.h"
#include "common/exchange/archive.h"
#include "common/exchange/study_identity.h"
#include "tests/client/testing/tunectl_test.h"
#include "tests/common/testing/sample_scops.h"

namespace tune {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

v1::Study StudyWithCases() {
  v1::Study study;
  study.set_id("s1");
  study.set_state(v1::DONE);
  study.set_best_index(-1);
  v1::CaseDiscussion& cases = *study.mutable_cases();
  cases.set_region("gemm");
  cases.set_requirement("n >= 4");
  v1::KernelDiscussion& kernel = *cases.add_kernels();
  kernel.set_name("k[S0]");
  kernel.add_cases()->add_conditions("B0 <= T\x1b[2J");
  kernel.mutable_cases(0)->add_decisions("one point a thread");
  kernel.mutable_tree()->set_condition("B0 <= T");
  kernel.mutable_tree()->mutable_holds()->set_leaf(0);
  return study;
}

using CasesCommandsTest = TunectlTest;

// A server's words do not reach the terminal as they are.
TEST_F(CasesCommandsTest, ShowPrintsTheTree) {
  server_.Put(StudyWithCases());
  EXPECT_EQ(Tunectl({"show", "s1"}), 0) << err();
  EXPECT_THAT(out(), HasSubstr("gemm, kernel k[S0], where\n  if B0 <= T\n    case 1\n  else\n    none\n"));
  EXPECT_THAT(out(), HasSubstr("decisions  one point a thread"));
  EXPECT_THAT(out(), Not(HasSubstr("\x1b")));
  EXPECT_EQ(Tunectl({"show", "s1", "--json"}), 0) << err();
  const Json cases = OutAsJson()["cases"];
  EXPECT_EQ(cases["requirement"], "n >= 4");
  EXPECT_EQ(cases["kernels"].at(0)["tree"]["holds"]["case"], 1);
  EXPECT_TRUE(cases["kernels"].at(0)["tree"]["fails"].is_null());
  v1::Study without = StudyWithCases();
  without.clear_cases();
  server_.Put(without);
  EXPECT_EQ(Tunectl({"show", "s1", "--json"}), 0) << err();
  EXPECT_TRUE(OutAsJson()["cases"].is_null());
}

TEST_F(CasesCommandsTest, SubmissionsAskForThemOnGpusAlone) {
  v1::Extraction extraction;
  *extraction.add_scops() = testing::GemmScop();
  extraction.mutable_program()->set_has_main(true);
  const std::string file = folder_.path() + "/gemm.scop";
  ASSERT_TRUE(StoreExtraction(extraction, file).ok());
  EXPECT_EQ(Tunectl({"submit", file, "--cases"}), 0) << err();
  ASSERT_EQ(server_.submitted().size(), 1u);
  EXPECT_TRUE(server_.submitted()[0].spec().cases());
  EXPECT_EQ(server_.submitted()[0].spec().target(), v1::CUDA);
  EXPECT_EQ(Tunectl({"submit", file}), 0) << err();
  EXPECT_FALSE(server_.submitted()[1].spec().cases());
  EXPECT_EQ(Tunectl({"submit", file, "--cases", "--target", "cpu"}), 2);
  EXPECT_THAT(err(), HasSubstr("--cases is of our own code for GPUs"));
}

TEST_F(CasesCommandsTest, FormatsAreExported) {
  v1::Archive archive;
  v1::ArchivedStudy& study = *archive.add_studies();
  study.mutable_study()->set_id("s1");
  study.mutable_study()->set_best_index(0);
  study.mutable_study()->mutable_device()->set_target(v1::CUDA);
  study.mutable_study()->mutable_device()->set_model("some GPU");
  study.mutable_spec()->mutable_scop()->set_name("kernel");
  v1::Candidate& candidate = *study.add_candidates()->mutable_candidate();
  candidate.set_state(v1::EVALUATED);
  candidate.mutable_evaluation()->set_outcome(v1::CORRECT);
  v1::Decision& decision = *candidate.mutable_configuration()->add_decisions();
  decision.set_key("k[S0].block_size_0");
  decision.set_option("128");
  study.set_fingerprint(StudyFingerprint(study));
  server_.SetFile(PrintArchive(archive).value());
  server_.Put(study.study());
  const std::string file = folder_.path() + "/lab.formats";
  EXPECT_EQ(Tunectl({"export", "s1", "--format", "cases", "-o", file}), 0) << err();
  const auto formats = ParseCaseFormats(ReadFile(file).value_or(""));
  ASSERT_TRUE(formats.ok()) << formats.status();
  ASSERT_EQ(formats->formats_size(), 1);
  EXPECT_EQ(formats->formats(0).block(0), 128);
  // It is tunectl's own file, so it may be written again.
  EXPECT_EQ(Tunectl({"export", "s1", "--format", "cases", "-o", file}), 0) << err();
  study.mutable_study()->mutable_device()->set_target(v1::CPU);
  study.set_fingerprint(StudyFingerprint(study));
  server_.SetFile(PrintArchive(archive).value());
  EXPECT_EQ(Tunectl({"export", "s1", "--format", "cases"}), 1);
  EXPECT_THAT(err(), HasSubstr("--format cases is of studies of regions on a GPU"));
}

}  // namespace
}  // namespace tune
