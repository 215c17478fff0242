// A study for energy from the command line to the result, with a simulated GPU whose fastest candidate is not
// the thriftiest: simulated_cuda_runner_main.cc says what a run uses.
#include <gmock/gmock.h>

#include <cstdlib>
#include <filesystem>
#include <map>

#include "absl/strings/match.h"
#include "absl/strings/str_split.h"
#include "tests/end_to_end/installation.h"

namespace tune {
namespace {

using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::Not;

// Large blocks have more to read each, small ones are more: of 32 threads they are the fastest, of 128 the
// thriftiest.
constexpr char kSumCuda[] = R"(extern "C" __global__ void sum(int n, const float *in, float *out) {
  const int i = blockIdx.x * BLOCK + threadIdx.x;
  float total = 0;
  for (int k = 0; k < BLOCK / 32; k++) total += in[(i + k) % n];
  out[i] = i < 0 ? total : in[i];
}
)";

constexpr char kSumDefinition[] = R"(
file sum.cu
problem n=1024
parameter BLOCK=32,64,128,256
argument n:int:n
argument in:float[n]:in:random
argument out:float[n]:out
kernel sum
block BLOCK
grid n // BLOCK
)";

// A server and a worker of tunectl's own, in a folder of the installation's.
class PrivateLaboratory {
 public:
  explicit PrivateLaboratory(const Installation& installation)
      : programs_(installation.path("programs")), data_(installation.path("private")) {
    std::filesystem::create_directory(programs_);
    for (const char* name :
         {"tune-extract", "tuned-server", "tune-analyser", "tune-worker", "tune-runner", "tune-generate"})
      std::filesystem::create_symlink(Program(name), absl::StrCat(programs_, "/", name));
    std::filesystem::create_symlink(TUNE_BINARY_DIR "/tests/simulated/tune-cuda-runner",
                                    programs_ + "/tune-cuda-runner");
  }

  // Standard output of tunectl, which must succeed.
  std::string Tunectl(const std::vector<std::string>& arguments) const {
    const SubprocessResult run = Run(arguments);
    EXPECT_TRUE(run.ok()) << run.standard_output << run.standard_error;
    return run.standard_output;
  }

  SubprocessResult Run(const std::vector<std::string>& arguments) const {
    std::vector<std::string> command = {"env", "TUNE_LIBEXEC=" + programs_,
                                        "TUNE_SANDBOX_READ=" TUNE_SOURCE_DIR "/tests",
                                        "XDG_DATA_HOME=" + data_, Program("tunectl")};
    command.insert(command.end(), arguments.begin(), arguments.end());
    SubprocessOptions options;
    options.wall_limit = absl::Minutes(5);
    const auto run = RunSubprocess(command, options);
    EXPECT_TRUE(run.ok()) << run.status();
    return run.value_or(SubprocessResult());
  }

 private:
  const std::string programs_, data_;
};

TEST(EnergyStudy, FindsTheThriftiestCandidate) {
  Installation installation;
  installation.Write("sum.cu", kSumCuda);
  const std::string definition = installation.Write("sum.tune", kSumDefinition);
  const PrivateLaboratory laboratory(installation);
  const std::string said =
      laboratory.Tunectl({"tune", definition, "--objective", "energy", "--strategy", "uniform",
                          "--evaluations", "4", "-o", installation.path("sum.tuned.h"), "--fresh"});
  EXPECT_THAT(said, HasSubstr("searching, 4 evaluations, by energy"));
  EXPECT_THAT(said, ContainsRegex("new best energy [0-9.e-]+ J"));
  EXPECT_THAT(said, ContainsRegex("  result        energy [0-9.e-]+ J, [0-9.]+x as good as the default's "));
  const std::string header = ReadFile(installation.path("sum.tuned.h")).value_or("");
  EXPECT_THAT(header, HasSubstr("#define BLOCK 128\n"));
  EXPECT_THAT(header, ContainsRegex("[0-9.]+ times as good, by energy, as the default configuration"));

  const Json study = Json::parse(laboratory.Tunectl({"--private", "--json", "show", "s1", "--candidates"}));
  ASSERT_EQ(study["candidates"].size(), 4u);
  for (const Json& candidate : study["candidates"]) {
    const Json& measured = candidate["evaluation"]["measurement"];
    const int block = std::stoi(candidate["configuration"][0].value("option", "0"));
    EXPECT_NEAR(measured.value("joules", 0.0), 100 * measured.value("median", 0.0) + 1e-4 * 1024 / block,
                1e-9);
    EXPECT_GE(measured.value("joules", 0.0), study["objective"].value("best", 0.0));
    if (block != 128) continue;
    EXPECT_EQ(study["best_index"], candidate["index"]);
    EXPECT_GT(measured.value("median", 0.0), study["default"].value("median", 0.0));
  }
  const std::string front = laboratory.Tunectl({"--private", "show", "s1", "--front", "time,energy"});
  EXPECT_EQ(std::count(front.begin(), front.end(), '\n'), 4) << front;
  EXPECT_THAT(front, HasSubstr(" J\n"));
  const Json results = Json::parse(laboratory.Tunectl({"--private", "export", "s1", "--format", "t4"}));
  EXPECT_EQ(results["results"][0]["objectives"], Json::array({"energy"}));
  EXPECT_EQ(results["results"][0]["measurements"][1]["unit"], "J");
}

