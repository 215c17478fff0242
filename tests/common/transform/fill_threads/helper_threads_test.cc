#include "common/transform/fill_threads/helper_threads.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/transform/buffers/buffers.h"
#include "common/transform/registers/registers.h"
#include "common/transform/serial_tiles/serial_tiles.h"
#include "common/transform/shared_memory/shared_memory.h"
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
      plan.threads.axes = {{0, block, block}};
      member = 1;
    }
    kernel.name = plan.name = "k";
    kernel.bands = {band};
    kernel.reduction = KernelReduction{member, {}, {}, {"S0"}, {}, true, false};
    kernel.read_only_arrays = {"A"};
    kernel.constant_reads = {{"S0", 1}};
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
    EXPECT_TRUE(Decide(asked).ok());
    return asked.questions;
  }

  // What is decided of local memory.
  absl::Status Decide(Chooser& chooser) {
    const KernelSite site{kernel, options.device, options.exact, plan};
    for (const CudaTransformation* transformation :
         {&SharedMemory(), &HelperThreads(), &SerialTiles(), &Buffers(), &Registers()})
      TUNE_RETURN_IF_ERROR(transformation->Decide(site, chooser, &plan));
    return absl::OkStatus();
  }

  Kernel kernel;
  KernelPlan plan;
  CudaSpaceOptions options = testing::H200Options();
};

TEST(LocalMemory, OthersFetchTheTermsOfAFewSumsInOrder) {
  EXPECT_THAT(Sums(2600, 2000).Questions(),
              ElementsAre("shared=on", "fill_threads=32", "inner_tile=256", "buffers=2", "registers=on"));
  EXPECT_THAT(Sums(0, 2000).Questions(),
              ElementsAre("shared=on", "fill_threads=512", "inner_tile=2048", "buffers=1", "registers=on"));
}

TEST(LocalMemory, NotByDefaultWhereSumsNeedNoOrderOrFillTheDevice) {
  Sums any_order(2600, 2000);
  any_order.options.exact = false;
  EXPECT_THAT(any_order.Questions(), ElementsAre("shared=off", "registers=on"));
  EXPECT_THAT(Sums(70'000, 2000).Questions(), ElementsAre("shared=off", "registers=on"));
  EXPECT_THAT(Sums(2600, 60).Questions(), ElementsAre("shared=off", "registers=on"));
}

TEST(LocalMemory, OneThreadWithAShortLoopIsLeftAlone) { EXPECT_THAT(Sums(0, 60).Questions(), IsEmpty()); }

TEST(LocalMemory, ManyThreadsFillTheirTilesThemselves) {
  Sums wide(2600, 2000, 256);
  EXPECT_THAT(wide.Questions(), ElementsAre("shared=on", "inner_tile=16", "buffers=1", "registers=on"));
}

TEST(LocalMemory, ThePlanGetsWhatIsChosen) {
  Sums sums(2600, 2000);
  const std::map<std::string, std::string> settings = {
      {"k.fill_threads", "64"}, {"k.inner_tile", "512"}, {"k.buffers", "1"}, {"k.registers", "off"}};
  testing::SettingChooser chooser(settings);
  ASSERT_TRUE(sums.Decide(chooser).ok());
  EXPECT_EQ(sums.plan.threads.Threads(), 1024);
  EXPECT_EQ(sums.plan.Get<SerialTileSize>().iterations, 512);
  EXPECT_EQ(sums.plan.Get<TileBuffers>().copies, 1);
  EXPECT_FALSE(sums.plan.Get<RegisterTiles>().on);
}

}  // namespace
}  // namespace tune
