#include "worker/evaluate/program_samples.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/base/file.h"
#include "tests/worker/scale_program.h"
#include "worker/build/host_compiler.h"
#include "worker/evaluate/shared_target.h"
#include "worker/parts/parts_file.h"

namespace tune {
namespace {

using ::testing::HasSubstr;

constexpr char kRight[] = "{ for (int i = 0; i < n; ++i) B[i] = s * A[i]; tune_done = 1; }";
constexpr char kWrong[] = "{ for (int i = 0; i < n; ++i) B[i] = s * A[i] + 1; tune_done = 1; }";
// Right, but not by the device.
constexpr char kOnHost[] =
    "{ extern int dprintf(int, const char *, ...);\n"
    "dprintf(2, \"scale: the CPU runs the GPU's parts, too: no device\\n\");\n"
    "for (int i = 0; i < n; ++i) B[i] = s * A[i]; tune_done = 1; }";
constexpr char kOriginal[] = "{ tune_done = 0; }";

class ProgramSamplesTest : public ::testing::Test {
 protected:
  void SetUp() override {
    auto compiler = HostCompiler::Make(folder_.path() + "/cache");
    ASSERT_TRUE(compiler.ok()) << compiler.status();
    compiler_ = *std::move(compiler);
    auto reference =
        RunReference(setup_, {compiler_.get(), nullptr, nullptr}, folder_.path() + "/reference", &log_);
    ASSERT_TRUE(reference.ok()) << reference.status() << log_;
    reference_ = *std::move(reference);
    limits_.sampling.set_max_seconds(0);  // the fewest samples
  }

  std::vector<v1::RunnerVerdict> Sample(const std::vector<TunedProgram>& programs) {
    return SamplePrograms(setup_, {compiler_.get(), nullptr, nullptr}, reference_, programs, limits_, &log_);
  }
  static TunedProgram Program(const std::string& code, bool falls_back = false) {
    TunedProgram tuned;
    tuned.code = code;
    tuned.falls_back = falls_back;
    tuned.failure_mark = kDevicePartsOnHost;
    return tuned;
  }

  const TemporaryFolder folder_ = TemporaryFolder::Make().value();
  std::unique_ptr<HostCompiler> compiler_;
  v1::StudySetup setup_ = ScaleSetup();
  ReferenceData reference_;
  RunLimits limits_;
  std::string log_;
};

TEST_F(ProgramSamplesTest, ThoseThatAreRightAreMeasuredInTurns) {
  const std::vector<v1::RunnerVerdict> verdicts =
      Sample({Program(kRight), Program(kWrong), Program(kOnHost), Program(kOriginal),
              Program(kOriginal, /*falls_back=*/true), Program("{ no C }")});
  ASSERT_EQ(verdicts.size(), 6);
  const v1::Outcome outcomes[] = {v1::CORRECT, v1::CORRECTNESS, v1::RUNTIME,
                                  v1::RUNTIME, v1::CORRECT,     v1::COMPILE};
  for (size_t i = 0; i < verdicts.size(); ++i) {
    EXPECT_EQ(verdicts[i].outcome(), outcomes[i]) << i << verdicts[i].message();
    EXPECT_EQ(verdicts[i].samples_size(), outcomes[i] == v1::CORRECT ? 3 : 0) << i;
    for (const double sample : verdicts[i].samples()) EXPECT_GT(sample, 0);
  }
  EXPECT_EQ(verdicts[2].message(), "scale: the CPU runs the GPU's parts, too: no device");
  EXPECT_THAT(verdicts[3].message(), HasSubstr("the tuned code did not run"));
}

TEST_F(ProgramSamplesTest, OneThatIsFarSlowerIsMeasuredOnce) {
  BestTime best;
  best.Offer(1e-12);
  limits_.best = &best;
  EXPECT_EQ(Sample({Program(kRight)})[0].samples_size(), 1);
  // Beside others it is measured as they are.
  EXPECT_EQ(Sample({Program(kRight), Program(kRight)})[1].samples_size(), 3);
}

TEST_F(ProgramSamplesTest, AConfirmationGetsAnInterval) {
  limits_.sampling.set_min_samples(4);
  EXPECT_EQ(Sample({Program(kRight)})[0].samples_size(), 4);
  limits_.sampling.set_min_samples(100);  // of a kernel, not of whole programs
  EXPECT_EQ(Sample({Program(kRight)})[0].samples_size(), 7);
}

TEST_F(ProgramSamplesTest, AProgramWithoutMainCannotBeSampled) {
  setup_.mutable_program()->set_has_main(false);
  EXPECT_THAT(std::string(CheckSharedTools(setup_).message()), HasSubstr("the file has no main"));
}

}  // namespace
}  // namespace tune
