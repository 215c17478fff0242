// What ptxas says of the kernels of tests/programs' default configurations, for those device models whose
// architecture the compiler still has: registers, spilled and static shared bytes are those of
// golden/ptxas.txt, where nvcc is of the release that the file names. TUNE_UPDATE_GOLDEN=1 writes it anew, to
// be reviewed.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <regex>

#include "absl/strings/str_join.h"
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

constexpr char kGoldenFile[] = TUNE_SOURCE_DIR "/tests/worker/cuda_programs/golden/ptxas.txt";

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

// All kernels of the default configurations for the device, named after their programs; the functions that
// they call have names of one program.
absl::StatusOr<std::string> DefaultKernels(const v1::Device& device) {
  std::string text;
  for (const std::string& name : testing::ProgramNames()) {
    TUNE_ASSIGN_OR_RETURN(const v1::Extraction extraction, testing::ExtractProgram(name));
    v1::Scop scop = extraction.scops(0);
    scop.set_name(name);  // several have a function of one name
    const std::map<std::string, int64_t> values = testing::LargeValues(name, scop);
    TUNE_ASSIGN_OR_RETURN(const auto space,
                          CudaSpace::Make(WithParameterFacts(scop, values), values, CudaOptionsOf(device)));
    TUNE_ASSIGN_OR_RETURN(
        const Candidate candidate,
        MakeCandidate(*space, testing::MakeReference(scop, values), /*seed=*/0, /*check=*/false));
    absl::StrAppend(&text, "namespace ", CIdentifier("of_" + name), " {\n", candidate.program.kernels, "}\n");
  }
  return text;
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

TEST(PtxasTest, SaysOfTheDefaultsWhatItSaid) {
  const std::string release = Release();
  if (release.empty()) GTEST_SKIP() << "needs nvcc: install the CUDA toolkit";
  const bool update = std::getenv("TUNE_UPDATE_GOLDEN") != nullptr;
  std::vector<std::string> golden =
      absl::StrSplit(ReadFile(kGoldenFile).value_or(""), '\n', absl::SkipEmpty());
  if (!update) {
    ASSERT_FALSE(golden.empty()) << kGoldenFile << " is not there: TUNE_UPDATE_GOLDEN=1 writes it";
    if (golden[0] != release)
      GTEST_SKIP() << "nvcc is of " << release << ", the golden file of " << golden[0];
  }
  std::vector<std::string> lines = {release};
  for (const v1::Device& device : testing::DeviceModels()) {
    if (device.cuda().compute_capability_major() < 7) continue;  // the compiler does not have it any more
    const auto kernels = DefaultKernels(device);
    ASSERT_TRUE(kernels.ok()) << device.model() << ": " << kernels.status();
    const TemporaryFolder folder = TemporaryFolder::Make().value();
    const std::string file = folder.path() + "/kernels.cu";
    ASSERT_TRUE(WriteFile(file, *kernels).ok());
    const std::string architecture = ArchitectureOf(device);
    const auto words =
        RunNvcc({"-arch=" + architecture, "-cubin", "-Xptxas", "-v", "-o", folder.path() + "/cubin", file});
    ASSERT_TRUE(words.ok()) << device.model() << ": " << words.status();
    for (const std::string& line : Summary(architecture, *words)) lines.push_back(line);
  }
  if (update) {
    ASSERT_TRUE(WriteFile(kGoldenFile, absl::StrJoin(lines, "\n") + "\n").ok());
    return;
  }
  EXPECT_THAT(lines, ::testing::ElementsAreArray(golden))
      << "TUNE_UPDATE_GOLDEN=1 writes " << kGoldenFile << " anew";
}

}  // namespace
}  // namespace tune
