#include "common/transform/turned_sums/turn_sums.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/transform/turned_sums/turned_sums.h"
#include "tests/common/testing/random_scops.h"
#include "tests/common/testing/sample_scops.h"
#include "tests/common/transform/expansion/expansion_check.h"

namespace tune {
namespace {

using testing::Analysis;
using ::testing::ElementsAre;
using testing::Multiply;
using testing::Negate;
using testing::Read;
using testing::ScopBuilder;
using testing::Values;

std::optional<TurnedScop> Turned(const v1::Scop& scop, const Values& values) {
  const auto analysis = Analysis::Make(scop, values).value();
  const auto turned = analysis->context.Run("turning", [&]() -> absl::StatusOr<std::optional<TurnedScop>> {
    return TurnSums(*analysis->scop, analysis->dependences);
  });
  EXPECT_TRUE(turned.ok()) << turned.status();
  return turned.value_or(std::nullopt);
}

// In blocks, as the transformation makes it.
std::optional<v1::Scop> Blocked(const v1::Scop& scop, const Values& values) {
  const auto analysis = Analysis::Make(scop, values).value();
  AnalysedScop analysed(analysis->context, *analysis->scop, analysis->dependences);
  const auto made = TurnedSums().Make(analysed, values, {});
  EXPECT_TRUE(made.ok()) << made.status();
  return made.value_or(std::nullopt);
}

// The same computation of whole numbers, whose sums are equal in any order.
v1::Scop OfIntegers(v1::Scop scop) {
  for (v1::Array& array : *scop.mutable_arrays()) array.set_element_type(v1::ELEMENT_TYPE_LONG);
  return scop;
}

void ExpectSameSums(const v1::Scop& scop, const TurnedScop& turned, const Values& values) {
  testing::ExpectSameResults(OfIntegers(scop), OfIntegers(turned.scop), values);
}

// x[i] += A[i][j] x[j] with the inner loop over `terms`.
ScopBuilder Substitution(const std::string& terms, bool decreasing, bool inner_decreasing = false) {
  return std::move(ScopBuilder("back", {"n"}, "n >= 4")
                       .Array("A", {"n", "n"})
                       .Array("x", {"n"})
                       .Begin("i", "0 <= i < n", decreasing)
                       .Begin("j", terms, inner_decreasing)
                       .Update(v1::ADD, {"x", "i"}, {{"A", "i, j"}, {"x", "j"}}, Multiply(Read(0), Read(1))));
}

TEST(TurnSumsTest, SubstitutionFromTheLastRowUp) {
  const v1::Scop scop = Substitution("i < j < n", /*decreasing=*/true).Build();
  const Values values = {{"n", 6}};
  const std::optional<TurnedScop> turned = Turned(scop, values);
  ASSERT_TRUE(turned.has_value());
  EXPECT_THAT(turned->statements, ElementsAre("S0"));
  EXPECT_THAT(turned->scop.schedule(), ::testing::HasSubstr("S0[i, j] -> [(-j)]"));
  ExpectSameSums(scop, *turned, values);
  // Once is enough.
  EXPECT_FALSE(Turned(turned->scop, values).has_value());
}

// From the first row down with the last term first.
TEST(TurnSumsTest, SubstitutionFromTheFirstRowDown) {
  const Values values = {{"n", 6}};
  const v1::Scop scop = Substitution("0 <= j < i", /*decreasing=*/false, /*inner_decreasing=*/true).Build();
  const std::optional<TurnedScop> turned = Turned(scop, values);
  ASSERT_TRUE(turned.has_value());
  ExpectSameSums(scop, *turned, values);
  EXPECT_FALSE(Turned(Substitution("0 <= j < i", /*decreasing=*/false).Build(), values).has_value());
}

// x[i] = w of a w that starts with b[i]: the loop is turned alone, also where all of it is a matrix that the
// region computed before, row by row.
TEST(TurnSumsTest, WithWhatStandsAroundTheSum) {
  const v1::Scop scop =
      ScopBuilder("solve", {"n"}, "n >= 4")
          .Array("A", {"n", "n"})
          .Array("b", {"n"})
          .Array("w", {"n"})
          .Array("x", {"n"})
          .Begin("i", "0 <= i < n")
          .Begin("j", "0 <= j < n")
          .Assign({"A", "i, j"}, {{"b", "j"}}, Read(0))
          .End()
          .End()
          .Begin("i", "0 <= i < n", /*decreasing=*/true)
          .Assign({"w", "i"}, {{"b", "i"}}, Read(0))
          .Begin("j", "i < j < n")
          .Update(v1::ADD, {"w", "i"}, {{"A", "i, j"}, {"x", "j"}}, Negate(Multiply(Read(0), Read(1))))
          .End()
          .Assign({"x", "i"}, {{"w", "i"}}, Read(0))
          .Build();
  const Values values = {{"n", 5}};
  const std::optional<TurnedScop> turned = Turned(scop, values);
  ASSERT_TRUE(turned.has_value());
  EXPECT_THAT(turned->statements, ElementsAre("S2"));
  ExpectSameSums(scop, *turned, values);
}

TEST(TurnSumsTest, WhatReadsTheSumSoFarKeepsItsOrder) {
  const auto scop = [](const std::string& subscript) {
    return Substitution("i < j < n", /*decreasing=*/true)
        .Array("s", {"n"})
        .Assign({"s", subscript}, {{"x", subscript}}, Read(0))
        .Build();
  };
  EXPECT_FALSE(Turned(scop("i"), {{"n", 6}}).has_value());  // s[i] = x[i], after each term
  EXPECT_TRUE(Turned(scop("j"), {{"n", 6}}).has_value());   // s[j] = x[j], which is known
}

// Two operands, which are computed in two orders.
TEST(TurnSumsTest, OperandsThatDisagree) {
  const v1::Scop scop =
      ScopBuilder("both", {"n"}, "n >= 4")
          .Array("x", {"n"})
          .Array("y", {"2 * n"})
          .Begin("i", "0 <= i < n", /*decreasing=*/true)
          .Begin("j", "i < j < n")
          .Update(v1::ADD, {"x", "i"}, {{"y", "n + i - j"}, {"x", "j"}}, Multiply(Read(0), Read(1)))
          .End()
          .Assign({"y", "n - i"}, {{"x", "i"}}, Read(0))
          .Build();
  const std::optional<TurnedScop> turned = Turned(scop, {{"n", 6}});
  if (turned) ExpectSameSums(scop, *turned, {{"n", 6}});
}

TEST(TurnSumsTest, OtherOperatorsThanSums) {
  const v1::Scop assigned = ScopBuilder("last", {"n"}, "n >= 4")
                                .Array("x", {"n"})
                                .Begin("i", "0 <= i < n", /*decreasing=*/true)
                                .Begin("j", "i < j < n")
                                .Assign({"x", "i"}, {{"x", "j"}}, Read(0))
                                .Build();
  EXPECT_FALSE(Turned(assigned, {{"n", 6}}).has_value());
}

TEST(TurnSumsTest, SampleAndRandomScopsKeepTheirResults) {
  for (const testing::SampleScop& sample : testing::SampleScops()) {
    SCOPED_TRACE(sample.name);
    const v1::Scop scop = sample.make();
    const std::optional<TurnedScop> turned = Turned(scop, sample.small);
    if (turned) ExpectSameSums(scop, *turned, sample.small);
  }
  for (uint64_t seed = 300; seed < 330; ++seed) {
    SCOPED_TRACE(seed);
    const v1::Scop scop = testing::MakeRandomScop(seed);
    const std::optional<TurnedScop> turned = Turned(scop, {{"n", 7}});
    if (turned) ExpectSameSums(scop, *turned, {{"n", 7}});
  }
}

TEST(TurnedSumsTest, RunInBlocks) {
  const v1::Scop scop = Substitution("i < j < n", /*decreasing=*/true).Build();
  const std::optional<v1::Scop> blocked = Blocked(scop, {{"n", 100}});
  ASSERT_TRUE(blocked.has_value());
  EXPECT_EQ(blocked->statements_size(), 2);  // in the block's own rows, and in all above
  // Nothing to turn, and too few iterations for blocks.
  EXPECT_FALSE(Blocked(Substitution("0 <= j < i", /*decreasing=*/false).Build(), {{"n", 100}}).has_value());
  EXPECT_FALSE(Blocked(scop, {{"n", 40}}).has_value());
}

}  // namespace
}  // namespace tune
