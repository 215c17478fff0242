#include "common/transform/substitution/substitute.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/common/testing/sample_scops.h"
#include "tests/common/transform/expansion/expansion_check.h"

namespace tune {
namespace {

using testing::Add;
using testing::Analysis;
using testing::Literal;
using testing::Multiply;
using testing::Negate;
using testing::Read;
using testing::ScopBuilder;
using testing::Values;

const Values kValues = {{"n", 5}};

// Checks the results, too.
std::optional<v1::Scop> Substituted(const v1::Scop& scop, const std::set<std::string>* only = nullptr) {
  const auto analysis = Analysis::Make(scop, kValues).value();
  const auto result = SubstituteScalars(analysis->context, *analysis->scop, analysis->dependences, only);
  EXPECT_TRUE(result.ok()) << result.status();
  if (!result.ok() || !result->has_value()) return std::nullopt;
  testing::ExpectSameResults(scop, **result, kValues);
  return **result;
}

// t = a[i][k] + a[k][j] in loops over k, i and j.
ScopBuilder ThroughScalar() {
  ScopBuilder builder("via", {"n"}, "n >= 4");
  builder.Array("a", {"n", "n"}).Array("b", {"n", "n"}).Array("t", {}, /*declared_inside=*/true);
  builder.Begin("k", "0 <= k < n").Begin("i", "0 <= i < n").Begin("j", "0 <= j < n").Kill("t");
  builder.Assign({"t", ""}, {{"a", "i, k"}, {"a", "k, j"}}, Add(Read(0), Read(1)));
  return builder;
}

v1::Scop Closed(ScopBuilder& builder) { return builder.End().End().End().Build(); }

TEST(SubstituteTest, TheReaderComputesTheValue) {
  ScopBuilder builder = ThroughScalar();
  builder.Assign({"b", "i, j"}, {{"b", "i, j"}, {"t", ""}}, Add(Read(0), Multiply(Read(1), Literal("0.5"))));
  const std::optional<v1::Scop> result = Substituted(Closed(builder));
  ASSERT_TRUE(result.has_value());
  ASSERT_EQ(result->statements_size(), 1);
  EXPECT_EQ(result->statements(0).name(), "S0");
  EXPECT_EQ(result->statements(0).accesses_size(), 4);
  EXPECT_EQ(result->arrays_size(), 2);
}

// The value reads what the update changes: an update of a value that it is no part of would be something
// else.
TEST(SubstituteTest, UpdatesOfWhatTheValueReadsBecomeAssignments) {
  for (const v1::UpdateOperator update : {v1::MIN, v1::MAX, v1::ADD, v1::MULTIPLY}) {
    ScopBuilder builder = ThroughScalar();
    builder.Update(update, {"a", "i, j"}, {{"t", ""}}, Read(0));
    const std::optional<v1::Scop> result = Substituted(Closed(builder));
    ASSERT_TRUE(result.has_value()) << update;
    EXPECT_EQ(result->statements(0).update(), v1::NONE);
  }
}

TEST(SubstituteTest, UpdatesOfOtherArraysStay) {
  ScopBuilder builder = ThroughScalar();
  builder.Update(v1::ADD, {"b", "i, j"}, {{"t", ""}}, Negate(Read(0)));
  const std::optional<v1::Scop> result = Substituted(Closed(builder));
  ASSERT_TRUE(result.has_value());
  EXPECT_EQ(result->statements(0).update(), v1::ADD);
}

TEST(SubstituteTest, UpdatesOfOtherElementsStay) {
  ScopBuilder builder("splits", {"n"}, "n >= 4");
  builder.Array("a", {"n", "n"}).Array("t", {}, /*declared_inside=*/true);
  builder.Begin("i", "0 <= i < n", /*decreasing=*/true)
      .Begin("j", "i < j < n")
      .Begin("k", "i < k < j")
      .Kill("t");
  builder.Assign({"t", ""}, {{"a", "i, k"}, {"a", "k, j"}}, Add(Read(0), Read(1)));
  builder.Update(v1::MAX, {"a", "i, j"}, {{"t", ""}}, Read(0));
  const std::optional<v1::Scop> result = Substituted(Closed(builder));
  ASSERT_TRUE(result.has_value());
  ASSERT_EQ(result->statements_size(), 1);
  EXPECT_EQ(result->statements(0).update(), v1::MAX);
}

TEST(SubstituteTest, ElementsOfOuterLoops) {
  const auto through_row = [](const std::string& columns) {
    ScopBuilder builder("row", {"n"}, "n >= 4");
    builder.Array("a", {"n", "n"}).Array("t", {}, /*declared_inside=*/true);
    builder.Begin("k", "0 <= k < n").Begin("i", "0 <= i < n and i != k").Kill("t");
    builder.Assign({"t", ""}, {{"a", "i, k"}}, Read(0)).Begin("j", columns);
    builder.Update(v1::ADD, {"a", "i, j"}, {{"t", ""}, {"a", "k, j"}}, Negate(Multiply(Read(0), Read(1))));
    return Closed(builder);
  };
  EXPECT_TRUE(Substituted(through_row("0 <= j < n and j != k")).has_value());
  EXPECT_FALSE(Substituted(through_row("0 <= j < n")).has_value());  // j = k changes it
}

TEST(SubstituteTest, WhatIsWrittenInBetweenStays) {
  ScopBuilder builder = ThroughScalar();
  builder.Assign({"a", "k, j"}, {{"b", "k, j"}}, Read(0));
  builder.Assign({"b", "i, j"}, {{"t", ""}}, Read(0));
  EXPECT_FALSE(Substituted(Closed(builder)).has_value());
}

TEST(SubstituteTest, TwoSettersAndManyReadersStay) {
  ScopBuilder twice = ThroughScalar();
  twice.Assign({"t", ""}, {{"t", ""}}, Multiply(Read(0), Read(0)));
  twice.Assign({"b", "i, j"}, {{"t", ""}}, Read(0));
  EXPECT_FALSE(Substituted(Closed(twice)).has_value());
  ScopBuilder many = ThroughScalar();
  many.Assign({"b", "i, j"}, {{"t", ""}, {"t", ""}, {"t", ""}},
              Multiply(Multiply(Read(0), Read(1)), Read(2)));
  EXPECT_FALSE(Substituted(Closed(many)).has_value());
}

TEST(SubstituteTest, ScalarsOfScalars) {
  ScopBuilder builder("chain", {"n"}, "n >= 4");
  builder.Array("a", {"n"}).Array("b", {"n"});
  builder.Array("s", {}, /*declared_inside=*/true).Array("t", {}, /*declared_inside=*/true);
  builder.Begin("i", "0 <= i < n").Kill("s").Kill("t");
  builder.Assign({"s", ""}, {{"a", "i"}}, Add(Read(0), Literal("1.0")));
  builder.Assign({"t", ""}, {{"s", ""}, {"b", "i"}}, Multiply(Read(0), Read(1)));
  builder.Assign({"b", "i"}, {{"t", ""}}, Negate(Read(0)));
  const std::optional<v1::Scop> result = Substituted(builder.End().Build());
  ASSERT_TRUE(result.has_value());
  EXPECT_EQ(result->statements_size(), 1);
}

// What outlives the region, and what the last iteration left.
TEST(SubstituteTest, LoopsStay) {
  ScopBuilder builder = ThroughScalar();
  builder.Assign({"b", "i, j"}, {{"t", ""}}, Read(0));
  const std::optional<v1::Scop> result = Substituted(Closed(builder));
  ASSERT_TRUE(result.has_value());
  const auto analysis = Analysis::Make(*result, kValues).value();
  EXPECT_EQ(testing::OutermostBands(analysis->scop->schedule), "0/1") << "k alone: " << result->schedule();
}

TEST(SubstituteTest, OnlyThoseThatAreNamed) {
  ScopBuilder builder = ThroughScalar();
  builder.Assign({"b", "i, j"}, {{"t", ""}}, Read(0));
  const v1::Scop scop = Closed(builder);
  const std::set<std::string> own = {"t"}, other = {"s"};
  EXPECT_TRUE(Substituted(scop, &own).has_value());
  EXPECT_FALSE(Substituted(scop, &other).has_value());
}

TEST(SubstituteTest, OfCallsMagnitudesAlone) {
  for (const char* function : {"fabs", "sqrt"}) {
    ScopBuilder builder("call", {"n"}, "n >= 4");
    builder.Array("a", {"n"}).Array("b", {"n"}).Array("t", {}, /*declared_inside=*/true);
    builder.Begin("i", "0 <= i < n").Assign({"t", ""}, {{"a", "i"}}, testing::Call(function, {Read(0)}));
    builder.Assign({"b", "i"}, {{"t", ""}}, Read(0));
    EXPECT_EQ(Substituted(builder.End().Build()).has_value(), std::string(function) == "fabs") << function;
  }
}

TEST(SubstituteTest, OtherScalarsStay) { EXPECT_FALSE(Substituted(testing::ScalarTempScop()).has_value()); }

}  // namespace
}  // namespace tune
