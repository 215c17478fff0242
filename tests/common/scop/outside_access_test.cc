#include "common/scop/outside_access.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

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

// x[i + 1] = 1, and y[c[i]] += 1 under a condition, for i < 10.
TEST(OutsideAccess, IsKnownWhereMemoryEnds) {
  const auto found = [](const KnownMemory& memory) {
    v1::Scop scop = ScopBuilder("shift", {}, "")
                        .Array("x", {""})
                        .Begin("i", "0 <= i < 10")
                        .Assign({"x", "i + 1"}, {}, testing::Literal("1"))
                        .End()
                        .Build();
    scop.mutable_arrays(0)->set_is_pointer(true);
    scop.mutable_arrays(0)->mutable_extents(0)->set_accessed("{ [(11)] }");
    v1::Reference reference;
    v1::ArrayExtents* extents = reference.add_arrays();
    extents->set_name("x");
    extents->add_extents(11);
    return FindOutsideAccess(scop, reference, memory).value();
  };
  EXPECT_EQ(found({}), "");
  EXPECT_EQ(found({{"y", 3}}), "");
  EXPECT_EQ(found({{"x", 11}}), "");
  EXPECT_EQ(found({{"x", 10}}), "line 1: x[10] of 10 elements, where i = 9");
  EXPECT_EQ(found({{"x", 7}}), "line 1: x[7] of 7 elements, where i = 6");
}

TEST(OutsideAccess, ArraysThatDataMayLeave) {
  v1::Scop scop =
      ScopBuilder("data", {}, "")
          .Array("x", {"11"})
          .Array("y", {"4", "8"})
          .Array("c", {"10"})
          .Array("t", {"6"}, /*declared_inside=*/true)
          .Begin("i", "0 <= i < 10")
          .Assign({"x", "i + 1"}, {{"c", "i"}, {"x", "i + 1"}},
                  testing::Operation("?:", {Read(0), testing::Literal("1"), Read(1)}))
          .Update(v1::ADD, {"y", "1, o", "0 <= o < 8"}, {{"c", "i"}},
                  testing::UpdateOf(testing::Literal("1"), {testing::Literal("1", "int"), Read(0, "int")}))
          .Update(v1::ADD, {"t", "o", "0 <= o < 6"}, {{"c", "i"}},
                  testing::UpdateOf(testing::Literal("1"), {Read(0, "int")}))
          .End()
          .Build();
  const auto names = [&](int64_t length) {
    v1::Reference reference;
    const auto add = [&](const std::string& name, std::vector<int64_t> lengths) {
      v1::ArrayExtents* extents = reference.add_arrays();
      extents->set_name(name);
      extents->mutable_extents()->Add(lengths.begin(), lengths.end());
    };
    add("x", {length});
    add("y", {4, 8});
    add("c", {10});
    std::vector<std::string> found;
    const auto doubtful = FindDoubtfulArrays(scop, reference);
    EXPECT_TRUE(doubtful.ok()) << doubtful.status();
    if (!doubtful.ok()) return found;
    for (const DoubtfulArray& array : *doubtful)
      found.push_back(
          absl::StrCat(array.name, " ", array.elements, array.by_subscript ? " by subscript" : ""));
    return found;
  };
  EXPECT_THAT(names(11), ::testing::ElementsAre("t 6 by subscript", "y 32 by subscript"));
  EXPECT_THAT(names(10), ::testing::ElementsAre("t 6 by subscript", "x 10", "y 32 by subscript"));
}

TEST(OutsideAccess, IsNotKnownBehindPointers) { EXPECT_EQ(Found(Read(0), 100, /*is_pointer=*/true), ""); }

}  // namespace
}  // namespace tune
