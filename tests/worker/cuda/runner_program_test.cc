// tune-cuda-runner as a program, without a GPU.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "common/base/file.h"
#include "common/base/subprocess.h"
#include "tune/v1/runner.pb.h"
#include "worker/cuda/nvrtc_api.h"
#include "worker/ptx/ptx_reader.h"

namespace tune {
namespace {

using ::testing::HasSubstr;

SubprocessResult RunProgram(std::vector<std::string> arguments, const SubprocessOptions& options = {}) {
  arguments.insert(arguments.begin(), TUNE_BINARY_DIR "/bin/tune-cuda-runner");
  const auto result = RunSubprocess(arguments, options);
  EXPECT_TRUE(result.ok()) << result.status();
  return result.ok() ? *result : SubprocessResult();
}

TEST(RunnerProgramTest, DevicesAreListedOrTheTroubleIsTold) {
  const SubprocessResult result = RunProgram({"--devices"});
  ASSERT_TRUE(result.ok()) << result.standard_error;
  v1::CudaDevices devices;
  ASSERT_TRUE(devices.ParseFromString(result.standard_output));
  EXPECT_EQ(devices.devices().empty(), !devices.trouble().empty());
  EXPECT_THAT(devices.trouble(), ::testing::Not(HasSubstr("\n")));
  if (!devices.trouble().empty()) {
    EXPECT_THAT(devices.trouble(), HasSubstr("NVIDIA driver"));
  }
}

TEST(RunnerProgramTest, SimulatedDeviceIsDescribed) {
  SubprocessOptions options;
  options.environment = {"LD_LIBRARY_PATH=" TUNE_BINARY_DIR "/tests/simulated_driver"};
  v1::CudaDevices devices;
  ASSERT_TRUE(devices.ParseFromString(RunProgram({"--devices"}, options).standard_output));
  ASSERT_EQ(devices.devices_size(), 1) << devices.trouble();
  const v1::Device& device = devices.devices(0);
  EXPECT_EQ(device.target(), v1::CUDA);
  EXPECT_EQ(device.model(), "Simulated device");
  EXPECT_EQ(device.cores(), 132);
  EXPECT_EQ(device.memory_bytes(), 1 << 30);
  EXPECT_EQ(device.cuda().uuid(), "GPU-00112233-4455-6677-8899-aabbccddeeff");
  EXPECT_EQ(device.cuda().compute_capability_major(), 9);
  EXPECT_EQ(device.cuda().driver_version(), 13000);
  EXPECT_EQ(device.cuda().shared_bytes_per_block_optin(), 232448);
  EXPECT_EQ(device.cuda().max_blocks_per_multiprocessor(), 32);
  EXPECT_EQ(device.cuda().reserved_shared_bytes_per_block(), 1024);
}

TEST(RunnerProgramTest, ExactlyOneTaskIsAsked) {
  EXPECT_EQ(RunProgram({}).exit_code, 2);
  EXPECT_EQ(RunProgram({"--devices", "--serve", "0"}).exit_code, 2);
  EXPECT_EQ(RunProgram({"--compile", "x.cu", "--arch", "sm_90"}).exit_code, 2);
  EXPECT_EQ(RunProgram({"--help"}).exit_code, 0);
}

TEST(RunnerProgramTest, BadFramesEndItWithAMessage) {
  SubprocessOptions options;
  options.standard_input = "\xff\xff\xff\xff";
  SubprocessResult result = RunProgram({"--serve", "0"}, options);
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_THAT(result.standard_error, HasSubstr("4294967295 bytes is announced"));
  options.standard_input = "abc";
  result = RunProgram({"--serve", "0"}, options);
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_THAT(result.standard_error, HasSubstr("cut off after 3 bytes"));
  options.standard_input = std::string("\2\0\0\0\xff\xff", 6);
  result = RunProgram({"--serve", "0"}, options);
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_THAT(result.standard_error, HasSubstr("is not a tune.v1.CudaJob"));
  EXPECT_EQ(RunProgram({"--serve", "0"}).exit_code, 0);  // no job at all
}

TEST(RunnerProgramTest, ADeviceThatIsNotThereIsTheFailureOfTheJob) {
  SubprocessOptions options;
  options.standard_input = std::string(4, '\0');  // an empty job
  const SubprocessResult result = RunProgram({"--serve", "1000"}, options);
  EXPECT_EQ(result.exit_code, 0);
  v1::CudaResult answer;
  ASSERT_GT(result.standard_output.size(), 4u);
  ASSERT_TRUE(answer.ParseFromString(result.standard_output.substr(4)));
  EXPECT_TRUE(answer.device_lost());
  EXPECT_NE(answer.failure(), "");
}

TEST(RunnerProgramTest, CompilesFilesOrSaysWhyNot) {
  if (!NvrtcApi::Get().ok()) GTEST_SKIP() << NvrtcApi::Get().status().message();
  const TemporaryFolder folder = *TemporaryFolder::Make();
  const std::string source = folder.path() + "/k.cu", cubin = folder.path() + "/k.cubin";
  ASSERT_TRUE(WriteFile(source, "extern \"C\" __global__ void f(int *a) { a[0] = VALUE; }").ok());
  SubprocessResult result =
      RunProgram({"--compile", source, "--arch", "sm_90", "--output", cubin, "--time-limit", "60"});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.standard_error, HasSubstr("k.cu(1): error"));
  EXPECT_FALSE(std::filesystem::exists(cubin));
  result = RunProgram({"--compile", source, "--arch", "sm_90", "--output", cubin, "--", "-DVALUE=3"});
  EXPECT_EQ(result.exit_code, 0) << result.standard_error;
  EXPECT_GT(std::filesystem::file_size(cubin), 0u);
  const std::string ptx = folder.path() + "/k.ptx";
  result = RunProgram({"--compile", source, "--arch", "compute_90", "--output", ptx, "--", "-DVALUE=3"});
  EXPECT_EQ(result.exit_code, 0) << result.standard_error;
  const absl::StatusOr<PtxModule> module = ReadPtx(*ReadFile(ptx));
  ASSERT_TRUE(module.ok()) << module.status();
  EXPECT_NE(module->Find("f"), nullptr);
  result = RunProgram({"--compile", folder.path() + "/none.cu", "--arch", "sm_90", "--output", cubin});
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_THAT(result.standard_error, HasSubstr("none.cu: No such file"));
}

}  // namespace
}  // namespace tune
