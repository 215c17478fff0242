#include "worker/build/host_peaks.h"

#include <gtest/gtest.h>

#include "common/base/file.h"
#include "worker/build/host_compiler.h"

namespace tune {
namespace {

// One entry cpuN/cache/indexM of sysfs.
void AddCache(const std::string& root, const std::string& place, const std::string& level,
              const std::string& type, const std::string& size, const std::string& sharers) {
  const std::string folder = root + "/" + place;
  ASSERT_TRUE(MakeFolder(folder).ok());
  ASSERT_TRUE(WriteFile(folder + "/level", level + "\n").ok());
  ASSERT_TRUE(WriteFile(folder + "/type", type + "\n").ok());
  ASSERT_TRUE(WriteFile(folder + "/size", size + "\n").ok());
  ASSERT_TRUE(WriteFile(folder + "/shared_cpu_list", sharers + "\n").ok());
}

TEST(HostPeaksTest, InstancesOfTheLargestCacheCountOnce) {
  const absl::StatusOr<TemporaryFolder> folder = TemporaryFolder::Make();
  ASSERT_TRUE(folder.ok());
  const std::string root = folder->path();
  for (int cpu = 0; cpu < 4; ++cpu) {
    const std::string place = absl::StrCat("cpu", cpu, "/cache/");
    AddCache(root, place + "index0", "1", "Data", "32K", absl::StrCat(cpu));
    AddCache(root, place + "index1", "1", "Instruction", "32K", absl::StrCat(cpu));
    AddCache(root, place + "index3", "3", "Unified", "16384K", cpu < 2 ? "0-1" : "2-3");
  }
  EXPECT_EQ(LargestCacheBytes(root), int64_t{32} << 20);
  EXPECT_EQ(LargestCacheBytes(root + "/nothing"), 0);
}

TEST(HostPeaksTest, EveryRateOfThisMachineIsMeasured) {
  const absl::StatusOr<TemporaryFolder> folder = TemporaryFolder::Make();
  ASSERT_TRUE(folder.ok());
  const auto compiler = HostCompiler::Make(folder->path());
  ASSERT_TRUE(compiler.ok()) << compiler.status();
  const absl::StatusOr<v1::PeakRates> peaks = MeasureHostPeaks(compiler->get(), 2);
  ASSERT_TRUE(peaks.ok()) << peaks.status();
  EXPECT_GT(peaks->float_operations(), 0);
  EXPECT_GT(peaks->double_operations(), 0);
  EXPECT_GT(peaks->memory_bytes(), 0);
  EXPECT_EQ(peaks->cache_bytes() > 0, peaks->cache_size() > 0);
}

}  // namespace
}  // namespace tune
