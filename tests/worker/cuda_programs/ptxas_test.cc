// What nvcc says of the kernels of tests/programs' default configurations, for the oldest and the newest of
// the device models whose architecture it still has: it has no warning, and registers, spilled and static
// shared bytes are those of golden/ptxas/PROGRAM.txt, where nvcc is of the release that
// golden/ptxas/release.txt names. TUNE_UPDATE_GOLDEN=1 writes them anew, to be reviewed.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <regex>

#include "absl/strings/ascii.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "common/base/cuda_toolkit.h"
#include "common/base/file.h"
#include "common/base/subprocess.h"
#include "common/evaluation/architecture.h"
#include "common/tuned/device_interface.h"
#include "tests/common/testing/device_models.h"
#include "tests/common/testing/programs.h"
#include "tests/worker/codegen/scop_interpreter.h"
#include "tests/worker/cuda_programs/candidate.h"

namespace tune {
namespace {

constexpr char kGoldenFolder[] = TUNE_SOURCE_DIR "/tests/worker/cuda_programs/golden/ptxas/";

absl::StatusOr<std::string> RunNvcc(std::vector<std::string> arguments) {
  TUNE_ASSIGN_OR_RETURN(const std::string nvcc, FindNvcc());
  arguments.insert(arguments.begin(), nvcc);
  SubprocessOptions options;
  options.wall_limit = absl::Minutes(10);
  TUNE_ASSIGN_OR_RETURN(const SubprocessResult result, RunSubprocess(arguments, options));
  if (!result.ok())
    return absl::InternalError(absl::StrCat("nvcc ", result.Describe(), result.standard_error));
  return result.standard_output + result.standard_error;
}

// "release 13.0"; empty when nvcc does not say.
std::string Release() {
  const std::string text = RunNvcc({"--version"}).value_or("");
  std::smatch found;
  return std::regex_search(text, found, std::regex(R"(release \d+\.\d+)")) ? found.str() : std::string();
}

// The kernels of the program's default configuration for the device.
absl::StatusOr<std::string> DefaultKernels(const std::string& name, const v1::Device& device) {
  TUNE_ASSIGN_OR_RETURN(const v1::Extraction extraction, testing::ExtractProgram(name));
  const v1::Scop& scop = extraction.scops(0);
  const std::map<std::string, int64_t> values = testing::LargeValues(name, scop);
  TUNE_ASSIGN_OR_RETURN(const auto space,
                        CudaSpace::Make(WithParameterFacts(scop, values), values, CudaOptionsOf(device)));
  TUNE_ASSIGN_OR_RETURN(const Candidate candidate, MakeCandidate(*space, testing::MakeReference(scop, values),
                                                                 /*seed=*/0, /*check=*/false));
  return candidate.program.kernels;
}

// A line for each kernel, of what ptxas wrote: "sm_90 gemm_kernel0: 128 registers, 0 bytes spilled, 16896
// bytes shared".
std::vector<std::string> Summary(const std::string& architecture, const std::string& words) {
  static const std::regex kEntry(R"(Compiling entry function '(\w+)')");
  static const std::regex kSpills(R"((\d+) bytes spill stores, (\d+) bytes spill loads)");
  static const std::regex kUsed(R"(Used (\d+) registers)");
  static const std::regex kShared(R"((\d+) bytes smem)");
  std::vector<std::string> lines;
  std::string entry, spilled;
  std::smatch found;
  for (const std::string& line : std::vector<std::string>(absl::StrSplit(words, '\n'))) {
    if (std::regex_search(line, found, kEntry)) entry = found[1];
    if (std::regex_search(line, found, kSpills)) spilled = found[1];
    if (!std::regex_search(line, found, kUsed)) continue;
    const std::string registers = found[1];
    const std::string shared = std::regex_search(line, found, kShared) ? found[1].str() : "0";
    lines.push_back(absl::StrCat(architecture, " ", entry, ": ", registers, " registers, ", spilled,
                                 " bytes spilled, ", shared, " bytes shared"));
  }
  std::sort(lines.begin(), lines.end());
  return lines;
}

// Summary of what nvcc says of the program for the device.
absl::StatusOr<std::vector<std::string>> Compiled(const std::string& name, const v1::Device& device) {
  TUNE_ASSIGN_OR_RETURN(const std::string kernels, DefaultKernels(name, device));
  const TemporaryFolder folder = TemporaryFolder::Make().value();
  const std::string file = folder.path() + "/kernels.cu";
  TUNE_RETURN_IF_ERROR(WriteFile(file, kernels));
  const std::string architecture = ArchitectureOf(device);
  TUNE_ASSIGN_OR_RETURN(const std::string words,
                        RunNvcc({"-arch=" + architecture, "-cubin", "-Werror", "all-warnings", "-Xptxas",
                                 "-v", "-o", folder.path() + "/cubin", file}));
  return Summary(architecture, words);
}

class PtxasTest : public ::testing::TestWithParam<std::string> {};

TEST_P(PtxasTest, SaysOfTheDefaultWhatItSaid) {
  const std::string release = Release();
  if (release.empty()) GTEST_SKIP() << "needs nvcc: install the CUDA toolkit";
  const bool update = std::getenv("TUNE_UPDATE_GOLDEN") != nullptr;
  const std::string release_file = absl::StrCat(kGoldenFolder, "release.txt");
  const std::string file = absl::StrCat(kGoldenFolder, GetParam(), ".txt");
  std::vector<std::string> lines;
  for (const v1::Device& device : {testing::T4(), testing::H200()}) {
    const auto compiled = Compiled(GetParam(), device);
    ASSERT_TRUE(compiled.ok()) << device.model() << ": " << compiled.status();
    lines.insert(lines.end(), compiled->begin(), compiled->end());
  }
  if (update) {
    ASSERT_TRUE(WriteFile(release_file, release + "\n").ok());
    ASSERT_TRUE(WriteFile(file, absl::StrJoin(lines, "\n") + "\n").ok());
    return;
  }
  const std::string golden_release(absl::StripAsciiWhitespace(ReadFile(release_file).value_or("")));
  if (golden_release != release)
    GTEST_SKIP() << "nvcc is of " << release << ", the golden files of " << golden_release;
  const std::vector<std::string> golden =
      absl::StrSplit(ReadFile(file).value_or(""), '\n', absl::SkipEmpty());
  EXPECT_THAT(lines, ::testing::ElementsAreArray(golden))
      << "TUNE_UPDATE_GOLDEN=1 writes " << file << " anew";
}

INSTANTIATE_TEST_SUITE_P(All, PtxasTest, ::testing::ValuesIn(testing::ProgramNames()), [](const auto& info) {
  return absl::StrReplaceAll(info.param, {{"-", "_"}});
});

}  // namespace
}  // namespace tune
