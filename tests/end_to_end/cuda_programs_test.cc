// The `cuda` target through the real programs, with a simulated GPU in place of the device.
#include <gmock/gmock.h>

#include <cstdlib>
#include <filesystem>

#include "tests/common/testing/programs.h"
#include "tests/common/testing/sanitized.h"
#include "tests/end_to_end/installation.h"

namespace tune {
namespace {

using ::testing::ContainsRegex;
using ::testing::HasSubstr;

// A worker that finds the simulated GPU.
void StartSimulatedWorker(Installation& installation) {
  setenv("TUNE_LIBEXEC", TUNE_BINARY_DIR "/tests/simulated", 1);
  installation.StartWorker();
  unsetenv("TUNE_LIBEXEC");
}

TEST(CudaPrograms, AreTunedOnTheGpuWithoutBeingTold) {
  Installation installation;
  installation.StartServer();
  StartSimulatedWorker(installation);
  if (::testing::Test::HasFatalFailure()) return;
  std::vector<std::string> studies;
  std::vector<std::string> names = {"gemm", "durbin", "doitgen"};
  if (testing::kSanitized) names.resize(1);
  for (const std::string& name : names) {
    const std::vector<std::string> ids = installation.Submit(
        {testing::ProgramPath(name), "--evaluations", "6", "--ants", "3", "--confirm", "2", "--ldflags=-lm"});
    ASSERT_EQ(ids.size(), 1) << name;
    studies.push_back(ids[0]);
  }
  for (size_t i = 0; i < names.size(); ++i) {
    SCOPED_TRACE(names[i]);
    const Json study = installation.WaitForEnd(studies[i], 300);
    ASSERT_EQ(study.value("state", ""), "done") << study.value("failure", "");
    EXPECT_EQ(study.value("target", ""), "cuda");
    EXPECT_EQ(study["device"].value("model", ""), "simulated GPU");
    EXPECT_EQ(study.value("evaluated", 0), 6) << study.value("note", "");
    ASSERT_FALSE(study["best_index"].is_null());
    for (const auto& [outcome, count] : study["outcomes"].items()) {
      EXPECT_TRUE(outcome == "correct" || outcome == "timeout" || outcome == "constraints")
          << outcome << count;
    }
    const std::string tuned = installation.path("tuned.c"), device = installation.path("tuned.cu");
    const SubprocessResult fetched = installation.Tunectl({"fetch", studies[i], "-o", tuned, "--force"});
    ASSERT_TRUE(fetched.ok()) << fetched.standard_error;
    // The server made the same code itself.
    EXPECT_EQ(fetched.standard_error.find("Beware"), std::string::npos) << fetched.standard_error;
    EXPECT_TRUE(study["warnings"].empty()) << study["warnings"];
    EXPECT_NE(ReadFile(tuned)->find("tune_region_"), std::string::npos);
    EXPECT_NE(ReadFile(device)->find("__global__"), std::string::npos);
    // The C file is whole but for what the CUDA file defines.
    const auto compiled = RunSubprocess(
        {"cc", "-c", "-Wall", "-Werror", "-Wno-unknown-pragmas", tuned, "-o", installation.path("tuned.o")});
    EXPECT_TRUE(compiled.ok() && compiled->ok()) << compiled->standard_error;
    std::filesystem::remove(tuned);
    std::filesystem::remove(device);
  }
}

// Who did not ask for products on tensor cores never gets them from who did.
TEST(CudaPrograms, OnTensorCoresAreStudiesOfTheirOwn) {
  Installation installation;
  installation.StartServer();
  StartSimulatedWorker(installation);
  if (::testing::Test::HasFatalFailure()) return;
  const std::vector<std::string> program = {testing::ProgramPath("gemm"), "-D", "DATA_TYPE=float"};
  const auto with = [&](std::vector<std::string> words) {
    words.insert(words.begin(), program.begin(), program.end());
    return words;
  };
  // The default alone, which may well be slower than others without tensor cores on a simulated device.
  const std::vector<std::string> budget = {"--evaluations", "1", "--ants", "1", "--confirm", "1"};
  std::vector<std::string> words = with(budget);
  words.push_back("--tf32x3");
  const std::string id = installation.Submit(words).at(0);
  const Json study = installation.WaitForEnd(id, 300);
  ASSERT_EQ(study.value("state", ""), "done") << study.value("failure", "");
  EXPECT_EQ(study.value("rounding", ""), "tf32x3");
  EXPECT_EQ(study.value("target", ""), "cuda");
  EXPECT_TRUE(study["warnings"].empty()) << study["warnings"] << "the server makes the same code";
  EXPECT_THAT(installation.TunectlJson({"show", id + "/0"})["configuration"].dump(),
              HasSubstr(R"(.tensor_cores","option":"tf32x3")"));
  EXPECT_THAT(installation.Tunectl({"show", id}).standard_output, HasSubstr("tf32x3: tensor cores"));
  const std::string tuned = installation.path("tuned.c");
  ASSERT_TRUE(installation.Tunectl({"fetch", id, "-o", tuned, "--force"}).ok());
  EXPECT_THAT(*ReadFile(tuned), HasSubstr("Rounding is tf32x3"));
  EXPECT_THAT(*ReadFile(installation.path("tuned.cu")), HasSubstr("mma.sync"));
  const auto best = [&](const std::vector<std::string>& rounding) {
    std::vector<std::string> look_up = with(rounding);
    look_up.insert(look_up.begin(), "best");
    return installation.Tunectl(look_up);
  };
  EXPECT_THAT(best({}).standard_error, HasSubstr("nothing is known here"));
  EXPECT_THAT(best({"--exact"}).standard_error, HasSubstr("nothing is known here"));
  EXPECT_TRUE(best({"--tf32x3"}).ok());
  words = with(budget);
  words.insert(words.begin(), "submit");
  const SubprocessResult submitted = installation.Tunectl(words);
  ASSERT_TRUE(submitted.ok()) << submitted.standard_error;
  EXPECT_THAT(submitted.standard_output, ::testing::Not(HasSubstr("is known here")));
}

// With the PPCG in TUNE_PPCG or PATH, where there is one.
TEST(CudaPrograms, AreTunedByPpcg) {
  const char* const given = std::getenv("TUNE_PPCG");
  const std::string ppcg = given != nullptr ? given : "ppcg";
  const auto version = RunSubprocess({ppcg, "--version"});
  if (!version.ok() || !version->ok()) GTEST_SKIP() << "no PPCG in TUNE_PPCG or PATH";
  Installation installation;
  installation.StartServer();
  StartSimulatedWorker(installation);
  if (::testing::Test::HasFatalFailure()) return;
  const std::vector<std::string> ids =
      installation.Submit({testing::ProgramPath("gemm"), "--generator", "ppcg", "--evaluations", "6",
                           "--ants", "3", "--confirm", "2", "--ldflags=-lm"});
  ASSERT_EQ(ids.size(), 1);
  const Json study = installation.WaitForEnd(ids[0], 300);
  ASSERT_EQ(study.value("state", ""), "done") << study.value("failure", "");
  EXPECT_EQ(study.value("generator", ""), "ppcg");
  EXPECT_NE(study["device"].value("ppcg", ""), "");
  EXPECT_EQ(study.value("evaluated", 0), 6) << study.value("note", "");
  ASSERT_FALSE(study["best_index"].is_null());
  const std::string best = absl::StrCat(ids[0], "/", study["best_index"].get<int>());
  const Json candidate = installation.TunectlJson({"show", best});
  EXPECT_EQ(candidate["evaluation"]["kernels"][0].value("name", ""), "ppcg.k0");
  // The program that the user gets, and what can be asked about it.
  const std::string tuned = installation.path("tuned.c");
  EXPECT_TRUE(installation.Tunectl({"fetch", ids[0], "-o", tuned, "--force"}).ok());
  EXPECT_NE(ReadFile(installation.path("tuned.cu"))->find("__global__"), std::string::npos);
  EXPECT_TRUE(installation.Tunectl({"replay", best}).ok());
  const SubprocessResult checked = installation.Tunectl({"replay", best, "--check"});
  EXPECT_EQ(checked.exit_code, 1);
  EXPECT_NE(checked.standard_output.find("the mapping is ppcg's own"), std::string::npos);
}

TEST(CudaPrograms, TheCpuCanStillBeAskedFor) {
  Installation installation;
  installation.StartServer();
  StartSimulatedWorker(installation);
  if (::testing::Test::HasFatalFailure()) return;
  const std::vector<std::string> ids = installation.Submit(
      {testing::ProgramPath("gemm"), "--target", "cpu", "--evaluations", "2", "--time-limit", "2s"});
  const Json study = installation.WaitForEnd(ids.at(0));
  ASSERT_EQ(study.value("state", ""), "done") << study.value("failure", "");
  EXPECT_EQ(study.value("target", ""), "cpu");
}

// A private server and worker with a host and a simulated GPU, whose runs take as many nanoseconds as they
// access memory: for this product that is more than the host takes.
TEST(CudaPrograms, AutoTakesTheFasterTarget) {
  Installation installation;
  const std::string file = installation.path("tuned.c"), programs = installation.path("programs");
  std::filesystem::create_directory(programs);
  for (const char* name : {"tune-extract", "tuned-server", "tune-analyser", "tune-worker", "tune-runner"})
    std::filesystem::create_symlink(Program(name), absl::StrCat(programs, "/", name));
  std::filesystem::create_symlink(TUNE_BINARY_DIR "/tests/simulated/tune-cuda-runner",
                                  programs + "/tune-cuda-runner");
  std::vector<std::string> command = {"env",
                                      "TUNE_LIBEXEC=" + programs,
                                      "TUNE_SANDBOX_READ=" TUNE_SOURCE_DIR "/tests",
                                      "XDG_DATA_HOME=" + installation.path("private"),
                                      Program("tunectl"),
                                      "tune",
                                      TUNE_SOURCE_DIR "/tests/end_to_end/small.c",
                                      "--target",
                                      "auto",
                                      "--evaluations",
                                      "2",
                                      "--ants",
                                      "2",
                                      "--confirm",
                                      "1",
                                      "--force",
                                      "-o",
                                      file};
  SubprocessOptions options;
  options.wall_limit = absl::Minutes(5);
  auto tuned = RunSubprocess(command, options);
  ASSERT_TRUE(tuned.ok() && tuned->ok()) << tuned->standard_output << tuned->standard_error;
  const std::string& said = tuned->standard_output;
  EXPECT_THAT(said, ContainsRegex("\ncpu +s1 \\(small on cpu\\) +[0-9.]+ [mun]?s  "));
  // Where there is nvcc the program is built, and finds no GPU that it could run on.
  EXPECT_THAT(said, ContainsRegex("\ncuda +s2 \\(small on cuda\\) +(-|[0-9.]+ [mun]?s)  "));
  EXPECT_THAT(said, HasSubstr("\nFastest: cpu, s1\n"));
  EXPECT_THAT(tuned->standard_error, HasSubstr("Left out: s2 (cuda): s1 (cpu) is faster at the same size"));
  EXPECT_THAT(*ReadFile(file), HasSubstr("study s1"));
  EXPECT_FALSE(std::filesystem::exists(installation.path("tuned.cu")));
}

}  // namespace
}  // namespace tune
