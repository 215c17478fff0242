#include "tests/simt/launch_sequence.h"

#include "tests/simt/test_device.h"
#include "worker/print/launch_sequence.h"

namespace tune::simt {
namespace {

using ::testing::HasSubstr;

std::string SequenceText(const std::string& body) {
  return absl::StrCat(kLaunchSequenceDeclarations, kLaunchSequenceHead, body, "}\n");
}

TEST(LaunchSequence, HostLoopAndScalars) {
  TestDevice device(R"(KERNEL f(float* a, float alpha, int first, int n) {
    int i = first + blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) a[i] += alpha;
  }
  KERNEL g(float* a, int n) {
    extern __shared__ float s[];
    s[threadIdx.x] = a[threadIdx.x];
    __syncthreads();
    a[threadIdx.x] = s[n - 1 - threadIdx.x];
  })",
                    {{"f"}, {"g", 4 * 10}});
  float* a = device.Array<float>("a", 10);
  const float alpha = 0.5;
  const std::string text = SequenceText(R"(
    void *a = memory[0];
    float alpha = *(const float *)host[1];
    int n = 10;
    for (int first = 0; first < n; ++first) {
      void *arguments[] = {&a, &alpha, &first, &n};
      struct tune_launch l = {0, {(n - first + 3) / 4, 1, 1}, {4, 1, 1}, arguments};
      launch(context, &l);
    }
    void *arguments[] = {&a, &n};
    struct tune_launch l = {1, {1, 1, 1}, {10, 1, 1}, arguments};
    launch(context, &l);
  )");
  ASSERT_EQ(RunLaunchSequence(text, device.simulator(), {a, nullptr}, {nullptr, &alpha}, 5),
            absl::OkStatus());
  for (int i = 0; i < 10; ++i) EXPECT_EQ(a[9 - i], i + 0.5f * static_cast<float>(i + 1));
  EXPECT_EQ(device.simulator().counts().launches, 11);
}

TEST(LaunchSequence, FirstErrorWins) {
  TestDevice device("KERNEL f(float* a, int i) { a[i] = 1; }");
  float* a = device.Array<float>("a", 2);
  const std::string text = SequenceText(R"(
    void *a = memory[0];
    for (int i = 0; i < 4; ++i) {
      void *arguments[] = {&a, &i};
      struct tune_launch l = {0, {1, 1, 1}, {1, 1, 1}, arguments};
      launch(context, &l);
    }
  )");
  const absl::Status status = RunLaunchSequence(text, device.simulator(), {a}, {}, 5);
  EXPECT_THAT(std::string(status.message()),
              HasSubstr("launch 2 of the sequence: kernel f, block (0,0,0), thread (0,0,0)"));
  EXPECT_EQ(device.simulator().counts().launches, 3);
}

TEST(LaunchSequence, InvalidLaunch) {
  TestDevice device("KERNEL f() {}");
  const std::string text = SequenceText(R"(
    struct tune_launch l = {KERNEL, {0, 1, 1}, {1, 1, 1}, 0};
    launch(context, &l);
  )");
  EXPECT_THAT(std::string(RunLaunchSequence(absl::StrReplaceAll(text, {{"KERNEL", "0"}}), device.simulator(),
                                            {}, {}, 1)
                              .message()),
              HasSubstr("the grid's x"));
  EXPECT_THAT(std::string(RunLaunchSequence(absl::StrReplaceAll(text, {{"KERNEL", "1"}}), device.simulator(),
                                            {}, {}, 1)
                              .message()),
              HasSubstr("there are 1 kernels"));
}

TEST(LaunchSequence, CompileErrors) {
  EXPECT_THAT(
      std::string(LaunchSequence::Compile("void tune_launch_sequence(void) { x; }").status().message()),
      HasSubstr("sequence.c:1"));
  EXPECT_THAT(std::string(LaunchSequence::Compile("void other(void) {}").status().message()),
              HasSubstr("tune_launch_sequence"));
}

}  // namespace
}  // namespace tune::simt
