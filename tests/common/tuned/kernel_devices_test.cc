// Kernels that were tuned on several devices: which of them a call takes, on a runtime whose device the test
// names.
#include "common/tuned/kernel_devices.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/base/file.h"
#include "common/base/subprocess.h"

namespace tune {
namespace {

using ::testing::HasSubstr;

v1::Device Gpu(const std::string& model, int major, int minor, int multiprocessors) {
  v1::Device device;
  device.set_target(v1::CUDA);
  device.set_model(model);
  device.set_cores(multiprocessors);
  device.mutable_cuda()->set_compute_capability_major(major);
  device.mutable_cuda()->set_compute_capability_minor(minor);
  return device;
}

v1::KernelDefinition Definition(int n) {
  v1::KernelDefinition definition;
  definition.set_language(v1::KERNEL_LANGUAGE_CUDA);
  v1::ProblemSize& size = *definition.add_problem();
  size.set_name("n");
  size.set_size(absl::StrCat(n));
  definition.add_kernels()->set_name("smooth");
  v1::KernelArgument& argument = *definition.add_arguments();
  argument.set_name("n");
  argument.set_type(v1::NUMBER_INT32);
  argument.mutable_fill()->set_constant("n");
  return definition;
}

// What is used of CUDA's runtime: a device that main's arguments describe, and functions of devices that tell
// which they are.
constexpr char kRuntime[] = R"(#include <cstdlib>
typedef int cudaError_t;
typedef void *cudaStream_t;
enum { cudaSuccess = 0, cudaErrorInvalidValue = 1, cudaErrorNoKernelImageForDevice = 209 };
struct cudaDeviceProp { char name[256]; int major, minor, multiProcessorCount; };
extern cudaDeviceProp here;
inline cudaError_t cudaGetDevice(int *device) { *device = 0; return cudaSuccess; }
inline cudaError_t cudaGetDeviceProperties(cudaDeviceProp *properties, int) { *properties = here; return cudaSuccess; }
)";

constexpr char kMain[] = R"(
cudaDeviceProp here;
cudaError_t tuned_smooth_A100(cudaStream_t, int) { return 1000; }
cudaError_t tuned_smooth_NVIDIA_H100_PCIe(cudaStream_t, int) { return 1001; }
cudaError_t tuned_smooth_NVIDIA_H200(cudaStream_t, int) { return 1002; }
cudaError_t tuned_smooth_T4(cudaStream_t, int) { return 1003; }
#include <cstdio>
int main(int, char **arguments) {
  strcpy(here.name, arguments[1]);
  here.major = atoi(arguments[2]);
  here.minor = atoi(arguments[3]);
  here.multiProcessorCount = atoi(arguments[4]);
  const int first = tuned_smooth(nullptr, 3);
  here.major = 0;  // known by then
  if (tuned_smooth(nullptr, 3) != first) return 1;
  printf("%d", first);
}
)";

TEST(KernelDevicesTest, TheLaunchFunctionTakesTheMostSimilarDevice) {
  const auto devices = FindKernelDevices({Gpu("A100", 8, 0, 108), Gpu("NVIDIA H100 (PCIe)", 9, 0, 114),
                                          Gpu("NVIDIA H200", 9, 0, 132), Gpu("T4", 7, 5, 40)});
  ASSERT_TRUE(devices.ok()) << devices.status();
  const v1::KernelDefinition definition = Definition(500);
  const std::string text =
      PrintKernelDeviceDispatch(definition, *devices, std::vector<KernelSize>(1), "// of four\n");
  const TemporaryFolder folder = TemporaryFolder::Make().value();
  ASSERT_TRUE(WriteFile(folder.path() + "/cuda_runtime.h", kRuntime).ok());
  ASSERT_TRUE(WriteFile(folder.path() + "/a.cc", text + kMain).ok());
  const auto built = RunSubprocess({"c++", "-std=c++17", "-Wall", "-Wextra", "-Werror", "-I" + folder.path(),
                                    folder.path() + "/a.cc", "-o", folder.path() + "/a"},
                                   {});
  ASSERT_TRUE(built.ok() && built->ok()) << built->standard_error << text;
  const auto choice = [&](const std::string& model, int major, int minor, int multiprocessors) {
    const auto run = RunSubprocess({folder.path() + "/a", model, absl::StrCat(major), absl::StrCat(minor),
                                    absl::StrCat(multiprocessors)},
                                   {});
    return run.ok() && run->ok() ? run->standard_output : "failed";
  };
  EXPECT_EQ(choice("A100", 8, 0, 108), "1000");
  EXPECT_EQ(choice("T4", 7, 5, 40), "1003");
  EXPECT_EQ(choice("NVIDIA H200", 9, 0, 1), "1002") << "the model counts";
  EXPECT_EQ(choice("NVIDIA H100 80GB HBM3", 9, 0, 132), "1002") << "as many multiprocessors";
  EXPECT_EQ(choice("half of an H100", 9, 0, 66), "1001");
  EXPECT_EQ(choice("A40", 8, 6, 84), "1000") << "of its generation";
  EXPECT_EQ(choice("B200", 10, 0, 148), "1002") << "of the newest that it runs";
  EXPECT_EQ(choice("V100", 7, 0, 80), "209") << "older than all";
}

