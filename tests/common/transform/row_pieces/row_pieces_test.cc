#include "common/transform/row_pieces/row_pieces.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/common/program/program_texts.h"
#include "tests/common/transform/sample_kernels.h"

namespace tune {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using testing::MakeKernel;
using testing::Offered;

const DeviceFacts kRowPiecesDevice = testing::H200Options().device;

// 2000 lines, each of which is a recurrence along a row, or along a column.
Kernel Lines(bool along_rows) {
  Kernel kernel = MakeKernel({true, false}, {2000, 2000});
  kernel.read_only_arrays = {"A"};
  kernel.bands[0].words_read = {2, 2};
  kernel.bands[0].along_rows = {false, along_rows};
  return kernel;
}

TEST(RowPieces, AreAskedWhereLoopsLoadAheadAlongRows) {
  EXPECT_THAT(Offered(Lines(true), kRowPiecesDevice, "k.row_pieces"), ElementsAre("off", "on"));
  EXPECT_THAT(Offered(Lines(false), kRowPiecesDevice, "k.row_pieces"), IsEmpty());
  EXPECT_THAT(Offered(Lines(true), kRowPiecesDevice, "k.row_pieces", {{"k.ahead", "off"}}), IsEmpty());
}

TEST(RowPieces, AreOnByDefault) {
  EXPECT_TRUE(testing::Default(Lines(true)).Get<RowPieces>().on);
  EXPECT_FALSE(testing::Default(Lines(false)).Get<RowPieces>().on);
  EXPECT_FALSE(testing::Plan(Lines(true), {{"k.row_pieces", "off"}}).Get<RowPieces>().on);
}

TEST(RowPieces, AKernelThatHasThemWithoutBeingToldIsRefused) {
  const auto check = [](const KernelPlan& plan, const std::string& element) {
    const Kernel kernel;
    const Decisions together;
    const v1::Scop scop;
    const std::vector<DeviceArray> arrays;
    const HelperNames names;
    const KernelPass pass{kernel, plan, together, scop, arrays, names};
    return PiecesOfRows().Check(
        pass, testing::KernelOf("kernel f of k\n  body\n    for i = 0; i < n; i += 1, ahead 4\n      " +
                                element + "\n"));
  };
  const KernelPlan on = testing::Default(Lines(true)), off = testing::Default(Lines(false));
  EXPECT_EQ(check(on, "fetch x[i], width 4"), absl::OkStatus());
  EXPECT_EQ(check(off, "fetch x[i]"), absl::OkStatus());
  EXPECT_EQ(check(off, "fetch x[i], width 4").code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_EQ(check(off, "collect x[i]").code(), absl::StatusCode::kFailedPrecondition);
}

}  // namespace
}  // namespace tune
