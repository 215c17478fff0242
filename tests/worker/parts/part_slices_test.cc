// What parts of random regions bring back, against going through all instances and elements.
#include "worker/parts/part_slices.h"

#include <gtest/gtest.h>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "common/base/random.h"
#include "tests/worker/parts/divided_programs.h"
#include "tests/worker/parts/division.h"

namespace tune {
namespace {

using testing::Division;

constexpr int kRegions = 48;

int64_t Draw(Random& random, int64_t first, int64_t last) {
  return first + static_cast<int64_t>(random.Below(last - first + 1));
}

// "3 * i + 2 * j + 1".
std::string Subscript(Random& random, int64_t of_outer, int64_t of_inner) {
  return absl::StrCat(of_outer, " * i + ", of_inner, " * j + ", Draw(random, 0, 4));
}

// A write to a vector or to a matrix, along rows or columns.
std::string RandomWrite(Random& random) {
  const int64_t outer = Draw(random, 1, 4), inner = Draw(random, 0, 4);
  switch (random.Below(4)) {
    case 0:
      return absl::StrCat("y[", Subscript(random, outer, 0), "][", Subscript(random, 0, inner), "] = 1;");
    case 1:
      return absl::StrCat("y[", Subscript(random, 0, inner), "][", Subscript(random, outer, 0), "] = 1;");
    default:
      return absl::StrCat("x[", Subscript(random, outer, inner), "] = 1;");
  }
}

std::string RandomRegion(Random& random, int number) {
  const bool backwards = random.Below(4) == 0, few = random.Below(2) == 0;
  const std::string last = few ? absl::StrCat(Draw(random, 2, 4)) : "n";
  const std::string step = absl::StrCat(Draw(random, 1, 2));
  const std::string outer = backwards ? absl::StrCat("for (int i = ", last, " - 1; i >= 0; i -= ", step, ")")
                                      : absl::StrCat("for (int i = 0; i < ", last, "; i += ", step, ")");
  const std::string inner = absl::StrCat("for (int j = ", random.Below(3) == 0 ? "i" : "0",
                                         "; j < m; j += ", Draw(random, 1, 2), ")");
  std::vector<std::string> writes;
  for (uint64_t i = 0; i <= random.Below(2); ++i) writes.push_back(RandomWrite(random));
  return absl::StrCat(
      "void ", backwards ? "backwards" : "forwards", number,
      "(int n, int m, double x[4 * n + 4 * m + 9], double y[4 * n + 4 * m + 9][4 * n + 4 * m + 9]) "
      "{\n#pragma scop\n",
      outer, "\n", inner, " {\n", absl::StrJoin(writes, "\n"), "\n}\n#pragma endscop\n}\n");
}

TEST(PartSlices, BringBackWhatPartsOfRandomRegionsWriteAndNothingOfOthers) {
  Random random(24);
  std::vector<std::string> texts;
  for (int i = 0; i < kRegions; ++i) texts.push_back(RandomRegion(random, i));
  const v1::Extraction extraction = ExtractText(absl::StrJoin(texts, ""));
  ASSERT_EQ(extraction.scops_size(), kRegions);
  int shared = 0, strided = 0;
  for (int i = 0; i < kRegions; ++i) {
    SCOPED_TRACE(texts[i]);
    const v1::Scop& scop = extraction.scops(i);
    const auto divided = DivideRegion(scop);
    if (!divided.ok()) continue;  // iterations write what others do
    const auto region = MakeParametricRegion(divided->part, /*further=*/2);
    ASSERT_TRUE(region.ok()) << region.status();
    const auto slices = SlicesOfPart(scop, *divided, region->scop);
    if (!slices.ok()) {
      EXPECT_TRUE(absl::IsInvalidArgument(slices.status())) << slices.status();
      continue;
    }
    ++shared;
    for (const PartSlice& slice : *slices) {
      for (const PartSlice::Dimension& dimension : slice.dimensions) strided += dimension.stride > 1 ? 1 : 0;
    }
    Division(scop, *divided, *region, *slices)
        .Check({{"n", Draw(random, 4, 6)}, {"m", Draw(random, 4, 6)}}, false);
  }
  EXPECT_GE(shared, kRegions / 4);
  EXPECT_GE(strided, kRegions / 6);
}

}  // namespace
}  // namespace tune
