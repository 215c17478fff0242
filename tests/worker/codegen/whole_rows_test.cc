#include "worker/codegen/whole_rows.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/isl/isl.h"
#include "tests/common/testing/scop_builder.h"

namespace tune {
namespace {

using ::testing::ElementsAre;
using ::testing::Pair;

v1::Scop ScopOfRows() {
  return testing::ScopBuilder("rows", {"n", "m"}, "n >= 4 and m >= 4")
      .Array("A", {"m", "n"})
      .Array("points", {"m", "3"})
      .Array("quads", {"m", "6"})
      .Array("s", {})
      .Build();
}

// A row of a known length asks for no more than it has: else no sizes would be those of whole rows.
TEST(WholeRows, DivisorsOfTheLastExtents) {
  v1::Scop scop = ScopOfRows();
  scop.mutable_arrays(0)->set_element_type(v1::ELEMENT_TYPE_DOUBLE);
  for (const int a : {1, 2}) scop.mutable_arrays(a)->set_element_type(v1::ELEMENT_TYPE_FLOAT);
  EXPECT_THAT(RowDivisors(scop), ElementsAre(Pair("A", 2), Pair("points", 1), Pair("quads", 2)));
}

TEST(WholeRows, ParametersThatAreRows) {
  v1::Scop scop = ScopOfRows();
  scop.mutable_arrays(0)->set_element_type(v1::ELEMENT_TYPE_FLOAT);
  IslContext context;
  const isl::set expected(context.ctx(), "[n, m] -> { : n >= 4 and m >= 4 and n mod 4 = 0 }");
  const v1::Scop whole = WithWholeRows(scop);
  EXPECT_TRUE(isl::set(context.ctx(), whole.context()).is_equal(expected)) << whole.context();
}

}  // namespace
}  // namespace tune
