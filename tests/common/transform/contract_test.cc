// What holds of every transformation, on kernels that nobody wrote.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <random>
#include <set>

#include "common/transform/transformations.h"
#include "tests/common/testing/checked_random_chooser.h"
#include "tests/common/testing/device_models.h"

namespace tune {
namespace {

// Facts as SelectKernels might find them.
class RandomKernel {
 public:
  explicit RandomKernel(uint32_t seed) : random_(seed) {}

  Kernel Make() {
    Kernel kernel;
    kernel.name = "k";
    kernel.host_depth = Below(3);
    for (int i = 0; i <= Below(3); ++i) kernel.statements.push_back(absl::StrCat("S", i));
    const int bands = Below(4);
    for (int b = 0; b < bands; ++b) kernel.bands.push_back(Band(/*innermost=*/b + 1 == bands));
    for (int i = Below(4); i > 0; --i) kernel.read_only_arrays.push_back(absl::StrCat("A", i));
    for (int i = Below(4); i > 0; --i) kernel.constant_reads.emplace_back("S0", i);
    kernel.constant_references = static_cast<int>(kernel.constant_reads.size());
    kernel.writes_words = Below(2) == 0;
    kernel.bytes_of_iteration = 8 * Below(5);
    if (bands == 1 && !kernel.bands[0].coincident.back() && Below(2) == 0)
      kernel.reduction = KernelReduction{kernel.bands[0].member_count() - 1,
                                         {},
                                         {},
                                         {"S0"},
                                         {},
                                         Below(2) == 0,
                                         Below(2) == 0,
                                         Below(2) == 0};
    return kernel;
  }

 private:
  int Below(int end) { return static_cast<int>(random_() % static_cast<uint32_t>(end)); }

  KernelBand Band(bool innermost) {
    constexpr int64_t kTrips[] = {-1, 1, 2, 7, 32, 100, 1000, 4000, 5'000'000};
    KernelBand band;
    band.permutable = Below(3) > 0;
    band.innermost = innermost;
    for (int m = Below(4); m >= 0; --m) {
      band.coincident.push_back(Below(3) > 0);
      band.trip_counts.push_back(kTrips[Below(std::size(kTrips))]);
    }
    return band;
  }

  std::mt19937 random_;
};

// Some option is legal, the default is one of them and no key is asked twice (CheckedRandomChooser); what a
// device has is enough for what is decided.
TEST(Contract, OfCudaTransformations) {
  for (const v1::Device& device : {testing::P100(), testing::T4(), testing::A100(), testing::H200()}) {
    const DeviceFacts facts = FactsOf(device);
    for (uint32_t seed = 0; seed < 400; ++seed) {
      SCOPED_TRACE(absl::StrCat(device.model(), ", seed ", seed));
      RandomKernel random(seed);
      const std::vector<Kernel> kernels = {random.Make()};
      testing::CheckedRandomChooser chooser(seed);
      std::vector<KernelPlan> plans = {
          DecideKernel(kernels[0], facts, /*exact=*/seed % 2 == 0, chooser).value()};
      Decisions together;
      ASSERT_EQ(DecideTogether(kernels, facts, chooser, &plans, &together), absl::OkStatus());
      EXPECT_LE(plans[0].threads.Threads(), facts.max_threads_per_block);
      EXPECT_LE(plans[0].threads.axes.size() + (plans[0].threads.HasHelpers() ? 1 : 0), 3u);
      for (const CudaAxis& axis : plans[0].threads.axes) EXPECT_EQ(axis.tile % axis.block, 0);
    }
  }
}

TEST(Contract, OfOpenMpTransformations) {
  for (uint32_t seed = 0; seed < 1000; ++seed) {
    SCOPED_TRACE(seed);
    Kernel kernel = RandomKernel(seed).Make();
    testing::CheckedRandomChooser chooser(seed);
    ASSERT_TRUE(DecideHostKernel(kernel, 1 << (seed % 7), /*written=*/seed % 2 == 0, chooser).ok());
  }
}

TEST(Contract, NamesAreThoseOfFolders) {
  std::set<std::string> names;
  for (const CudaTransformation* transformation : CudaTransformations()) names.insert(transformation->name());
  for (const OpenMpTransformation* transformation : OpenMpTransformations())
    names.insert(transformation->name());
  for (const ScopTransformation* transformation : ScopTransformations()) names.insert(transformation->name());
  for (const std::string& name : names)
    EXPECT_TRUE(std::filesystem::is_directory(absl::StrCat(TUNE_SOURCE_DIR, "/common/transform/", name)))
        << name;
}

}  // namespace
}  // namespace tune
