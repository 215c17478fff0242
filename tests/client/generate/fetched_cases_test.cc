// tunectl fetch of studies with cases: a server in this process, the real tune-extract and tune-generate.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "client/submit/front_end.h"
#include "tests/client/testing/tunectl_test.h"

namespace tune {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

constexpr char kScale[] =
    "void scale(int n, double x[restrict n]) {\n#pragma scop\n  for (int i = 0; i < n; i++) x[i] = 2 * "
    "x[i];\n"
    "#pragma endscop\n}\n";

class FetchedCasesTest : public TunectlTest {
 protected:
  void SetUp() override {
    TunectlTest::SetUp();
    setenv("TUNE_LIBEXEC", TUNE_BINARY_DIR "/bin", 1);
    const std::string file = folder_.path() + "/scale.c";
    ASSERT_TRUE(WriteFile(file, kScale).ok());
    FrontEndRequest request;
    request.file = file;
    const auto extraction = ReadProgram(request);
    ASSERT_TRUE(extraction.ok()) << extraction.status();
    *spec_.mutable_scop() = extraction->scops(0);
    *spec_.mutable_program() = extraction->program();
    spec_.set_cases(true);
  }
  void TearDown() override { unsetenv("TUNE_LIBEXEC"); }

  static v1::Study Ended(const std::string& id, const std::string& device, int64_t n) {
    v1::Study study;
    study.set_id(id);
    study.set_state(v1::DONE);
    study.set_best_index(0);
    study.mutable_best()->add_samples(1e-3);
    study.mutable_best()->set_median(1e-3);
    study.mutable_device()->set_target(v1::CUDA);
    study.mutable_device()->set_model(device);
    study.mutable_cases()->set_region("scale");
    v1::ParameterValue& value = *study.mutable_reference()->add_parameters();
    value.set_name("n");
    value.set_value(n);
    return study;
  }
  static v1::Candidate Best(const std::string& threads) {
    v1::Candidate best;
    best.set_state(v1::EVALUATED);
    best.mutable_evaluation()->set_outcome(v1::CORRECT);
    best.mutable_evaluation()->set_code("{ }");
    best.mutable_evaluation()->set_device_file("// kernels\n");
    v1::Decision& decision = *best.mutable_configuration()->add_decisions();
    decision.set_key("k[S0].block_size_0");
    decision.set_option(threads);
    return best;
  }
  void PutStudy(const v1::Study& study, const std::string& threads) {
    server_.Put(study);
    server_.Put(study.id(), spec_);
    server_.Put(study.id(), Best(threads));
  }

  v1::StudySpec spec_;
};

TEST_F(FetchedCasesTest, TheFileIsForAllSizesWithWhatTheLabKnows) {
  PutStudy(Ended("s1", "GPU A", 500), "96");
  v1::LookUpResponse known;
  for (const char* id : {"s1", "s7"}) {
    v1::Match& match = *known.add_matches();
    *match.mutable_study() = Ended(id, id[1] == '1' ? "GPU A" : "GPU B", 900);
    *match.mutable_configuration() = Best("224").configuration();
  }
  server_.SetKnown(known);
  const std::string output = folder_.path() + "/out.c";
  ASSERT_EQ(Tunectl({"fetch", "s1", "-o", output}), 0) << err();
  EXPECT_THAT(ReadFile(output).value_or(""),
              AllOf(HasSubstr("Sizes are arguments of the code"), HasSubstr("n >= 4")));
  const std::string device = ReadFile(folder_.path() + "/out.cu").value_or("");
  EXPECT_THAT(device, HasSubstr("for any GPU, with formats of s1, s7; belongs to out.c"));
  EXPECT_THAT(
      device,
      HasSubstr("{\"GPU A\", {96, 1, 1}, 1, 1},  // s1\n    {\"GPU B\", {224, 1, 1}, 1, 1},  // s7\n"));
  EXPECT_THAT(device, HasSubstr("{500},\n    {900},\n"));
  ASSERT_EQ(server_.look_ups().size(), 1u);
  EXPECT_EQ(server_.look_ups()[0].target(), v1::CUDA);
}

// Studies of two sizes are one file; one without cases does not go with others.
TEST_F(FetchedCasesTest, SizesShareTheFile) {
  PutStudy(Ended("s1", "GPU A", 500), "96");
  PutStudy(Ended("s2", "GPU A", 700), "96");
  const std::string output = folder_.path() + "/out.c";
  EXPECT_EQ(Tunectl({"fetch", "s1", "s2", "-o", output, "--json"}), 0) << err();
  EXPECT_EQ(OutAsJson()["device_files"].size(), 1u);
  v1::Study without = Ended("s2", "GPU A", 700);
  without.clear_cases();
  without.add_warnings("there is no case discussion: too large");
  server_.Put(without);
  EXPECT_EQ(Tunectl({"fetch", "s2", "s1", "-o", output}), 1);
  EXPECT_THAT(err(), AllOf(HasSubstr("s2 has no cases"), HasSubstr("too large")));
}

}  // namespace
}  // namespace tune
