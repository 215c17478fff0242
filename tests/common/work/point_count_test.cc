#include "common/work/point_count.h"

#include <gtest/gtest.h>

#include <string>

#include "absl/strings/str_cat.h"
#include "common/base/random.h"

namespace tune {
namespace {

// The same by going through all points.
int64_t Enumerated(const isl::set& set) {
  int64_t count = 0;
  set.foreach_point([&](const isl::point&) { ++count; });
  return count;
}

std::string Count(const std::string& text) {
  IslContext context;
  std::string count;
  const absl::Status done = context.Run("test", [&] {
    count = IslText(CountPoints(isl::set(context.ctx(), text)));
    return absl::OkStatus();
  });
  return done.ok() ? count : done.ToString();
}

TEST(PointCountTest, LargeSetsAreCountedWithoutGoingThroughThem) {
  EXPECT_EQ(Count("{ [i, j, k] : 0 <= i < 5000 and 0 <= j <= i and 0 <= k < j }"), "20833332500");
  EXPECT_EQ(Count("{ [a, b, c, d, e, f] : 0 <= a < 100 and 0 <= b <= 1000 and 0 <= c < 1000 and 0 <= d < 1000"
                  " and 0 <= e < 3 and 0 <= f < 3 }"),
            "900900000000");
  // 1000 skewed boxes of 499^3.
  EXPECT_EQ(Count("{ [t, i, j, k] : 0 <= t < 1000 and t < i < t + 500 and t + i < j < t + i + 500 and"
                  " t + j < k < t + j + 500 }"),
            "124251499000");
}

TEST(PointCountTest, StridesDivisionsAndUnionsAreExact) {
  EXPECT_EQ(Count("{ [i] : exists a, b : 0 <= a < 50 and 0 <= b < 60 and i = 6a + 10b }"), "435");
  EXPECT_EQ(Count("{ [i, j] : 0 <= i < 100 and 0 <= j < 100 and 2i + 3j = 100 }"), "17");
  EXPECT_EQ(Count("{ [i, j] : (0 <= i < 100 and 0 <= j <= i) or (5 <= i < 100 and 7 <= j < 50) or"
                  " (i = j and 0 <= i < 200) }"),
            "6139");
}

TEST(PointCountTest, NothingOnePointAndInfinity) {
  EXPECT_EQ(Count("{ [i] : 1 = 0 }"), "0");
  EXPECT_EQ(Count("{ [i] : 3 < 2i < 4 }"), "0");
  EXPECT_EQ(Count("{ x[] }"), "1");
  EXPECT_EQ(Count("{ [i] : i >= 0 }"), "infty");
}

// Three coupled dimensions with coefficients, remainders and quotients from seeds.
TEST(PointCountTest, RandomSetsAgreeWithEnumeration) {
  for (uint64_t seed = 0; seed < 150; ++seed) {
    Random random(seed);
    const auto below = [&](int bound) { return static_cast<int>(random.Below(bound)); };
    const auto coefficient = [&] { return below(7) - 3; };
    const auto one = [&] {
      std::string text = "0 <= i < 12 and 0 <= j < 11 and 0 <= k < 13";
      for (int n = below(3); n >= 0; --n) {
        absl::StrAppend(&text, " and ", coefficient(), "i + ", coefficient(), "j + ", coefficient(),
                        "k >= ", below(25) - 15);
      }
      if (below(3) == 0)
        absl::StrAppend(&text, " and (i + ", below(3), "j) mod ", 2 + below(3), " = ", below(2));
      if (below(3) == 0) absl::StrAppend(&text, " and floor((j + k) / ", 2 + below(3), ") <= ", below(6));
      if (below(6) == 0) absl::StrAppend(&text, " and 2i + ", 1 + below(3), "j - k = ", below(9));
      return text;
    };
    std::string text = absl::StrCat("{ [i, j, k] : (", one(), ")");
    if (below(2) == 0) absl::StrAppend(&text, " or (", one(), ")");
    absl::StrAppend(&text, " }");
    SCOPED_TRACE(text);
    IslContext context;
    const absl::Status done = context.Run("test", [&] {
      const isl::set set(context.ctx(), text);
      EXPECT_EQ(IslText(CountPoints(set)), absl::StrCat(Enumerated(set)));
      // Elements that an access reaches: two of the dimensions are forgotten.
      const isl::map access(context.ctx(),
                            absl::StrCat("{ [i, j, k] -> A[", 1 + below(3), "i + ", below(3), "j, k] }"));
      const isl::set elements = set.apply(access);
      EXPECT_EQ(IslText(CountPoints(elements)), absl::StrCat(Enumerated(elements)));
      return absl::OkStatus();
    });
    ASSERT_TRUE(done.ok()) << done;
  }
}

}  // namespace
}  // namespace tune
