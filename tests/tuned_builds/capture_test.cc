// Regions in programs that record CUDA graphs: nothing of a region is in one, and it runs as it was written.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <tuple>

#include "absl/strings/str_replace.h"
#include "tests/tuned_builds/case_files.h"

namespace tune {
namespace {

using ::testing::AnyOf;
using ::testing::HasSubstr;

// Calls the region outside of, in and after a capture.
constexpr char kCapturing[] = R"(#include <stdio.h>
#pragma weak cudaStreamCreateWithFlags
#pragma weak cudaStreamBeginCapture
#pragma weak cudaStreamEndCapture
int cudaStreamCreateWithFlags(void **stream, unsigned flags);
int cudaStreamBeginCapture(void *stream, int mode);
int cudaStreamEndCapture(void *stream, void **graph);
static float A[40][36], B[36][44], C[40][44];
static void product(int n, int m, int k) {
#pragma scop
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      for (int l = 0; l < k; l++) C[i][j] += A[i][l] * B[l][j];
#pragma endscop
}
static void Print(int error) {
  double sum = 0;
  for (int i = 0; i < 40; i++)
    for (int j = 0; j < 44; j++) sum += (i * 3 + j) % 11 * C[i][j];
  printf("%d %.0f\n", error, sum);
}
int main(void) {
  void *stream = 0, *graph = 0;
  int error = 0;
  for (int i = 0; i < 40; i++)
    for (int l = 0; l < 36; l++) A[i][l] = (i + 2 * l) % 7;
  for (int l = 0; l < 36; l++)
    for (int j = 0; j < 44; j++) B[l][j] = (3 * l + j) % 5;
  if (FIRST) product(40, 44, 36);
  Print(0);
  if (cudaStreamBeginCapture != 0) error = cudaStreamCreateWithFlags(&stream, 0);
  if (cudaStreamBeginCapture != 0 && error == 0) error = cudaStreamBeginCapture(stream, 0);
  product(40, 44, 36);
  if (cudaStreamBeginCapture != 0 && error == 0) error = cudaStreamEndCapture(stream, &graph);
  Print(error);
  product(40, 44, 36);
  Print(0);
  return 0;
}
)";

struct CapturingFile {
  std::string name;
  std::vector<std::string> options;  // of generate
};

// Whether the region was run before the capture.
class Captures : public testing::CaseFiles,
                 public ::testing::WithParamInterface<std::tuple<CapturingFile, bool>> {};
TEST_P(Captures, RunTheOriginal) {
  const auto& [file, first] = GetParam();
  const std::string source = Path("product.c"), machine = testing::kMachines[0];
  ASSERT_TRUE(WriteFile(source, absl::StrReplaceAll(kCapturing, {{"FIRST", first ? "1" : "0"}})).ok());
  std::vector<std::string> command = {TUNE_BINARY_DIR "/bin/tunectl", "generate", source, "-o",
                                      Path("out.c")};
  command.insert(command.end(), file.options.begin(), file.options.end());
  bool ok = false;
  std::string log = testing::CallProgram(command, &ok);
  ASSERT_TRUE(ok) << log;
  log = testing::CallProgram(Compile({}, {source, "-o", Path("original")}), &ok);
  ASSERT_TRUE(ok) << log;
  const std::string expected = testing::CallProgram({Path("original")}, &ok);
  log = testing::CallProgram(Compile({"-fopenmp"}, {Path("out.c"), "-fPIC", "-shared", "-o", Path("out.so")}),
                             &ok);
  ASSERT_TRUE(ok) << log;
  RunEach("--machine", {machine});
  EXPECT_EQ(Output(machine), expected) << Error(machine);
  EXPECT_THAT(Error(machine), AnyOf(HasSubstr("original code runs instead"), HasSubstr("GPU's parts, too")));
  EXPECT_TRUE(Launched(machine)) << "outside of the capture it runs on the device";
}
INSTANTIATE_TEST_SUITE_P(
    Files, Captures,
    ::testing::Combine(::testing::Values(CapturingFile{"OneSize",
                                                       {"--arch", "sm_90", "--parameter", "n=40",
                                                        "--parameter", "m=44", "--parameter", "k=36"}},
                                         CapturingFile{"Cases", {"--cases"}},

                                         CapturingFile{"Parts",
                                                       {"--target", "cpu+cuda", "--parts", "cpu:1,gpu:1"}}),
                       ::testing::Bool()),
    [](const auto& info) {
      return std::get<0>(info.param).name + (std::get<1>(info.param) ? "Afterwards" : "AtFirst");
    });

}  // namespace
}  // namespace tune
