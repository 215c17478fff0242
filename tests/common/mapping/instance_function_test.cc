#include "common/mapping/instance_function.h"

#include <gtest/gtest.h>

namespace tune {
namespace {

// In two spaces, of which one has two pieces and one a division.
isl::union_pw_aff Value(const isl::ctx& ctx) {
  return isl::union_pw_aff(
      ctx,
      "[n] -> { S[i, j] -> [(i + j)] : i < 5; S[i, j] -> [(i - n)] : i >= 7; T[i] -> [(floor((i)/3))] }");
}

TEST(InstanceFunction, WhereEqualHoldsPieceByPiece) {
  IslContext context;
  const absl::Status status = context.Run("test", [&]() -> absl::Status {
    const isl::union_set expected(context.ctx(),
                                  "[n, p] -> { S[i, j] : i < 5 and i + j = p; S[i, j] : i >= 7 and i - n = p;"
                                  " T[i] : 3p <= i <= 3p + 2 }");
    EXPECT_TRUE(WhereEqual(Value(context.ctx()), "p").is_equal(expected));
    // A parameter that the value has already.
    const isl::union_set same(context.ctx(),
                              "[n] -> { S[i, j] : i < 5 and i + j = n; S[i, j] : i >= 7 and i = 2n;"
                              " T[i] : 3n <= i <= 3n + 2 }");
    EXPECT_TRUE(WhereEqual(Value(context.ctx()), "n").is_equal(same));
    return absl::OkStatus();
  });
  EXPECT_TRUE(status.ok()) << status;
}

TEST(InstanceFunction, MinusMultipleKeepsPiecesAndDomains) {
  IslContext context;
  const absl::Status status = context.Run("test", [&]() -> absl::Status {
    const isl::union_pw_aff expected(
        context.ctx(),
        "[n, p] -> { S[i, j] -> [(i + j - 8p)] : i < 5; S[i, j] -> [(i - n - 8p)] : i >= 7;"
        " T[i] -> [(floor((i)/3) - 8p)] }");
    EXPECT_TRUE(MinusMultiple(Value(context.ctx()), 8, "p").as_union_map().is_equal(expected.as_union_map()));
    return absl::OkStatus();
  });
  EXPECT_TRUE(status.ok()) << status;
}

// Counted from the start of a tile, a value has the remainder and the quotient that it has itself.
TEST(InstanceFunction, PlacesInATileAreThoseOfTheValue) {
  IslContext context;
  const absl::Status status = context.Run("test", [&]() -> absl::Status {
    const isl::union_pw_aff value(context.ctx(), "{ S[i] -> [(i)] }");
    const isl::union_set tile = WhereEqual(FloorDiv(value, 12), "b");  // { S } of block b
    const isl::union_pw_aff inside = MinusMultiple(value, 12, "b");
    const auto same = [&](const isl::union_pw_aff& from_start, const isl::union_pw_aff& of_value) {
      return from_start.as_union_map().intersect_domain(tile).is_equal(
          of_value.as_union_map().intersect_domain(tile));
    };
    EXPECT_TRUE(same(Modulo(inside, 4), Modulo(value, 4)));
    EXPECT_TRUE(same(FloorDiv(inside, 4), FloorDiv(Modulo(value, 12), 4)));
    EXPECT_FALSE(same(inside, value));
    return absl::OkStatus();
  });
  EXPECT_TRUE(status.ok()) << status;
}

}  // namespace
}  // namespace tune
