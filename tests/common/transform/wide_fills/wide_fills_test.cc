#include "common/transform/wide_fills/wide_fills.h"

#include <gtest/gtest.h>

#include "absl/strings/str_cat.h"
#include "tests/common/program/program_texts.h"
#include "tests/common/transform/sample_kernels.h"

namespace tune {
namespace {

// The width at which a tile of A is filled.
int64_t WidthOf(std::vector<int64_t> extents, const std::string& tile, const std::string& fill,
                const std::string& loads = "", v1::ElementType type = v1::ELEMENT_TYPE_FLOAT) {
  DeviceKernel kernel = testing::KernelOf(absl::StrCat(
      "kernel f of k\n  array 0", loads, "\n  tile ", type == v1::ELEMENT_TYPE_FLOAT ? "float" : "double",
      " A_shared0", tile, ", shared\n  body\n    fill\n", "      tile A_shared0, ", fill, "\n"));
  DeviceArray array;
  array.name = array.scop_name = "A";
  array.type = type;
  array.extents = std::move(extents);
  const std::vector<DeviceArray> arrays = {array};
  const Kernel of = testing::MakeKernel({true}, {100});
  const KernelPlan plan = testing::Default(of);
  const Decisions together;
  const v1::Scop scop;
  const HelperNames names;
  WideFills().Apply({of, plan, together, scop, arrays, names}, &kernel);
  return kernel.body[0].As<Fill>()->tiles[0].width;
}

constexpr char kTile[] = "[64][16], of A, row 16";
constexpr char kFill[] = "from [64 * b][16 * c], before no no, behind yes yes";

TEST(WideFills, AreOfSixteenBytes) {
  EXPECT_EQ(WidthOf({2000, 2600}, kTile, kFill), 4);
  EXPECT_EQ(WidthOf({2000, 2600}, kTile, kFill, "", v1::ELEMENT_TYPE_DOUBLE), 2);
  EXPECT_EQ(WidthOf({2600}, "[16], of A, row 16", "from [16 * c], before no, behind yes"), 4);
}

TEST(WideFills, RowsAndFirstElementsAreMultiples) {
  EXPECT_EQ(WidthOf({2000, 2602}, kTile, kFill), 2);
  EXPECT_EQ(WidthOf({2000, 2601}, kTile, kFill), 1);
  EXPECT_EQ(WidthOf({2000, 2600}, "[64][18], of A, row 18", kFill), 2);
  EXPECT_EQ(WidthOf({2000, 2600}, "[64][16], of A, row 17", kFill), 1);
  EXPECT_EQ(WidthOf({2000, 2600}, kTile, "from [64 * b][16 * c - 1], before no yes, behind yes yes"), 1);
  EXPECT_EQ(WidthOf({2000, 2600}, kTile, "from [64 * b][16 * c + 2], before no no, behind yes yes"), 2);
  // The end of the only row needs to be one where some copy may meet it.
  EXPECT_EQ(WidthOf({2601}, "[16], of A, row 16", "from [16 * c], before no, behind yes"), 1);
  EXPECT_EQ(WidthOf({2601}, "[16], of A, row 16", "from [16 * c], before no, behind no"), 4);
}

TEST(WideFills, TexturesAndHintsAreForElements) {
  EXPECT_EQ(WidthOf({2000, 2600}, kTile, kFill, ", loads texture"), 1);
  EXPECT_EQ(WidthOf({2000, 2600}, kTile, kFill, ", loads streaming"), 1);
  EXPECT_EQ(WidthOf({2000, 2600}, kTile, kFill, ", loads plain"), 4);
}

}  // namespace
}  // namespace tune