TEST(KernelDevicesTest, DevicesWithSizesHaveTheirSizesArguments) {
  const auto devices = *FindKernelDevices({Gpu("A", 8, 0, 1), Gpu("B", 9, 0, 1)});
  v1::KernelDefinition small = Definition(500), large = Definition(1000);
  for (v1::KernelDefinition* definition : {&small, &large})
    definition->mutable_arguments(0)->mutable_fill()->set_constant("n - 1");
  const std::vector<KernelSize> sizes = *FindKernelSizes({&small, &large});
  const std::string text = PrintKernelDeviceDispatch(small, devices, sizes, "");
  EXPECT_THAT(text, HasSubstr("cudaError_t tuned_smooth(cudaStream_t stream, long long n_size, int n) {"));
  EXPECT_THAT(text, HasSubstr("return tuned_smooth_B(stream, n_size, n);"));
  const std::string of_b = PrintKernelDispatch(small, {sizes[1]}, "", "B");
  EXPECT_THAT(of_b, HasSubstr("cudaError_t tuned_smooth_B(cudaStream_t stream, long long n_size, int n) {"));
  EXPECT_THAT(of_b, HasSubstr("  if (n_size == 1000)\n    return tuned_smooth_B_n1000(stream, n);"));
}

TEST(KernelDevicesTest, NamesAreThoseOfIdentifiersAndDiffer) {
  const auto devices =
      FindKernelDevices({Gpu("GPU (a)", 8, 0, 1), Gpu("GPU/a", 8, 0, 1), Gpu("  ", 8, 0, 1)});
  ASSERT_TRUE(devices.ok());
  EXPECT_EQ((*devices)[0].tag, "GPU_a");
  EXPECT_EQ((*devices)[1].tag, "GPU_a_2");
  EXPECT_EQ((*devices)[2].tag, "device");
  EXPECT_EQ(FindKernelDevices({Gpu("X", 8, 0, 1), Gpu("X", 8, 0, 1)}).status().message(),
            "two studies are for X");
  v1::Device host;
  host.set_target(v1::CPU);
  host.set_model("EPYC");
  EXPECT_EQ((*FindKernelDevices({host}))[0].capability, 0);
}

TEST(KernelDevicesTest, TheHeaderHasTheMacrosOfTheDeviceThatIsTold) {
  const auto devices = *FindKernelDevices({Gpu("A", 8, 0, 1), Gpu("B", 9, 0, 1)});
  const std::string header =
      PrintDeviceHeaders(devices, {"#define TILE 32\n", "#define TILE 4\n"}, "smooth.h");
  const TemporaryFolder folder = TemporaryFolder::Make().value();
  ASSERT_TRUE(WriteFile(folder.path() + "/a.h", header + "value TILE\n").ok());
  const auto told = [&](const std::string& macro) {
    const auto run = RunSubprocess({"cc", "-E", "-P", macro, folder.path() + "/a.h"}, {});
    return run.ok() && run->ok() ? run->standard_output : "refused: " + run->standard_error;
  };
  EXPECT_THAT(told(DeviceMacroOf(devices[0])), HasSubstr("value 32"));
  EXPECT_THAT(told("-DTUNED_ON_B"), HasSubstr("value 4"));
  EXPECT_THAT(told("-DNOTHING"), HasSubstr("smooth.h has macros of some devices alone: say one with "
                                           "-DTUNED_ON_A or -DTUNED_ON_B"));
}

}  // namespace
}  // namespace tune
