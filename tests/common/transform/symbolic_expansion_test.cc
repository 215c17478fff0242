#include "common/transform/symbolic_expansion.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/common/testing/sample_scops.h"
#include "tests/common/transform/expansion/expansion_check.h"

namespace tune {
namespace {

using testing::Add;
using testing::Read;
using testing::ScopBuilder;
using testing::Values;

const v1::Array* ArrayNamed(const v1::Scop& scop, const std::string& name) {
  for (const v1::Array& array : scop.arrays()) {
    if (array.name() == name) return &array;
  }
  return nullptr;
}

std::string CountsOf(const v1::Scop& scop, const std::string& name) {
  const v1::Array* const array = ArrayNamed(scop, name);
  if (array == nullptr) return "none";
  std::string text;
  for (const v1::Extent& extent : array->extents()) absl::StrAppend(&text, extent.accessed(), ";");
  return text;
}

// Sums of rows in a scalar, which is a local variable or outlives the region, of a triangle that begins at
// row `first`.
v1::Scop SumsOfRows(bool local, const std::string& first) {
  return ScopBuilder("rows", {"n", "m"}, "n >= 4 and m >= 0")
      .Array("x", {"n", "n"})
      .Array("y", {"n"})
      .Array("s", {}, local)
      .Begin("i", first + " <= i < n")
      .Assign({"s", ""}, {{"y", "i"}}, Read(0))
      .Begin("j", "0 <= j <= i")
      .Update(v1::ADD, {"s", ""}, {{"x", "i, j"}}, Read(0))
      .End()
      .Assign({"y", "i"}, {{"s", ""}}, Read(0))
      .Build();
}

TEST(SymbolicExpansion, IsRightForAllSizes) {
  for (const bool local : {false, true}) {
    for (const char* const first : {"0", "2", "m"}) {
      const v1::Scop scop = SumsOfRows(local, first);
      const auto expanded = ExpandForAllSizes(scop);
      ASSERT_TRUE(expanded.ok()) << expanded.status();
      EXPECT_EQ(ArrayNamed(*expanded, "s") == nullptr, local);
      for (const Values& values :
           {Values{{"n", 4}, {"m", 0}}, Values{{"n", 9}, {"m", 3}}, Values{{"n", 5}, {"m", 7}}})
        testing::ExpectSameResults(scop, *expanded, values);
    }
  }
}

TEST(SymbolicExpansion, CountsCopiesInTermsOfTheParameters) {
  const auto from_zero = ExpandForAllSizes(SumsOfRows(true, "0"));
  ASSERT_TRUE(from_zero.ok());
  EXPECT_EQ(CountsOf(*from_zero, "s_copies"), "[n, m] -> { [(n)] };");
  const auto from_two = ExpandForAllSizes(SumsOfRows(true, "2"));
  ASSERT_TRUE(from_two.ok());
  EXPECT_EQ(CountsOf(*from_two, "s_copies"), "[n, m] -> { [(-2 + n)] };");
}

// Distances between each two of n points, which are added up for one of them, or stored for each two.
TEST(SymbolicExpansion, IsNoLargerThanTheProgram) {
  for (const bool stores : {false, true}) {
    ScopBuilder builder("distances", {"n"}, "n >= 4");
    builder.Array("x", {"n"})
        .Array("f", {"n"})
        .Array("all", {"n", "n"})
        .Array("d", {}, /*local=*/true)
        .Array("e", {}, /*local=*/true);
    builder.Begin("i", "0 <= i < n").Begin("j", "0 <= j < n");
    builder.Assign({"d", ""}, {{"x", "i"}, {"x", "j"}}, Add(Read(0), Read(1)));
    builder.Assign({"e", ""}, {{"d", ""}}, Add(Read(0), Read(0)));
    if (stores) builder.Assign({"all", "i, j"}, {{"x", "i"}}, Read(0));
    const v1::Scop scop = builder.Update(v1::ADD, {"f", "i"}, {{"e", ""}}, Read(0)).Build();
    const auto expanded = ExpandForAllSizes(scop);
    ASSERT_TRUE(expanded.ok()) << expanded.status();
    const std::string n = "[n] -> { [(n)] };";
    EXPECT_EQ(CountsOf(*expanded, "d_copies"), stores ? n + n : n);
    testing::ExpectSameResults(scop, *expanded, {{"n", 7}});
  }
}

TEST(SymbolicExpansion, LeavesArraysOfTheProgramAlone) {
  const v1::Scop scop = ScopBuilder("buffer", {"n"}, "n >= 4")
                            .Array("x", {"n", "n"})
                            .Array("row", {"n"})
                            .Begin("i", "0 <= i < n")
                            .Begin("j", "0 <= j < n")
                            .Assign({"row", "j"}, {{"x", "i, j"}}, Read(0))
                            .End()
                            .Begin("j", "1 <= j < n")
                            .Assign({"x", "i, j"}, {{"row", "j"}, {"row", "j - 1"}}, Add(Read(0), Read(1)))
                            .Build();
  const auto expanded = ExpandForAllSizes(scop);
  ASSERT_TRUE(expanded.ok()) << expanded.status();
  EXPECT_EQ(expanded->arrays_size(), scop.arrays_size());
}

TEST(SymbolicExpansion, CountsElementsOfLocalArrays) {
  const v1::Scop scop = ScopBuilder("local", {"n"}, "n >= 4")
                            .Array("x", {"n", "n"})
                            .Array("row", {"n"}, /*local=*/true)
                            .Begin("i", "0 <= i < n")
                            .Begin("j", "0 <= j < n - 1")
                            .Assign({"row", "j"}, {{"x", "i, j"}}, Read(0))
                            .End()
                            .Begin("j", "1 <= j < n - 1")
                            .Assign({"x", "i, j"}, {{"row", "j"}, {"row", "j - 1"}}, Add(Read(0), Read(1)))
                            .Build();
  const auto expanded = ExpandForAllSizes(scop);
  ASSERT_TRUE(expanded.ok()) << expanded.status();
  EXPECT_EQ(CountsOf(*expanded, "row_copies"), "[n] -> { [(n)] };[n] -> { [(-1 + n)] };");
  for (const int64_t n : {4, 9}) testing::ExpectSameResults(scop, *expanded, {{"n", n}});
}

}  // namespace
}  // namespace tune
