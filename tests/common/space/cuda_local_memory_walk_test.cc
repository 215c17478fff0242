#include "common/space/cuda_local_memory_walk.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/common/testing/device_models.h"
#include "tests/worker/codegen/setting_chooser.h"

namespace tune {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// Columns, one a thread, of so many terms each; none: one sum, of one thread.
struct Sums {
  explicit Sums(int64_t columns, int64_t terms, int64_t block = 16) {
    KernelBand band;
    band.innermost = true;
    band.trip_counts = {terms};
    band.coincident = {false};
    int member = 0;
    if (columns > 0) {
      band.trip_counts.insert(band.trip_counts.begin(), columns);
      band.coincident.insert(band.coincident.begin(), true);
      plan.axes = {{0, block, block}};
      member = 1;
    }
    kernel.name = plan.name = "k";
    kernel.bands = {band};
    kernel.reduction = KernelReduction{member, {}, {}, {"S0"}, {}, true, false};
    kernel.read_only_arrays = {"A"};
    options.exact = true;
  }

  // Questions as "key=default", with the default options.
  std::vector<std::string> Questions() {
    struct Asked : Chooser {
      absl::StatusOr<int> Choose(const DecisionPoint& point) override {
        questions.push_back(absl::StrCat(point.key.substr(2), "=", point.options[point.default_option]));
        EXPECT_TRUE(point.allowed[point.default_option]) << point.key;
        return point.default_option;
      }
      std::vector<std::string> questions;
    } asked;
    CudaBudget budget{1024 / plan.Threads(), 64};
    CudaKernelPlan chosen = plan;
    EXPECT_TRUE(ChooseLocalMemory(kernel, options, budget, asked, chosen).ok());
    EXPECT_EQ(budget.threads, 1024 / chosen.Threads());
    return asked.questions;
  }

  Kernel kernel;
  CudaKernelPlan plan;
  CudaSpaceOptions options = testing::H200Options();
};

TEST(CudaLocalMemoryWalk, OthersFetchTheTermsOfAFewSumsInOrder) {
  EXPECT_THAT(Sums(2600, 2000).Questions(),
              ElementsAre("shared=on", "fill_threads=32", "inner_tile=256", "buffers=2", "registers=on"));
  EXPECT_THAT(Sums(0, 2000).Questions(),
              ElementsAre("shared=on", "fill_threads=512", "inner_tile=2048", "buffers=1", "registers=on"));
}

TEST(CudaLocalMemoryWalk, NotByDefaultWhereSumsNeedNoOrderOrFillTheDevice) {
  Sums any_order(2600, 2000);
  any_order.options.exact = false;
  EXPECT_THAT(any_order.Questions(), ElementsAre("shared=off", "registers=on"));
  EXPECT_THAT(Sums(70'000, 2000).Questions(), ElementsAre("shared=off", "registers=on"));
  EXPECT_THAT(Sums(2600, 60).Questions(), ElementsAre("shared=off", "registers=on"));
}

TEST(CudaLocalMemoryWalk, OneThreadWithAShortLoopIsLeftAlone) {
  EXPECT_THAT(Sums(0, 60).Questions(), IsEmpty());
}

TEST(CudaLocalMemoryWalk, ManyThreadsFillTheirTilesThemselves) {
  Sums wide(2600, 2000, 256);
  EXPECT_THAT(wide.Questions(), ElementsAre("shared=on", "inner_tile=16", "buffers=1", "registers=on"));
}

TEST(CudaLocalMemoryWalk, ThePlanGetsWhatIsChosen) {
  Sums sums(2600, 2000);
  const std::map<std::string, std::string> settings = {
      {"k.fill_threads", "64"}, {"k.inner_tile", "512"}, {"k.buffers", "1"}, {"k.registers", "off"}};
  testing::SettingChooser chooser(settings);
  CudaBudget budget{64, 64};
  ASSERT_TRUE(ChooseLocalMemory(sums.kernel, sums.options, budget, chooser, sums.plan).ok());
  EXPECT_EQ(sums.plan.Threads(), 1024);
  EXPECT_EQ(sums.plan.inner_tile, 512);
  EXPECT_EQ(sums.plan.buffers, 1);
  EXPECT_FALSE(sums.plan.registers);
}

}  // namespace
}  // namespace tune
