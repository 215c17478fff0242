#include "common/tuned/checked_place.h"

#include <gtest/gtest.h>

namespace tune {
namespace {

TEST(CheckedPlace, HasTheOriginalBehindTheRegion) {
  const std::string region = "  x = tune_s_n;\n#pragma endscop\n";
  const std::string rest =
      "    } else { /* tunectl: the original */\n  x = s.n;\n\n    y = 1;\n"
      "    } /* tunectl: the end of the original */\n  }\n";
  EXPECT_EQ(OriginalBehind(region + rest, static_cast<int64_t>(region.size())), "  x = s.n;\n\n    y = 1;\n");
}

TEST(CheckedPlace, SaysWhereTheOriginalIs) {
  const std::string region = "x = tune_s_n;\n";
  const std::string head = "} else { /* tunectl: the original */\n", original = "  x = s.n;\n";
  const auto begin = static_cast<int64_t>(region.size() + head.size());
  EXPECT_EQ(PlaceOfOriginal(region + head + original + "} /* tunectl: the end of the original */\n",
                            static_cast<int64_t>(region.size())),
            std::pair(begin, begin + static_cast<int64_t>(original.size())));
}

TEST(CheckedPlace, OthersHaveNone) {
  EXPECT_EQ(OriginalBehind("x = 1;\n", 7), std::nullopt);
  EXPECT_EQ(OriginalBehind("x = 1;\n} else {\nx = 2;\n}\n", 7), std::nullopt);
  // Cut off.
  EXPECT_EQ(OriginalBehind("x = 1;\n} else { /* tunectl: the original */\nx = 2;\n", 7), std::nullopt);
}

}  // namespace
}  // namespace tune
