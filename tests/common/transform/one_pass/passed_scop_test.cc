#include "common/transform/one_pass/passed_scop.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "tests/common/testing/sample_scops.h"
#include "tests/common/transform/expansion/expansion_check.h"
#include "tests/common/transform/split_sums/integer_sums.h"

namespace tune {
namespace {

using testing::Add;
using testing::Analysis;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::Multiply;
using testing::OfIntegers;
using testing::Read;
using testing::ScopBuilder;
using testing::Values;

struct FoundPair {
  std::unique_ptr<Analysis> analysis;
  isl::schedule schedule;
  isl::set values;
  std::optional<PassPair> pair;
};

FoundPair Find(const v1::Scop& scop, const Values& values) {
  FoundPair found;
  found.analysis = Analysis::Make(scop, values).value();
  Analysis& own = *found.analysis;
  found.schedule = ComputeSchedule(own.context, *own.scop, own.dependences, {}).value();
  found.values = ParameterValues(own.context, values);
  const auto scheduled = SelectKernels(own.context, found.schedule, *own.scop, own.dependences, values,
                                       InnerReductions::kAreKernels);
  EXPECT_TRUE(scheduled.ok()) << scheduled.status();
  found.pair = FindPassPair(**scheduled, *own.scop, found.values);
  return found;
}

std::optional<v1::Scop> Pass(const FoundPair& found, int64_t rows, int64_t most_bytes = 1 << 20) {
  const PassTiles tiles = {rows, (found.pair->row_count + rows - 1) / rows};
  const auto passed = PassScop(found.analysis->context, *found.analysis->scop, found.schedule, *found.pair,
                               tiles, found.values, most_bytes);
  EXPECT_TRUE(passed.ok()) << passed.status();
  return passed.value_or(std::nullopt);
}

void ExpectPassGivesTheSame(const v1::Scop& original, const Values& values, int64_t rows) {
  const v1::Scop scop = OfIntegers(original);
  const FoundPair found = Find(scop, values);
  ASSERT_TRUE(found.pair.has_value());
  const std::optional<v1::Scop> passed = Pass(found, rows);
  ASSERT_TRUE(passed.has_value());
  EXPECT_EQ(passed->arrays_size(), scop.arrays_size() + 1);
  EXPECT_THAT(passed->schedule(), HasSubstr("tile_loops"));
  testing::ExpectSameResults(scop, *passed, values);
}

// r = A x - b; y = A^T r, clears y before and copies it after; `row`: of r in the second product.
v1::Scop Gradient(const std::string& row) {
  return ScopBuilder("gradient", {"n", "m"}, "n >= 0 and m >= 0")
      .Array("A", {"n", "m"})
      .Array("b", {"n"})
      .Array("r", {"n"})
      .Array("x", {"m"})
      .Array("y", {"m"})
      .Array("z", {"m"})
      .Begin("j", "0 <= j < m")
      .Assign({"y", "j"}, {{"z", "j"}}, Read(0))
      .End()
      .Begin("i", "0 <= i < n")
      .Assign({"r", "i"}, {{"b", "i"}}, Read(0))
      .Begin("j", "0 <= j < m")
      .Update(v1::ADD, {"r", "i"}, {{"A", "i, j"}, {"x", "j"}}, Multiply(Read(0), Read(1)))
      .End()
      .End()
      .Begin("i", "0 <= i < n")
      .Begin("j", "0 <= j < m")
      .Update(v1::ADD, {"y", "j"}, {{"A", "i, j"}, {"r", row}}, Multiply(Read(0), Read(1)))
      .End()
      .End()
      .Begin("j", "0 <= j < m")
      .Assign({"z", "j"}, {{"y", "j"}}, Read(0))
      .End()
      .Build();
}

// q = A p and s = A^T r in one nest.
v1::Scop BothProducts() {
  return ScopBuilder("both", {"n", "m"}, "n >= 0 and m >= 0")
      .Array("A", {"n", "m"})
      .Array("p", {"m"})
      .Array("q", {"n"})
      .Array("r", {"n"})
      .Array("s", {"m"})
      .Begin("i", "0 <= i < n")
      .Begin("j", "0 <= j < m")
      .Update(v1::ADD, {"s", "j"}, {{"r", "i"}, {"A", "i, j"}}, Multiply(Read(0), Read(1)))
      .Update(v1::ADD, {"q", "i"}, {{"A", "i, j"}, {"p", "j"}}, Multiply(Read(0), Read(1)))
      .End()
      .End()
      .Build();
}

// Products with the lower triangle, whose columns begin at one.
v1::Scop Triangles() {
  return ScopBuilder("triangles", {"n"}, "n >= 2")
      .Array("A", {"n", "n + 1"})
      .Array("p", {"n + 1"})
      .Array("q", {"n"})
      .Array("r", {"n"})
      .Array("s", {"n + 1"})
      .Begin("i", "0 <= i < n")
      .Begin("j", "1 <= j <= i + 1")
      .Update(v1::ADD, {"q", "i"}, {{"A", "i, j"}, {"p", "j"}}, Multiply(Read(0), Read(1)))
      .End()
      .End()
      .Begin("j", "1 <= j <= n")
      .Begin("i", "j - 1 <= i < n")
      .Update(v1::ADD, {"s", "j"}, {{"r", "i"}, {"A", "i, j"}}, Multiply(Read(0), Read(1)))
      .End()
      .End()
      .Build();
}

TEST(PassedScopTest, SumsOfColumnsThatNeedThoseOfRows) {
  std::mt19937 random(5);
  for (int i = 0; i < 6; ++i) {
    const Values values = {{"n", 5 + random() % 9}, {"m", 4 + random() % 9}};
    ExpectPassGivesTheSame(Gradient("i"), values, 1 + i % 4);
  }
}

TEST(PassedScopTest, SumsThatNeedNothingOfEachOther) {
  std::mt19937 random(6);
  for (int i = 0; i < 6; ++i) {
    const Values values = {{"n", 5 + random() % 9}, {"m", 4 + random() % 9}};
    ExpectPassGivesTheSame(BothProducts(), values, 1 + i % 4);
  }
  EXPECT_TRUE(Find(BothProducts(), {{"n", 9}, {"m", 7}}).pair->apart);
  EXPECT_FALSE(Find(Gradient("i"), {{"n", 9}, {"m", 7}}).pair->apart);
}

TEST(PassedScopTest, RowsAndColumnsOfATriangle) {
  for (const int64_t rows : {1, 3, 4}) ExpectPassGivesTheSame(Triangles(), {{"n", 11}}, rows);
}

TEST(PassedScopTest, WhatAnotherRowGivesIsNotThere) {
  const FoundPair found = Find(OfIntegers(Gradient("n - 1 - i")), {{"n", 9}, {"m", 7}});
  ASSERT_TRUE(found.pair.has_value());
  EXPECT_FALSE(Pass(found, 2).has_value());
}

TEST(PassedScopTest, PartialSumsAreWithinTheLimit) {
  const FoundPair found = Find(OfIntegers(BothProducts()), {{"n", 9}, {"m", 7}});
  ASSERT_TRUE(found.pair.has_value());
  EXPECT_TRUE(Pass(found, 3, 3 * 7 * 4).has_value());
  EXPECT_FALSE(Pass(found, 3, 3 * 7 * 4 - 1).has_value());
}

TEST(PassPairTest, FactsOfAPair) {
  const FoundPair found = Find(OfIntegers(Triangles()), {{"n", 11}});
  ASSERT_TRUE(found.pair.has_value());
  EXPECT_EQ(found.pair->matrix, "A");
  EXPECT_EQ(found.pair->rows.sum, "S0");
  EXPECT_THAT(found.pair->columns.Statements(), ElementsAre("S1"));
  EXPECT_EQ(found.pair->first_row, 0);
  EXPECT_EQ(found.pair->row_count, 11);
  EXPECT_EQ(found.pair->first_column, 1);
  EXPECT_EQ(found.pair->column_count, 11);
  EXPECT_EQ(found.pair->row_bytes, 44);
}

TEST(PassPairTest, OneMatrixInOneDirectionIsNoPair) {
  EXPECT_FALSE(Find(testing::GemmScop(), {{"ni", 5}, {"nj", 6}, {"nk", 7}}).pair.has_value());
}

}  // namespace
}  // namespace tune
