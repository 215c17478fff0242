#include "worker/reference/fresh_inputs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <limits>
#include <set>

#include "absl/strings/str_replace.h"
#include "common/base/file.h"
#include "tests/worker/scale_program.h"
#include "worker/build/host_compiler.h"

namespace tune {
namespace {

using ::testing::HasSubstr;

class FreshInputsTest : public ::testing::Test {
 protected:
  void SetUp() override {
    setenv("TUNE_LIBEXEC", TUNE_BINARY_DIR "/bin", 1);
    folder_.emplace(*TemporaryFolder::Make());
    compiler_ = *HostCompiler::Make(folder_->path() + "/cache");
    runner_ = *ProcessRunner::Make();
  }
  void TearDown() override { unsetenv("TUNE_LIBEXEC"); }

  // Of the program with `from` replaced by `to`.
  ReferenceData Run(const std::string& from = "", const std::string& to = "") {
    return RunText(from.empty() ? kScaleProgram : absl::StrReplaceAll(kScaleProgram, {{from, to}}));
  }
  ReferenceData RunText(const std::string& text) {
    const auto data = RunReference(ScaleSetup(text), {compiler_.get(), runner_.get(), nullptr},
                                   folder_->path() + "/reference", &log_);
    EXPECT_TRUE(data.ok()) << data.status() << log_;
    return data.value_or(ReferenceData());
  }
  std::vector<double> Doubles(const std::string& file) {
    const std::string bytes = ReadFile(folder_->path() + "/reference/fresh/" + file).value_or("");
    std::vector<double> values(bytes.size() / sizeof(double));
    std::memcpy(values.data(), bytes.data(), bytes.size());
    return values;
  }
  // What is left of them where they are left out: nothing but a line that says so.
  void ExpectNone(const ReferenceData& data) {
    EXPECT_EQ(data.fresh_sets, 0);
    EXPECT_FALSE(std::filesystem::exists(data.folder + "/fresh"));
    EXPECT_FALSE(std::filesystem::exists(data.folder + "/fresh.new"));
    EXPECT_THAT(log_, HasSubstr("candidates will not be run on fresh inputs: "));
  }

  std::optional<TemporaryFolder> folder_;
  std::unique_ptr<HostCompiler> compiler_;
  std::unique_ptr<ProcessRunner> runner_;
  std::string log_;
};

TEST_F(FreshInputsTest, OutputsAreThoseOfTheRegion) {
  const ReferenceData data = Run();
  ASSERT_GE(data.fresh_sets, 1) << log_;
  std::set<double> scalars = {2.5};
  for (int i = 0; i < data.fresh_sets; ++i) {
    const std::string set = absl::StrCat(i);
    const std::vector<double> a = Doubles(set + "/in/A.bin"), b = Doubles(set + "/out/B.bin");
    const double s = Doubles(set + "/in/s.bin").at(0);
    scalars.insert(s);
    ASSERT_EQ(a.size(), 100u);
    ASSERT_EQ(b.size(), 100u);
    for (size_t k = 0; k < a.size(); ++k) EXPECT_EQ(b[k], s * a[k]);
    EXPECT_FALSE(std::filesystem::exists(data.folder + "/fresh/" + set + "/out/A.bin"));
  }
  EXPECT_EQ(LoadReference(data.folder)->fresh_sets, data.fresh_sets);
  // Another run has others.
  Run();
  scalars.insert(Doubles("0/in/s.bin").at(0));
  EXPECT_EQ(scalars.size(), 2u + data.fresh_sets);
}

// Says that all runs took so many seconds.
class TimedRunner : public Runner {
 public:
  TimedRunner(Runner* runner, double seconds) : runner_(runner), seconds_(seconds) {}
  absl::StatusOr<RunOutcome> Run(const RunRequest& request) override {
    absl::StatusOr<RunOutcome> outcome = runner_->Run(request);
    if (outcome.ok()) outcome->verdicts.at(0).set_first_seconds(seconds_);
    return outcome;
  }

 private:
  Runner* const runner_;
  const double seconds_;
};

TEST_F(FreshInputsTest, ThreeOfAShortRegionElseOne) {
  for (const auto& [seconds, sets] : {std::pair(1e-3, 3), std::pair(1.0, 1)}) {
    TimedRunner runner(runner_.get(), seconds);
    const auto data = RunReference(ScaleSetup(kScaleProgram), {compiler_.get(), &runner, nullptr},
                                   folder_->path() + "/reference", &log_);
    ASSERT_TRUE(data.ok()) << data.status();
    EXPECT_EQ(data->fresh_sets, sets) << log_;
  }
}

TEST_F(FreshInputsTest, NoneWhereNothingCanChange) {
  ExpectNone(Run("scale(n, 2.5, A, B)", "for (int i = 0; i < n; i++) A[i] = B[i] = 0; scale(n, 0, A, B)"));
  EXPECT_THAT(log_, HasSubstr("no input of the region is a floating point value other than zero"));
}

TEST_F(FreshInputsTest, NoneWhereOutputsBecomeInfinite) {
  ExpectNone(Run("B[i] = s * A[i];", "B[i] = s * A[i] / (A[i] == i);"));
  EXPECT_THAT(log_, HasSubstr("outputs are not finite"));
}

// Its parts after the point are noise where x is not near 1.
constexpr char kNoise[] = "{ double y = 1e12 * (x - 1) * (x - 1); B[i] = 1 + s * (y - (long)y); }";

TEST_F(FreshInputsTest, AllOfAnArrayAlikeWhereRoundingsOfOthersDecide) {
  const std::string text = absl::StrReplaceAll(
      kScaleProgram, {{"A[i] = i", "A[i] = 3"},
                      {"B[i] = s * A[i];", absl::StrCat("{ double x = A[i] / A[0]; ", kNoise, " }")}});
  const ReferenceData data = RunText(text);
  ASSERT_GE(data.fresh_sets, 1) << log_;
  const std::vector<double> a = Doubles("0/in/A.bin");
  EXPECT_NE(a[0], 3);
  EXPECT_EQ(std::set<double>(a.begin(), a.end()).size(), 1u);
  EXPECT_FALSE(std::filesystem::exists(data.folder + "/near"));
}

TEST_F(FreshInputsTest, NoneWhereRoundingsAlwaysDecide) {
  ExpectNone(Run("B[i] = s * A[i];", absl::StrCat("{ double x = 3 + A[i]; ", kNoise, " }")));
  EXPECT_THAT(log_, HasSubstr("differ by a few roundings give other outputs: B["));
}

TEST_F(FreshInputsTest, NoneWhereTheRegionFailsAlone) {
  ExpectNone(Run("B[i] = s * A[i];", "if (A[i] == i) B[i] = s * A[i]; else __builtin_trap();"));
  EXPECT_THAT(log_, HasSubstr("the region, run alone, failed: was killed by signal"));
}

}  // namespace
}  // namespace tune
