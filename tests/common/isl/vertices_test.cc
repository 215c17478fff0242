#include "common/isl/vertices.h"

#include <gtest/gtest.h>

#include <set>

namespace tune {
namespace {

TEST(Vertices, OfATriangleByItsParameter) {
  IslContext context;
  std::set<std::string> places;
  for (const Vertex& vertex :
       VerticesOf(isl::basic_set(context.ctx(), "[n] -> { [i, j] : 0 <= i <= j <= n and n >= 0 }"))) {
    places.insert(IslText(vertex.place));
    EXPECT_TRUE(isl::set(vertex.domain).params().is_subset(isl::set(context.ctx(), "[n] -> { : n >= 0 }")));
  }
  EXPECT_EQ(places, (std::set<std::string>{"[n] -> { [(0), (0)] }", "[n] -> { [(0), (n)] }",
                                           "[n] -> { [(n), (n)] }"}));
}

TEST(Vertices, OfNothingAreNone) {
  IslContext context;
  EXPECT_TRUE(VerticesOf(isl::basic_set(context.ctx(), "{ [i] : 1 <= i <= 0 }")).empty());
}

}  // namespace
}  // namespace tune
