#include "common/transform/register_rows/register_rows.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/transform/shared_memory/shared_memory.h"
#include "tests/common/transform/sample_kernels.h"

namespace tune {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using testing::Keys;
using testing::MakeKernel;
using ::testing::Not;
using testing::Offered;

const DeviceFacts kHopper = testing::H200Options().device;

// 4000 threads that solve systems of `size` unknowns, each of so many words.
Kernel Solves(int64_t size, int64_t words = 1) {
  Kernel kernel = MakeKernel({true, false, false}, {4000, size, size - 1});
  kernel.constant_reads = {{"S0", 1}};
  kernel.rows = ThreadRows{{"X"}, size * words, size * (size - 1)};
  return kernel;
}

TEST(RegisterRows, AreOnByDefaultWhereTheyFit) {
  EXPECT_THAT(Offered(Solves(32), kHopper, "k.register_rows"), ElementsAre("off", "on"));
  EXPECT_TRUE(testing::Default(Solves(32)).Get<RegisterRows>().on);
  EXPECT_FALSE(testing::Plan(Solves(32), {{"k.register_rows", "off"}}).Get<RegisterRows>().on);
  EXPECT_THAT(Offered(MakeKernel({true, false}, {4000, 32}), kHopper, "k.register_rows"), IsEmpty());
}

TEST(RegisterRows, NotWhereThereIsMuchToUnrollOrTooManyElements) {
  EXPECT_THAT(Offered(Solves(34), kHopper, "k.register_rows"), IsEmpty());
  EXPECT_THAT(Offered(Solves(26, 8), kHopper, "k.register_rows"), IsEmpty());
  EXPECT_THAT(Offered(Solves(25, 8), kHopper, "k.register_rows"), ElementsAre("off", "on"));
}

TEST(RegisterRows, NeedOneThreadForEach) {
  EXPECT_THAT(
      Offered(Solves(16), kHopper, "k.register_rows", {{"k.tile_size_0", "64"}, {"k.block_size_0", "32"}}),
      IsEmpty());
}

// The loops are unrolled as a whole, and no other elements are kept.
TEST(RegisterRows, LeaveNothingToOtherTransformationsOfTheLoops) {
  const std::vector<std::string> keys = Keys(Solves(16));
  EXPECT_THAT(keys, Contains("k.register_rows"));
  EXPECT_THAT(keys, Not(Contains("k.registers")));
  EXPECT_THAT(keys, Not(Contains("k.unroll")));
  EXPECT_THAT(keys, Not(Contains("k.ahead")));
  EXPECT_TRUE(testing::Default(Solves(16)).Get<SharedTiles>().on);
  EXPECT_THAT(Offered(Solves(16), kHopper, "k.inner_tile", {{"k.shared", "on"}}), IsEmpty());
  EXPECT_THAT(Offered(Solves(16), kHopper, "k.buffers", {{"k.shared", "on"}}), IsEmpty());
}

}  // namespace
}  // namespace tune
