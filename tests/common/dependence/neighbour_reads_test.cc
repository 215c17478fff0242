#include "common/dependence/neighbour_reads.h"

#include <gtest/gtest.h>

#include <array>
#include <set>
#include <vector>

#include "absl/strings/str_cat.h"
#include "common/base/random.h"

namespace tune {
namespace {

using Offset = std::array<int, 2>;

int MapCount(const isl::union_map& relations) {
  int count = 0;
  relations.foreach_map([&](const isl::map&) { ++count; });
  return count;
}

// Of statement S at the element (i, j) of step t mod 2, and neighbours; each under a tag of its own.
isl::union_map Reads(IslContext& context, const std::vector<Offset>& offsets,
                     const std::string& instances = "0 < i < n and 0 < j < n") {
  isl::union_map reads = isl::union_map::empty(context.ctx());
  for (const Offset& offset : offsets) {
    const std::string text =
        absl::StrCat("[n] -> { [S[t, i, j] -> S_ref", MapCount(reads), "[]] -> A[t mod 2, i + ", offset[0],
                     ", j + ", offset[1], "] : 0 <= t < n and ", instances, " }");
    reads = reads.unite(isl::union_map(context.ctx(), text));
  }
  return reads;
}

std::vector<Offset> Square(int radius) {
  std::vector<Offset> offsets;
  for (int i = -radius; i <= radius; ++i) {
    for (int j = -radius; j <= radius; ++j) offsets.push_back({i, j});
  }
  return offsets;
}

// The same elements by the same instances, and how many relations these are.
int MergedCount(const isl::union_map& reads) {
  const isl::union_map merged = WithMergedNeighbours(reads);
  EXPECT_TRUE(merged.domain_factor_domain().is_equal(reads.domain_factor_domain())) << merged;
  EXPECT_TRUE(merged.domain().is_subset(reads.domain()));
  return MapCount(merged);
}

TEST(NeighbourReadsTest, ABoxIsOneRead) {
  IslContext context;
  EXPECT_EQ(MergedCount(Reads(context, Square(3))), 1);
}

TEST(NeighbourReadsTest, ACrossIsThree) {
  IslContext context;
  std::vector<Offset> cross;
  for (int d = -12; d <= 12; ++d) {
    cross.push_back({0, d});
    if (d != 0) cross.push_back({d, 0});
  }
  EXPECT_EQ(MergedCount(Reads(context, cross)), 3);
}

TEST(NeighbourReadsTest, FewReadsAndThoseOfOtherArraysStay) {
  IslContext context;
  EXPECT_EQ(MergedCount(Reads(context, Square(2))), 25);
  const isl::union_map others(
      context.ctx(), "[n] -> { [S[t, i, j] -> S_ref90[]] -> B[i, j]; [T[] -> T_ref0[]] -> A[0, 0, 0] }");
  EXPECT_EQ(MergedCount(Reads(context, Square(3)).unite(others)), 3);
}

// Of instances, of functions, or of elements that data decide.
TEST(NeighbourReadsTest, ReadsOfAnotherKindStay) {
  for (const char* const other :
       {"{ [S[t, i, j] -> S_ref90[]] -> A[t mod 2, i, j + 4] : 0 <= t, i, j < 9 }",
        "{ [S[t, i, j] -> S_ref90[]] -> A[t mod 2, 2i, j] }", "{ [S[t, i, j] -> S_ref90[]] -> A[0, i, j] }",
        "{ [S[t, i, j] -> S_ref90[]] -> A[a, b, c] : 0 <= a, b, c < 5 }"}) {
    IslContext context;
    EXPECT_EQ(MergedCount(Reads(context, Square(3)).unite(isl::union_map(context.ctx(), other))), 2) << other;
  }
}

TEST(NeighbourReadsTest, RandomNeighbours) {
  Random random(11);
  for (int round = 0; round < 20; ++round) {
    std::set<Offset> offsets;
    while (offsets.size() < kManyNeighbours + 5)
      offsets.insert({static_cast<int>(random.Below(9)) - 4, static_cast<int>(random.Below(9)) - 4});
    IslContext context;
    const isl::union_map reads = Reads(context, {offsets.begin(), offsets.end()}, "i = 3 and 0 < j < n");
    EXPECT_LT(MergedCount(reads), static_cast<int>(offsets.size()));
  }
}

// One element that is read twice.
TEST(NeighbourReadsTest, ReadsOfOneElement) {
  IslContext context;
  std::vector<Offset> offsets = Square(3);
  offsets.push_back({1, 1});
  EXPECT_EQ(MergedCount(Reads(context, offsets)), 1);
}

}  // namespace
}  // namespace tune
