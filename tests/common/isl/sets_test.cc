#include "common/isl/sets.h"

#include <gtest/gtest.h>

#include "common/isl/isl.h"

namespace tune {
namespace {

int PiecesOf(IslContext& context, const std::string& text) {
  const isl::set set(context.ctx(), text);
  const isl::set found = InOnePiece(set);
  EXPECT_TRUE(found.is_equal(set)) << text;
  return PieceCount(found);
}

TEST(InOnePiece, OfWhatIsConvex) {
  IslContext context;
  EXPECT_EQ(PiecesOf(context, "[b] -> { [i] : 0 < i <= 79 and 0 <= b <= 1; [i] : b = 0 and 80 <= i <= 81 }"),
            1);
  EXPECT_EQ(PiecesOf(context, "{ [i] : 0 <= i < 4; [i] : 4 <= i < 9 }"), 1);
  EXPECT_EQ(PiecesOf(context, "{ [i, j] : 0 <= j <= i < 9 }"), 1);
}

TEST(InOnePiece, NotOfWhatHasHoles) {
  IslContext context;
  EXPECT_EQ(PiecesOf(context, "{ [i] : 0 <= i < 4; [i] : 6 <= i < 9 }"), 2);
  EXPECT_EQ(PiecesOf(context, "{ [0, 0]; [5, 1]; [1, 5]; [7, 7]; [3, 9] }"), 5);  // more than are tried
}

}  // namespace
}  // namespace tune
