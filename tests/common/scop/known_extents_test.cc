#include "common/scop/known_extents.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/common/testing/scop_builder.h"

namespace tune {
namespace {

using ::testing::ElementsAre;
using ::testing::Pair;

TEST(KnownExtents, AreNumbersAtTheParameters) {
  v1::Scop scop = testing::ScopBuilder("sizes", {"n"}, "n >= 1")
                      .Array("A", {"n + 1", "(2) * n"})
                      .Array("s", {})
                      .Array("unknown", {"n", "ROWS"})
                      .Array("open", {"n", "4"})
                      .Build();
  v1::Extent* const first = scop.mutable_arrays(3)->mutable_extents(0);
  first->clear_c_expression();
  first->set_accessed("[n] -> { [(n - 1)] }");
  IslContext context;
  const auto known = KnownExtents(context, scop, {{"n", 5}});
  ASSERT_TRUE(known.ok()) << known.status();
  EXPECT_THAT(*known, ElementsAre(Pair("A", ElementsAre(6, 10)), Pair("open", ElementsAre(4, 4)),
                                  Pair("s", ElementsAre())));
}

}  // namespace
}  // namespace tune
