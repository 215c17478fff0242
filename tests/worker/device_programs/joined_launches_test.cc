// Kernels of one launch that touch different elements of one array.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/transform/joined_launches/join_launches.h"
#include "tests/common/testing/device_models.h"
#include "tests/common/testing/scop_builder.h"
#include "tests/worker/codegen/setting_chooser.h"
#include "tests/worker/device_programs/small_program.h"

namespace tune {
namespace {

using Settings = std::map<std::string, std::string>;
using ::testing::HasSubstr;

const std::map<std::string, int64_t> kSizes = {{"n", 13}};

// B += M X of the even rows of X, and what is added to the rows of X that are `odd` numbers more. A tile of
// even rows holds odd ones.
v1::Scop Rows(const std::string& odd) {
  using testing::Multiply, testing::Read;
  return testing::ScopBuilder("rows", {"n"}, "n >= 1")
      .Array("X", {"2 n + 1", "n"})
      .Array("M", {"n", "n"})
      .Array("B", {"n", "n"})
      .Array("Z", {"n", "n"})
      .Begin("i", "0 <= i < n")
      .Begin("j", "0 <= j < n")
      .Begin("l", "0 <= l < n")
      .Update(v1::ADD, {"B", "i, j"}, {{"M", "i, l"}, {"X", "2 l, j"}}, Multiply(Read(0), Read(1)))
      .End()
      .End()
      .End()
      .Begin("i", "0 <= i < n")
      .Begin("j", "0 <= j < n")
      .Update(v1::ADD, {"X", "2 i + " + odd + ", j"}, {{"Z", "i, j"}}, Read(0))
      .End()
      .End()
      .Build();
}

// A space of the scop, and what it computes.
struct RowsProgram {
  explicit RowsProgram(const std::string& odd)
      : scop(Rows(odd)), reference(testing::MakeReference(scop, kSizes)) {
    CudaSpaceOptions options = testing::H200Options();
    options.device.memory_bandwidth = 0;  // sums are not split
    space = CudaSpace::Make(WithParameterFacts(scop, kSizes), kSizes, options, LittleWork()).value();
    expected = testing::ExpectedResidues(scop, reference, kSizes).value();
  }

  testing::SmallProgram Make(Settings settings) const {
    settings["schedule.serialize_sccs"] = "on";
    testing::SettingChooser chooser(settings);
    testing::SmallProgram small;
    small.plan = space->Walk(chooser).value();
    small.mapped = MapPlan(small.plan, space->options()).value();
    small.device =
        LowerMapped(
            small.plan, space->options(), *small.mapped,
            DeviceArrays(small.plan.schedules->context(), small.plan.schedules->scop(), reference).value(),
            /*origins=*/true)
            .value();
    return small;
  }

  v1::Scop scop;
  v1::Reference reference;
  std::unique_ptr<CudaSpace> space;
  testing::ResidueMemory expected;
};

const DeviceKernel& Product(const DeviceProgram& program) {
  return program.kernels[program.kernels[0].name == "k[S0]" ? 0 : 1];
}

std::vector<std::string> TiledArrays(const DeviceKernel& kernel) {
  std::vector<std::string> arrays;
  for (const Tile& tile : kernel.tiles) {
    if (tile.shared) arrays.push_back(tile.array);
  }
  return arrays;
}

TEST(JoinedLaunches, TilesHoldNothingThatOtherKernelsWrite) {
  const RowsProgram rows("1");
  const testing::SmallProgram apart = rows.Make({{"independent_launches", "apart"}});
  EXPECT_EQ(apart.device.host.size(), 2u);
  EXPECT_THAT(TiledArrays(Product(apart.device)), ::testing::UnorderedElementsAre("X", "M"));
  const testing::SmallProgram joined = rows.Make({{"independent_launches", "together"}});
  ASSERT_EQ(joined.device.host.size(), 1u);
  EXPECT_EQ(joined.device.host[0].As<MergedLaunch>()->body.size(), 2u);
  EXPECT_THAT(TiledArrays(Product(joined.device)), ::testing::ElementsAre("M"));
  for (const testing::SmallProgram* small : {&apart, &joined}) {
    EXPECT_EQ(testing::Difference(*small, small->device, rows.expected), "");
    EXPECT_EQ(testing::Check(*small, small->device), absl::OkStatus());
  }
}

// Tiles of a kernel that is launched by itself hold odd rows.
TEST(JoinedLaunches, FillsOfWhatOthersWriteAreFound) {
  const RowsProgram rows("1");
  const testing::SmallProgram apart = rows.Make({{"independent_launches", "apart"}});
  DeviceProgram wrong = apart.device;
  for (DeviceKernel& kernel : wrong.kernels) kernel.is_function = true;
  JoinLaunches("rows_together", {{"k[S0]", 0}, {"k[S1]", 0}}, &wrong);
  ASSERT_EQ(wrong.host.size(), 1u);
  EXPECT_THAT(std::string(testing::Check(apart, wrong).message()),
              HasSubstr(" touch an element that one of them writes"));
}

TEST(JoinedLaunches, KernelsOfTheSameElementsStayApart) {
  const RowsProgram rows("2");
  EXPECT_EQ(rows.Make({}).device.host.size(), 2u);
}

TEST(JoinedLaunches, AllConfigurationsAreRight) {
  const RowsProgram rows("1");
  int joined = 0;
  for (uint64_t seed = 0; seed < 40; ++seed) {
    const auto small = testing::MakeSmallProgram(*rows.space, rows.reference, seed);
    if (!small.ok()) continue;
    joined += small->device.host.size() == 1 && small->device.kernels.size() > 1;
    EXPECT_EQ(testing::Difference(*small, small->device, rows.expected), "") << small->configuration;
    EXPECT_EQ(testing::Check(*small, small->device), absl::OkStatus()) << small->configuration;
  }
  EXPECT_GT(joined, 3);
}

}  // namespace
}  // namespace tune
