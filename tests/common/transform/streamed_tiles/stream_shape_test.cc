#include "common/transform/streamed_tiles/stream_shape.h"

#include <gtest/gtest.h>

#include "common/transform/time_tiles/stencil_site.h"
#include "tests/common/testing/sample_scops.h"
#include "tests/common/transform/expansion/expansion_check.h"

namespace tune {
namespace {

using testing::Add;
using testing::Analysis;
using testing::Element;
using testing::Literal;
using testing::Read;
using testing::ScopBuilder;

// "A" from "B" and back, each element from those next to it along each dimension.
v1::Scop Neighbours(int dimensions) {
  const std::vector<std::string> iterators = {"i", "j", "k"}, sizes = {"n", "m", "l"};
  const std::vector<std::string> all(sizes.begin(), sizes.begin() + dimensions);
  std::string context = "steps >= 0";
  for (const std::string& size : all) context += " and " + size + " >= 0";
  std::vector<std::string> parameters = {"steps"};
  parameters.insert(parameters.end(), all.begin(), all.end());
  ScopBuilder builder("neighbours", parameters, context);
  for (const char* array : {"A", "B"}) builder.Array(array, all);
  builder.Begin("t", "0 <= t < steps");
  for (const auto& [to, from] : {std::pair<std::string, std::string>("B", "A"), {"A", "B"}}) {
    const auto place = [&](int moved, int by) {
      std::string subscripts;
      for (int d = 0; d < dimensions; ++d)
        absl::StrAppend(&subscripts, d > 0 ? ", " : "", iterators[d], " + ", d == moved ? by : 0);
      return subscripts;
    };
    std::vector<Element> reads;
    v1::Expression value = Literal("0.5");
    for (int d = 0; d < dimensions; ++d) {
      for (const int by : {-1, 1}) {
        reads.push_back({from, place(d, by)});
        value = Add(value, Read(static_cast<int>(reads.size()) - 1));
      }
      builder.Begin(iterators[d], absl::StrCat("1 <= ", iterators[d], " < ", sizes[d], " - 1"));
    }
    builder.Assign({to, place(0, 0)}, reads, value);
    for (int d = 0; d < dimensions; ++d) builder.End();
  }
  v1::Scop scop = builder.End().Build();
  for (v1::Array& array : *scop.mutable_arrays()) array.set_element_type(v1::ELEMENT_TYPE_FLOAT);
  return scop;
}

DeviceFacts Device() {
  DeviceFacts device;
  device.multiprocessors = 132;
  device.max_threads_per_multiprocessor = 2048;
  device.max_blocks_per_multiprocessor = 32;
  device.shared_bytes_per_multiprocessor = 228 << 10;
  return device;
}

std::optional<StreamShape> Shape(const v1::Scop& scop, const testing::Values& values) {
  const auto analysis = Analysis::Make(scop, values).value();
  AnalysedScop analysed(analysis->context, *analysis->scop, analysis->dependences);
  std::optional<StreamShape> shape;
  const auto choose = [&](const StencilSite& site) -> std::optional<v1::Scop> {
    const std::optional<StreamPlan> plan = PlanStream(site.loop, site.scop, site.values);
    std::optional<TileShapes> shapes = TileShapes::Find(site.loop, site.scop, site.dependences, site.values);
    if (plan && shapes) shape = ChooseStreamShape(site.loop, site.scop, *plan, Device(), &*shapes);
    return std::nullopt;
  };
  EXPECT_TRUE(WithStencilLoop(analysed, values, "choosing", choose).ok());
  return shape;
}

// 4 blocks of 256 threads with 64 registers each.
TEST(StreamShapeTest, LinesFillTheDeviceOnce) {
  const std::optional<StreamShape> shape = Shape(Neighbours(2), {{"steps", 100}, {"n", 2800}, {"m", 2800}});
  ASSERT_TRUE(shape.has_value());
  EXPECT_EQ(shape->points, 1);
  EXPECT_EQ(shape->tile.steps, 4);
  EXPECT_EQ(shape->registers, 64);
  EXPECT_EQ(shape->tile.extents, (std::vector<int64_t>{80, 256}));
  EXPECT_EQ(shape->tile.count[0] * shape->tile.count[1], 4 * 132);
}

TEST(StreamShapeTest, LongerLinesHaveTilesOfMoreRows) {
  const std::optional<StreamShape> shape = Shape(Neighbours(2), {{"steps", 100}, {"n", 4000}, {"m", 4800}});
  ASSERT_TRUE(shape.has_value());
  const int64_t blocks = shape->tile.count[0] * shape->tile.count[1];
  EXPECT_LE(blocks, 4 * 132 * ((blocks - 1) / (4 * 132) + 1));
  EXPECT_GE(blocks % (4 * 132) == 0 ? 4 * 132 : blocks % (4 * 132), 4 * 132 - shape->tile.count[1]);
}

TEST(StreamShapeTest, PlanesFitOneBlockOfThreads) {
  const std::optional<StreamShape> shape =
      Shape(Neighbours(3), {{"steps", 100}, {"n", 200}, {"m", 200}, {"l", 200}});
  ASSERT_TRUE(shape.has_value());
  EXPECT_EQ(shape->tile.steps, 1);
  EXPECT_EQ(shape->tile.extents[1] % shape->points, 0);
  EXPECT_LE(shape->tile.extents[1] / shape->points * shape->tile.extents[2], 1024);
  EXPECT_LE(shape->tile.count[0] * shape->tile.count[1] * shape->tile.count[2], 132);
  EXPECT_GT(shape->tile.count[0] * shape->tile.count[1] * shape->tile.count[2], 110);
}

// What rows are narrower than is held whole, without a halo.
TEST(StreamShapeTest, NarrowRowsAreWhole) {
  const std::optional<StreamShape> shape =
      Shape(Neighbours(3), {{"steps", 100}, {"n", 500}, {"m", 24}, {"l", 20}});
  ASSERT_TRUE(shape.has_value());
  EXPECT_EQ(shape->tile.extents[2], 20);
  EXPECT_EQ(shape->tile.count[2], 1);
  EXPECT_EQ(shape->tile.size[2], 18);
}

}  // namespace
}  // namespace tune
