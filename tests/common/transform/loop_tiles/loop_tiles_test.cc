#include "common/transform/loop_tiles/loop_tiles.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/decision/configuration.h"
#include "common/transform/transformations.h"

namespace tune {
namespace {

using ::testing::ElementsAre;

// Of a permutable innermost band with these trip counts, in computed loops.
std::vector<int64_t> DefaultTiles(const std::vector<int64_t>& trip_counts) {
  Kernel kernel;
  kernel.name = "k[S0]";
  kernel.statements = {"S0"};
  KernelBand band;
  band.permutable = band.innermost = true;
  band.coincident.assign(trip_counts.size(), true);
  band.trip_counts = trip_counts;
  kernel.bands = {band};
  DefaultChooser chooser;
  const auto plan = DecideHostKernel(kernel, 8, /*written=*/false, chooser);
  EXPECT_TRUE(plan.ok()) << plan.status();
  return plan->Get<BandTiles>().sizes.at(0);
}

// A row that the cache holds until the next iteration is not cut.
TEST(LoopTiles, TilesAreForWhatTheCacheDoesNotHold) {
  EXPECT_THAT(DefaultTiles({5000, 100}), ElementsAre(0, 0));
  EXPECT_THAT(DefaultTiles({100, 5000}), ElementsAre(32, 32));
  EXPECT_THAT(DefaultTiles({100, 40, 40}), ElementsAre(0, 0, 0));
  EXPECT_THAT(DefaultTiles({100, 100, 100}), ElementsAre(32, 32, 32));
  EXPECT_THAT(DefaultTiles({100, -1}), ElementsAre(32, 32));
}

}  // namespace
}  // namespace tune
