// Clocks by NVML, on whatever device there is, and the simulated one's in all that a driver may say.
#include <dlfcn.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "common/base/subprocess.h"
#include "worker/cuda/device_query.h"
#include "worker/cuda/graphics_clock.h"

namespace tune {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class GraphicsClockDeviceTest : public ::testing::Test {
 protected:
  void SetUp() override {
    const v1::CudaDevices devices = QueryDevices();
    if (devices.devices().empty()) GTEST_SKIP() << devices.trouble();
    uuid_ = devices.devices(0).cuda().uuid();
  }
  void TearDown() override { unsetenv("TUNE_SIMULATED_CLOCKS"); }

  // MHz of the simulated device; 0 of a real one.
  static unsigned Simulated() {
    void* const nvml = dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_NOLOAD);
    const auto tell =
        nvml == nullptr ? nullptr : reinterpret_cast<unsigned (*)()>(dlsym(nvml, "simulated_graphics_clock"));
    return tell == nullptr ? 0 : tell();
  }
  bool IsSimulated() const {
    OpenGraphicsClock(uuid_).IgnoreError();  // loads NVML
    return Simulated() > 0;
  }

  std::string uuid_;
};

TEST_F(GraphicsClockDeviceTest, IsSetOrTheReasonIsTold) {
  const auto clock = OpenGraphicsClock(uuid_);
  if (!clock.ok()) {
    EXPECT_THAT(std::string(clock.status().message()), HasSubstr("clocks"));
    return;
  }
  ASSERT_FALSE((*clock)->supported().empty());
  const absl::Status set = (*clock)->Set((*clock)->supported().front());
  if (!set.ok()) {
    EXPECT_THAT(std::string(set.message()), HasSubstr("leave out --clocks"));
  }
  EXPECT_TRUE((*clock)->Reset().ok());
  EXPECT_THAT(std::string((*clock)->Set(1).message()),
              HasSubstr("the device has no graphics clock of 1 MHz; it has"));
}

TEST_F(GraphicsClockDeviceTest, IsAsItWasAfterwards) {
  if (!IsSimulated()) GTEST_SKIP() << "no simulated device";
  for (const char* how : {"applications", "locked"}) {
    SCOPED_TRACE(how);
    setenv("TUNE_SIMULATED_CLOCKS", how, 1);
    const unsigned before = Simulated();
    {
      const auto clock = OpenGraphicsClock(uuid_).value();
      EXPECT_THAT(clock->supported(), ElementsAre(1980, 1500, 990));
      EXPECT_EQ(Simulated(), before) << "to look changes nothing";
      ASSERT_TRUE(clock->Set(990).ok());
      EXPECT_EQ(Simulated(), 990u);
      ASSERT_TRUE(clock->Set(1980).ok());
      ASSERT_TRUE(clock->Reset().ok());
      EXPECT_EQ(Simulated(), before);
      ASSERT_TRUE(clock->Set(990).ok());
    }
    EXPECT_EQ(Simulated(), before) << "also when it just ends";
  }
}

TEST_F(GraphicsClockDeviceTest, SaysWhyItCannotBeSet) {
  if (!IsSimulated()) GTEST_SKIP() << "no simulated device";
  setenv("TUNE_SIMULATED_CLOCKS", "denied", 1);
  const absl::Status denied = OpenGraphicsClock(uuid_).value()->Set(990);
  EXPECT_TRUE(absl::IsPermissionDenied(denied));
  EXPECT_THAT(std::string(denied.message()), HasSubstr("`nvidia-smi -acp UNRESTRICTED`"));
  setenv("TUNE_SIMULATED_CLOCKS", "none", 1);
  const absl::Status none = OpenGraphicsClock(uuid_).status();
  EXPECT_TRUE(absl::IsUnimplemented(none));
  EXPECT_THAT(std::string(none.message()), HasSubstr("not supported"));
}

// As the worker starts it. That it ends well shows that it does not wait for anything but its input.
TEST_F(GraphicsClockDeviceTest, AProcessServesIt) {
  if (!IsSimulated()) GTEST_SKIP() << "no simulated device";
  SubprocessOptions options;
  options.standard_input = "list\nset 990\nset 7\n";
  const auto run = RunSubprocess({TUNE_BINARY_DIR "/bin/tune-cuda-runner", "--clocks", "0"}, options);
  ASSERT_TRUE(run.ok() && run->ok()) << run->standard_error;
  EXPECT_EQ(
      run->standard_output,
      "ok 1980 1500 990\nok\nrefused the device has no graphics clock of 7 MHz; it has 1980, 1500, 990\n");
}

}  // namespace
}  // namespace tune
