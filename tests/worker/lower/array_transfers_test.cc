#include "worker/lower/array_transfers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/array/element_type.h"
#include "tests/common/testing/scop_builder.h"

namespace tune {
namespace {

using testing::Element;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using testing::Literal;
using testing::Read;
using testing::ScopBuilder;

// The transfers of the arrays of a scop with n = 10, by name; `extents`: of all arrays.
std::map<std::string, ArrayTransfer> Transfers(const v1::Scop& scop,
                                               const std::map<std::string, std::vector<int64_t>>& extents) {
  IslContext context;
  const auto parsed = ParseScop(context, scop).value();
  const Dependences dependences = ComputeDependences(context, *parsed).value();
  std::vector<DeviceArray> arrays;
  for (const v1::Array& array : scop.arrays()) {
    DeviceArray& added = arrays.emplace_back();
    added.scop_name = added.name = array.name();
    added.type = array.element_type();
    added.extents = extents.at(array.name());
    added.local = array.declared_inside();
  }
  const auto transfers = FindTransfers(context, *parsed, dependences, {{"n", 10}}, arrays);
  EXPECT_TRUE(transfers.ok()) << transfers.status();
  std::map<std::string, ArrayTransfer> by_name;
  for (size_t i = 0; transfers.ok() && i < arrays.size(); ++i) by_name[arrays[i].name] = (*transfers)[i];
  return by_name;
}

ArraySlice Slice(int64_t offset, int64_t width, int64_t rows = 1, int64_t pitch = 0, int64_t planes = 1,
                 int64_t plane = 0) {
  return {offset, width, rows, pitch, planes, plane};
}

// For all i, j of `condition`: a[target] = b[source], of doubles.
v1::Scop Copy(const std::string& condition_i, const std::string& condition_j, const std::string& target,
              const std::string& source) {
  ScopBuilder builder("copy", {"n"}, "n >= 1");
  builder.Array("a", {"n", "n"}).Array("b", {"n", "n"});
  builder.Begin("i", condition_i).Begin("j", condition_j);
  builder.Assign(Element{"a", target}, {Element{"b", source}}, Read(0));
  builder.End().End();
  return builder.Build();
}

const std::map<std::string, std::vector<int64_t>> kSquares = {{"a", {10, 10}}, {"b", {10, 10}}};

TEST(ArraySlice, WholeArraysAreOnePiece) {
  const auto transfers = Transfers(Copy("0 <= i < n", "0 <= j < n", "i, j", "j, i"), kSquares);
  EXPECT_THAT(transfers.at("a").out, ElementsAre(Slice(0, 800)));
  EXPECT_EQ(transfers.at("a").in, ArraySlice());  // all of it is written
  EXPECT_EQ(transfers.at("b").in, Slice(0, 800));
  EXPECT_THAT(transfers.at("b").out, IsEmpty());
}

TEST(ArraySlice, PartsOfRows) {
  const auto transfers = Transfers(Copy("2 <= i < 5", "1 <= j < 4", "i, j", "i, j"), kSquares);
  EXPECT_THAT(transfers.at("a").out, ElementsAre(Slice((2 * 10 + 1) * 8, 3 * 8, 3, 80)));
  EXPECT_EQ(transfers.at("a").in, ArraySlice());
  EXPECT_EQ(transfers.at("b").in, Slice((2 * 10 + 1) * 8, 3 * 8, 3, 80));
}

// Reading is one piece where little lies between; writing never touches what lies between.
TEST(ArraySlice, NearlyWholeRows) {
  const auto transfers = Transfers(Copy("0 <= i < n", "1 <= j < n", "i, j", "i, j"), kSquares);
  EXPECT_THAT(transfers.at("a").out, ElementsAre(Slice(8, 9 * 8, 10, 80)));
  EXPECT_EQ(transfers.at("b").in, Slice(8, 99 * 8));
}

// What is not written of the box must be there to be fetched.
TEST(ArraySlice, TrianglesAreCopiedInAsWell) {
  const auto transfers = Transfers(Copy("0 <= i < n", "0 <= j <= i", "i, j", "i, j"), kSquares);
  EXPECT_THAT(transfers.at("a").out, ElementsAre(Slice(0, 800)));
  EXPECT_EQ(transfers.at("a").in, Slice(0, 800));
}

// What is read makes a box of two columns, and what is written lacks its corner: all that lies between comes
// back, and has to be there.
TEST(ArraySlice, ColumnsThatComeBackWithWhatLiesBetween) {
  ScopBuilder builder("columns", {"n"}, "n >= 1");
  builder.Array("a", {"n", "n"});
  builder.Begin("i", "1 <= i < n").Assign({"a", "i, 0"}, {{"a", "i - 1, 0"}}, Read(0)).End();
  builder.Begin("i", "0 <= i < n").Assign({"a", "i, 1"}, {{"a", "i, 0"}}, Read(0)).End();
  const auto transfers = Transfers(builder.Build(), {{"a", {10, 10}}});
  EXPECT_THAT(transfers.at("a").out, ElementsAre(Slice(8, 91 * 8)));
  EXPECT_EQ(transfers.at("a").in, Slice(0, 92 * 8));
}

// The box of a secondary diagonal reaches beyond its first and last elements.
TEST(ArraySlice, NothingBeforeTheFirstOrAfterTheLastElement) {
  const auto transfers = Transfers(Copy("0 <= i < n", "j = n - 1 - i", "i, j", "i, j"), kSquares);
  EXPECT_THAT(transfers.at("a").out, ElementsAre(Slice(9 * 8, 82 * 8)));
  EXPECT_EQ(transfers.at("a").in, Slice(9 * 8, 82 * 8));
}

// As of `i > 0 ? b[i - 1][j] : 0`.
TEST(ArraySlice, WhatTheArrayDoesNotHaveIsLeftOut) {
  const auto before = Transfers(Copy("0 <= i < n", "0 <= j < n", "i, j", "i - 1, j"), kSquares);
  EXPECT_EQ(before.at("b").in, Slice(0, 720));
  const auto behind = Transfers(Copy("0 <= i < n", "0 <= j < n", "i, j", "i + 2, j"), kSquares);
  EXPECT_EQ(behind.at("b").in, Slice(160, 640));
}

TEST(ArraySlice, ThreeDimensions) {
  ScopBuilder builder("copy", {"n"}, "n >= 1");
  builder.Array("a", {"n", "n", "n"});
  builder.Begin("i", "1 <= i < 3").Begin("j", "2 <= j < 5").Begin("k", "1 <= k < 3");
  builder.Assign(Element{"a", "i, j, k"}, {}, Literal("1.0"));
  builder.End().End().End();
  const auto transfers = Transfers(builder.Build(), {{"a", {10, 10, 10}}});
  EXPECT_THAT(transfers.at("a").out, ElementsAre(Slice((100 + 20 + 1) * 8, 2 * 8, 3, 80, 2, 800)));
}

// a[i][k] of structures of 8, of which another array has the places 0, 3 and 4, for 0 <= i < n and the
// `places`.
v1::Scop Members(const std::string& condition, const std::string& places) {
  ScopBuilder builder("members", {"n"}, "n >= 1");
  builder.Array("a", {"n", "8"});
  builder.Begin("i", condition).Begin("k", places);
  builder.Assign(Element{"a", "i, k"}, {}, Literal("1.0"));
  builder.End().End();
  v1::Scop scop = builder.Build();
  v1::Array& array = *scop.mutable_arrays(0);
  array.set_object("structures");
  for (const auto& [first, count] : {std::pair(0, 1), std::pair(3, 2)}) {
    v1::Places* places_of_others = array.mutable_structure()->add_others();
    places_of_others->set_first(first);
    places_of_others->set_count(count);
  }
  return scop;
}

// What another array has between them does not come back.
TEST(ArraySlice, MembersOfOneTypeComeBackAlone) {
  const auto some = Transfers(Members("0 <= i < n", "(k = 1 or k = 5)"), {{"a", {10, 8}}});
  EXPECT_THAT(some.at("a").out, ElementsAre(Slice(8, 8, 10, 64), Slice(40, 8, 10, 64)));
  EXPECT_EQ(some.at("a").in, ArraySlice());
  // Between 5 and 7 is nothing of another array: it comes back as it went.
  const auto all = Transfers(Members("2 <= i < n", "(k = 1 or k = 2 or k = 5 or k = 7)"), {{"a", {10, 8}}});
  EXPECT_THAT(all.at("a").out, ElementsAre(Slice((16 + 1) * 8, 16, 8, 64), Slice((16 + 5) * 8, 24, 8, 64)));
  EXPECT_EQ(all.at("a").in, Slice((16 + 5) * 8, 24, 8, 64));
}

// As an array with a corner that is not its first element: all structures between, at these places.
TEST(ArraySlice, MembersThatAreNoBox) {
  ScopBuilder builder("members", {"n"}, "n >= 1");
  builder.Array("a", {"n", "n", "2"});
  builder.Begin("i", "0 <= i < n").Begin("j", "j = n - 1 - i");
  builder.Assign(Element{"a", "i, j, 1"}, {}, Literal("1.0"));
  builder.End().End();
  v1::Scop scop = builder.Build();
  scop.mutable_arrays(0)->set_object("structures");
  scop.mutable_arrays(0)->mutable_structure()->add_others()->set_count(1);
  const auto transfers = Transfers(scop, {{"a", {10, 10, 2}}});
  EXPECT_THAT(transfers.at("a").out, ElementsAre(Slice((9 * 2 + 1) * 8, 8, 82, 16)));
  EXPECT_EQ(transfers.at("a").in, Slice((9 * 2 + 1) * 8, (81 * 2 + 1) * 8));
}

TEST(ArraySlice, NothingOfLocals) {
  ScopBuilder builder("local", {"n"}, "n >= 1");
  builder.Array("t", {"n"}, /*declared_inside=*/true).Array("a", {"n"});
  builder.Begin("i", "0 <= i < n");
  builder.Assign(Element{"t", "i"}, {}, Literal("1.0"));
  builder.Update(v1::ADD, Element{"a", "i"}, {Element{"t", "i"}}, Read(0));
  builder.End();
  const auto transfers = Transfers(builder.Build(), {{"t", {10}}, {"a", {10}}});
  EXPECT_EQ(transfers.at("t").in, ArraySlice());
  EXPECT_THAT(transfers.at("t").out, IsEmpty());
  EXPECT_EQ(transfers.at("a").in, Slice(0, 80));
  EXPECT_THAT(transfers.at("a").out, ElementsAre(Slice(0, 80)));
}

}  // namespace
}  // namespace tune