// At 1500 and 1000 MHz the simulated device needs more time and less power than at 2000.
TEST(EnergyStudy, ClocksAreOneMoreParameterAndSetBack) {
  Installation installation;
  installation.Write("sum.cu", kSumCuda);
  const std::string definition = installation.Write("sum.tune", kSumDefinition);
  const PrivateLaboratory laboratory(installation);
  const std::string log = installation.path("clocks");
  setenv("CUDA_SIMULATED_CLOCK_LOG", log.c_str(), 1);
  laboratory.Tunectl({"tune", definition, "--clocks", "2000,1500,1000", "--objective", "energy", "--strategy",
                      "uniform", "--evaluations", "12", "-o", installation.path("sum.tuned.h"), "--fresh"});
  const std::string header = ReadFile(installation.path("sum.tuned.h")).value_or("");
  EXPECT_THAT(header, HasSubstr("/* at a graphics clock of 1000 MHz */\n"));
  EXPECT_THAT(header, Not(HasSubstr("nvml_gr_clock")));
  const Json study = Json::parse(laboratory.Tunectl({"--private", "--json", "show", "s1", "--candidates"}));
  ASSERT_EQ(study["candidates"].size(), 12u);
  std::map<std::string, std::map<std::string, double>> seconds;  // by block and clock
  for (const Json& candidate : study["candidates"]) {
    const Json& configuration = candidate["configuration"];
    EXPECT_EQ(candidate["evaluation"].value("outcome", ""), "correct");
    ASSERT_EQ(configuration[1].value("key", ""), "nvml_gr_clock");
    seconds[configuration[0].value("option", "")][configuration[1].value("option", "")] =
        candidate["evaluation"]["measurement"].value("median", 0.0);
  }
  ASSERT_EQ(seconds.size(), 4u);
  for (auto& [block, by_clock] : seconds) EXPECT_NEAR(by_clock["1000"], 2 * by_clock["2000"], 1e-12) << block;
  // Whatever was set is set back before anything else is. What sets clocks may not have ended yet.
  const std::vector<std::string> lines = absl::StrSplit(ReadFile(log).value_or(""), '\n', absl::SkipEmpty());
  ASSERT_GT(lines.size(), 24u);
  EXPECT_EQ(lines[0], "list");
  EXPECT_TRUE(lines.back() == "reset" || lines.back() == "end") << lines.back();
  for (size_t i = 0; i < lines.size(); ++i) {
    if (absl::StartsWith(lines[i], "set ")) {
      EXPECT_EQ(lines.at(i + 1), "reset") << i;
    }
  }
  unsetenv("CUDA_SIMULATED_CLOCK_LOG");
  const SubprocessResult refused =
      laboratory.Run({"tune", definition, "--clocks", "2000,1500", "--evaluations", "4", "-o",
                      installation.path("refused.tuned.h"), "--fresh"});
  EXPECT_FALSE(refused.ok());
  EXPECT_THAT(
      refused.standard_output + refused.standard_error,
      HasSubstr(
          "parameter nvml_gr_clock: device 0: the driver does not let this user set the device's clocks"));
}

}  // namespace
}  // namespace tune
