#include <gtest/gtest.h>

#include "common/scop/outside_access.h"
#include "tests/common/testing/scop_builder.h"

namespace tune {
namespace {

using testing::Read;
using testing::ScopBuilder;

// y[i] = value, of accesses 0: x[i + 1] and 1: c[i], for n = `n` and arrays of 100 elements.
std::string Found(const v1::Expression& value, int64_t n, bool is_pointer = false) {
  v1::Scop scop = ScopBuilder("shift", {"n"}, "n >= 1")
                      .Array("x", {"100"})
                      .Array("c", {"100"})
                      .Array("y", {"100"})
                      .Begin("i", "0 <= i < n")
                      .Assign({"y", "i"}, {{"x", "i + 1"}, {"c", "i"}}, value)
                      .End()
                      .Build();
  v1::Reference reference;
  v1::ParameterValue* parameter = reference.add_parameters();
  parameter->set_name("n");
  parameter->set_value(n);
  for (v1::Array& array : *scop.mutable_arrays()) {
    array.set_is_pointer(is_pointer);
    v1::ArrayExtents* extents = reference.add_arrays();
    extents->set_name(array.name());
    extents->add_extents(100);
  }
  const auto found = FindOutsideAccess(scop, reference);
  EXPECT_TRUE(found.ok()) << found.status();
  return found.value_or("");
}

TEST(OutsideAccess, IsNamedWithItsIteration) {
  EXPECT_EQ(Found(Read(0), 100), "line 1: x[100] of 100 elements, where i = 99");
  EXPECT_EQ(Found(testing::Add(Read(1), Read(0)), 100), "line 1: x[100] of 100 elements, where i = 99");
  EXPECT_EQ(Found(Read(0), 99), "");
}

TEST(OutsideAccess, IsNobodysBusinessWhereDataMayPreventIt) {
  EXPECT_EQ(Found(testing::Operation("?:", {Read(1), Read(0), testing::Literal("1")}), 100), "");
  EXPECT_EQ(Found(testing::Operation("&&", {Read(1), Read(0)}), 100), "");
  EXPECT_EQ(Found(testing::Operation("?:", {Read(0), Read(1), testing::Literal("1")}), 100),
            "line 1: x[100] of 100 elements, where i = 99");
}

// if (c) x[i + 1][0] = 1; of which code of ours makes x[i + 1][0] = c ? 1 : x[i + 1][0]; and x[i + 1][y[i]]
// += c ? 1 : 0.
TEST(OutsideAccess, MayBeAWriteThatDataPrevent) {
  const auto found = [](const std::string& subscripts, bool by_data, int64_t rows) {
    const v1::Expression kept = by_data ? testing::Negate(testing::Literal("0.0")) : Read(1);
    const v1::Expression choice = testing::Operation("?:", {Read(0), testing::Literal("1"), kept});
    ScopBuilder builder("guarded", {}, "");
    builder.Array("x", {std::to_string(rows), "8"}).Array("y", {"10"}).Begin("i", "0 <= i < 10");
    if (by_data) {
      v1::Expression row = testing::Literal("", "long");
      row.set_affine("{ S0[i] -> [(i + 1)] }");
      builder.Update(v1::ADD, {"x", subscripts, "0 <= o < 8"}, {{"y", "i"}},
                     testing::UpdateOf(choice, {row, Read(0, "int")}));
    } else {
      builder.Assign({"x", subscripts}, {{"y", "i"}, {"x", subscripts}}, choice);
    }
    v1::Reference reference;
    v1::ArrayExtents* extents = reference.add_arrays();
    extents->set_name("x");
    extents->add_extents(rows);
    extents->add_extents(8);
    return FindOutsideAccess(builder.End().Build(), reference).value();
  };
  const std::string outside =
      "line 1: x[10][0] of 10 x 8 elements, where i = 9, unless data prevent it, which tuned code does not "
      "wait for";
  EXPECT_EQ(found("i + 1, 0", /*by_data=*/false, 10), outside);
  EXPECT_EQ(found("i + 1, 0", /*by_data=*/false, 11), "");
  EXPECT_EQ(found("i + 1, o", /*by_data=*/true, 10), outside);
  EXPECT_EQ(found("i + 1, o", /*by_data=*/true, 11), "");
}

TEST(OutsideAccess, IsOutsideOfTheWholeArray) {
  const auto found = [](const std::string& subscripts) {
    const v1::Scop scop = ScopBuilder("rows", {}, "")
                              .Array("x", {"10", "8"})
                              .Begin("i", "0 <= i < 10")
                              .Assign({"x", subscripts}, {}, testing::Literal("1"))
                              .End()
                              .Build();
    v1::Reference reference;
    v1::ArrayExtents* extents = reference.add_arrays();
    extents->set_name("x");
    extents->add_extents(10);
    extents->add_extents(8);
    return FindOutsideAccess(scop, reference).value();
  };
  EXPECT_EQ(found("i, 7"), "");
  EXPECT_EQ(found("0, 8i"), "");
  EXPECT_EQ(found("i, 8"), "line 1: x[9][8] of 10 x 8 elements, where i = 9");
  EXPECT_EQ(found("i - 1, 7"), "line 1: x[-1][7] of 10 x 8 elements, where i = 0");
}

TEST(OutsideAccess, IsNotKnownBehindPointers) { EXPECT_EQ(Found(Read(0), 100, /*is_pointer=*/true), ""); }

}  // namespace
}  // namespace tune
