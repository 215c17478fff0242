// What is expanded, what is not, and how the expanded scop looks.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "common/transform/expansion/expansion.h"
#include "tests/common/testing/sample_scops.h"
#include "tests/common/transform/expansion/expansion_check.h"

namespace tune {
namespace {

using testing::Analysis;
using ::testing::ElementsAre;
using testing::ExpectExpansionsKeepResults;
using ::testing::HasSubstr;
using testing::Literal;
using testing::Multiply;
using testing::Read;
using testing::ScopBuilder;
using testing::Values;

const Values kSmall = {{"n", 5}};

ScopBuilder Builder(bool local = false) {
  ScopBuilder builder("rules", {"n"}, "n >= 1");
  builder.Array("s", {}, local).Array("a", {"n + 2"}).Array("b", {"n + 2"}).Array("t", {"n + 2"}, local);
  return builder;
}

v1::Scop ExpandAll(const v1::Scop& scop, const Values& values) {
  const auto analysis = Analysis::Make(scop, values).value();
  return analysis->Expand(analysis->Find().value()).value();
}

// Relations of all accesses to `array`.
std::vector<std::string> Relations(const v1::Scop& scop, const std::string& array) {
  std::vector<std::string> relations;
  for (const v1::Statement& statement : scop.statements()) {
    for (const v1::Access& access : statement.accesses()) {
      if (access.array() == array) relations.push_back(access.relation());
    }
  }
  return relations;
}

std::vector<std::string> ArrayNames(const v1::Scop& scop) {
  std::vector<std::string> names;
  for (const v1::Array& array : scop.arrays()) names.push_back(array.name());
  return names;
}

TEST(ExpansionRulesTest, AnAccumulatorIsNotExpandedAlongItsLoop) {
  const v1::Scop scop = Builder()
                            .Assign({"s", ""}, {}, Literal("0.0"))
                            .Begin("i", "0 <= i < n")
                            .Update(v1::ADD, {"s", ""}, {{"a", "i"}}, Read(0))
                            .End()
                            .Build();
  EXPECT_EQ(ExpectExpansionsKeepResults(scop, kSmall), "");
}

TEST(ExpansionRulesTest, AnAccumulatorInsideALoopIsExpandedAlongThatLoopOnly) {
  const Values values = {{"n", 4}, {"m", 3}};
  const v1::Scop scop = WithParameterFacts(testing::ScalarTempScop(), values);  // some j exists
  EXPECT_EQ(ExpectExpansionsKeepResults(scop, values), "s 1 32");
  const v1::Scop expanded = ExpandAll(scop, values);
  EXPECT_THAT(Relations(expanded, "s_copies"),
              ElementsAre("[n, m] -> { S0[i] -> s_copies[i] }", "[n, m] -> { S1[i, j] -> s_copies[i] }",
                          "[n, m] -> { S2[i] -> s_copies[i] }", "[n, m] -> { S3[] -> s_copies[-1 + n] }"));
  EXPECT_THAT(Relations(expanded, "s"), ElementsAre("[n, m] -> { S3[] -> s[] }"));
}

TEST(ExpansionRulesTest, FlowCarriedByTheOuterLoopIsRefused) {
  // s of one iteration is read in the next.
  const v1::Scop scop = Builder()
                            .Assign({"s", ""}, {}, Literal("1.0"))
                            .Begin("i", "0 <= i < n")
                            .Assign({"b", "i"}, {{"s", ""}}, Read(0))
                            .Assign({"s", ""}, {{"a", "i"}}, Read(0))
                            .End()
                            .Build();
  EXPECT_EQ(ExpectExpansionsKeepResults(scop, kSmall), "");
}

TEST(ExpansionRulesTest, ReadsOfUndefinedElementsAreRefused) {
  // t[n] is never written.
  const v1::Scop scop = Builder(/*local=*/true)
                            .Begin("i", "0 <= i < n")
                            .Begin("j", "0 <= j < n")
                            .Assign({"t", "j"}, {{"a", "i"}}, Read(0))
                            .End()
                            .Begin("j", "0 <= j < n")
                            .Update(v1::ADD, {"b", "i"}, {{"t", "j + 1"}}, Read(0))
                            .End()
                            .End()
                            .Build();
  EXPECT_EQ(ExpectExpansionsKeepResults(scop, kSmall), "");
}

TEST(ExpansionRulesTest, EntryValuesAreCopiedIn) {
  // The same with an array of the caller's: t[n] has a value.
  const v1::Scop scop = Builder()
                            .Begin("i", "0 <= i < n")
                            .Begin("j", "0 <= j < n")
                            .Assign({"t", "j"}, {{"a", "i"}}, Read(0))
                            .End()
                            .Begin("j", "0 <= j < n")
                            .Update(v1::ADD, {"b", "i"}, {{"t", "j + 1"}}, Read(0))
                            .End()
                            .End()
                            .Build();
  EXPECT_EQ(ExpectExpansionsKeepResults(scop, kSmall), "t 1 240");
}

TEST(ExpansionRulesTest, ValuesOverwrittenBeforeTheyAreReadElsewhereAreRenamed) {
  // The reads of the next element, which are of entry values, get a copy.
  const v1::Scop scop =
      Builder().Begin("i", "0 <= i < n").Update(v1::ADD, {"a", "i"}, {{"a", "i + 1"}}, Read(0)).End().Build();
  EXPECT_EQ(ExpectExpansionsKeepResults(scop, kSmall), "a 0 48");
  const auto before = Analysis::Make(scop, {{"n", 100}}).value();
  const auto after = Analysis::Make(ExpandAll(scop, {{"n", 100}}), {{"n", 100}}).value();
  EXPECT_EQ(testing::ScheduledBands(*before), "0/1");
  EXPECT_EQ(testing::ScheduledBands(*after), "1/1 1/1");
}

TEST(ExpansionRulesTest, LiveRangesOfOneScalarAreSplit) {
  const v1::Scop scop = Builder(/*local=*/true)
                            .Begin("i", "0 <= i < n")
                            .Assign({"s", ""}, {{"a", "i"}}, Read(0))
                            .Assign({"b", "i"}, {{"s", ""}}, Read(0))
                            .End()
                            .Begin("i", "0 <= i <= n", /*decreasing=*/true)
                            .Assign({"s", ""}, {{"b", "i"}}, Read(0))
                            .Begin("j", "0 <= j < n")
                            .Update(v1::MULTIPLY, {"s", ""}, {{"a", "j"}}, Read(0))
                            .End()
                            .Assign({"a", "i + 1"}, {{"s", ""}}, Read(0))
                            .End()
                            .Build();
  // Two ranges, n and n + 1 elements; a is read and written by the second nest.
  EXPECT_EQ(ExpectExpansionsKeepResults(scop, kSmall), "s 1 88");
  const v1::Scop expanded = ExpandAll(scop, kSmall);
  EXPECT_THAT(ArrayNames(expanded), ElementsAre("a", "b", "t", "s_copies", "s_copies_1"));
  // Loops that count down are numbered as in the source.
  EXPECT_THAT(Relations(expanded, "s_copies_1"),
              ElementsAre("[n] -> { S2[i] -> s_copies_1[i] }", "[n] -> { S3[i, j] -> s_copies_1[i] }",
                          "[n] -> { S4[i] -> s_copies_1[i] }"));
}

TEST(ExpansionRulesTest, LoopsThatCarryNothingGetNoDimension) {
  // t[i] has one use for each i and all j: only j needs copies.
  const v1::Scop scop = ScopBuilder("inner", {"n"}, "n >= 1")
                            .Array("t", {"n"}, true)
                            .Array("A", {"n", "n"})
                            .Begin("i", "0 <= i < n")
                            .Begin("j", "2 <= j < n")
                            .Assign({"t", "i"}, {{"A", "i, j"}}, Multiply(Read(0), Read(0)))
                            .Assign({"A", "i, j"}, {{"t", "i"}}, Read(0))
                            .End()
                            .End()
                            .Build();
  EXPECT_EQ(ExpectExpansionsKeepResults(scop, kSmall), "t 2 120");
  const v1::Scop expanded = ExpandAll(scop, kSmall);
  EXPECT_THAT(Relations(expanded, "t_copies"), ElementsAre("[n] -> { S0[i, j] -> t_copies[-2 + j, i] }",
                                                           "[n] -> { S1[i, j] -> t_copies[-2 + j, i] }"));
  EXPECT_THAT(ArrayNames(expanded), ElementsAre("A", "t_copies"));
}

TEST(ExpansionRulesTest, IndicesStartAtTheLoopsFirstValue) {
  const v1::Scop scop = ScopBuilder("offset", {"m", "n"}, "n >= m")
                            .Array("s", {}, true)
                            .Array("A", {"n"})
                            .Begin("i", "m <= i < n and i mod 2 = 0")
                            .Assign({"s", ""}, {{"A", "i"}}, Multiply(Read(0), Read(0)))
                            .Assign({"A", "i"}, {{"s", ""}}, Read(0))
                            .End()
                            .Build();
  EXPECT_EQ(ExpectExpansionsKeepResults(scop, {{"m", 3}, {"n", 9}}), "s 1 40");
}

TEST(ExpansionRulesTest, TheLastWriterOfAnElementIsFoundInTriangles) {
  const v1::Scop scop = Builder()
                            .Begin("i", "0 <= i < n")
                            .Begin("j", "i <= j < n - 1")
                            .Assign({"t", "j - i"}, {{"a", "j"}}, Multiply(Read(0), Literal("0.5")))
                            .Update(v1::ADD, {"b", "i"}, {{"t", "j - i"}}, Read(0))
                            .End()
                            .End()
                            .Build();
  EXPECT_EQ(ExpectExpansionsKeepResults(scop, kSmall), "t 1 128");
}

TEST(ExpansionRulesTest, NamesInUseAreAvoided) {
  const v1::Scop scop = ScopBuilder("names", {"n"}, "n >= 1")
                            .Array("s", {})
                            .Array("s_copies", {"n"})
                            .Begin("s_copies_1", "0 <= s_copies_1 < n")
                            .Assign({"s", ""}, {{"s_copies", "s_copies_1"}}, Multiply(Read(0), Read(0)))
                            .Assign({"s_copies", "s_copies_1"}, {{"s", ""}}, Read(0))
                            .End()
                            .Build();
  EXPECT_EQ(ExpectExpansionsKeepResults(scop, kSmall), "s 1 40");
  EXPECT_THAT(ArrayNames(ExpandAll(scop, kSmall)), ElementsAre("s", "s_copies", "s_copies_2"));
}

TEST(ExpansionRulesTest, ParametersNamedLikeIteratorsAreTheirOwn) {
  const v1::Scop scop = ScopBuilder("names", {"c0", "c_1"}, "c0 >= 1 and c_1 >= 1")
                            .Array("t", {"c0"})
                            .Array("A", {"c0", "c_1"})
                            .Begin("i", "0 <= i < c_1")
                            .Begin("j", "0 <= j < c0")
                            .Assign({"t", "j"}, {{"A", "j, i"}}, Multiply(Read(0), Read(0)))
                            .Assign({"A", "j, i"}, {{"t", "j"}}, Read(0))
                            .End()
                            .End()
                            .Build();
  EXPECT_EQ(ExpectExpansionsKeepResults(scop, {{"c0", 3}, {"c_1", 4}}), "t 1 96");
}

TEST(ExpansionRulesTest, StatementsWithoutInstancesDoNotHinder) {
  const v1::Scop scop = Builder()
                            .Begin("i", "0 <= i < n")
                            .Assign({"s", ""}, {{"a", "i"}}, Read(0))
                            .Begin("j", "2 <= j < 1")
                            .Update(v1::ADD, {"s", ""}, {{"a", "j"}}, Read(0))
                            .End()
                            .Assign({"b", "i"}, {{"s", ""}}, Read(0))
                            .End()
                            .Build();
  EXPECT_EQ(ExpectExpansionsKeepResults(scop, kSmall), "s 1 40");
}

TEST(ExpansionRulesTest, OnlyElementsWithEntryValuesAreCopiedIn) {
  // One statement reads a written element and one that only has its entry value.
  const v1::Scop scop = Builder()
                            .Begin("i", "0 <= i < n")
                            .Assign({"t", "1"}, {{"a", "i"}}, Read(0))
                            .Begin("j", "0 <= j < 2")
                            .Update(v1::ADD, {"b", "i"}, {{"t", "j"}, {"t", "1"}}, Multiply(Read(0), Read(1)))
                            .End()
                            .End()
                            .Build();
  EXPECT_EQ(ExpectExpansionsKeepResults(scop, kSmall), "t 1 80");
  EXPECT_THAT(ExpandAll(scop, kSmall).statements(2).domain(), "[n] -> { S2[c0, c1 = 0] : 0 <= c0 < n }");
}

// Two loops around a scalar.
v1::Scop TwoLoops(bool local = false) {
  return ScopBuilder("two", {"n"}, "n >= 1")
      .Array("s", {}, local)
      .Array("A", {"n", "n"})
      .Begin("i", "0 <= i < n")
      .Begin("j", "0 <= j < n")
      .Assign({"s", ""}, {{"A", "i, j"}}, Multiply(Read(0), Read(0)))
      .Assign({"A", "i, j"}, {{"s", ""}}, Read(0))
      .End()
      .End()
      .Build();
}

TEST(ExpansionRulesTest, ASmallerDepthCanBeChosen) {
  const v1::Scop scop = TwoLoops(/*local=*/true);
  const auto analysis = Analysis::Make(scop, kSmall).value();
  EXPECT_EQ(testing::Print(analysis->Find().value()), "s 2 200");
  const auto outer =
      ExpandableAtDepth(analysis->context, *analysis->scop, analysis->dependences, "s", 1, kSmall);
  ASSERT_TRUE(outer.ok()) << outer.status();
  EXPECT_EQ(testing::Print({*outer}), "s 1 40");
  const auto expanded = analysis->Expand({*outer});
  ASSERT_TRUE(expanded.ok()) << expanded.status();
  testing::ExpectSameResults(scop, *expanded, kSmall);
  // What is left of it is found again.
  EXPECT_EQ(ExpectExpansionsKeepResults(*expanded, kSmall), "s_copies 2 200");
}

TEST(ExpansionRulesTest, BytesSaturate) {
  for (const auto& [n, text] : std::map<int64_t, std::string>{
           {100'000, "s 2 80000000000"},
           {int64_t{1} << 40, absl::StrCat("s 2 ", std::numeric_limits<int64_t>::max())}}) {
    const auto analysis = Analysis::Make(TwoLoops(), {{"n", n}}).value();
    const auto found = analysis->Find().value();
    EXPECT_EQ(testing::Print(found), text);
    EXPECT_GT(found.at(0).bytes, kLargestExpansion);
  }
}

TEST(ExpansionRulesTest, WrongRequestsAreErrors) {
  const auto analysis = Analysis::Make(TwoLoops(), kSmall).value();
  const auto absent = analysis->Expand({{"A", 2}});
  EXPECT_EQ(absent.status().code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(std::string(absent.status().message()), HasSubstr("\"A\""));
  EXPECT_EQ(analysis->Expand({{"nowhere", 1}}).status().code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_EQ(analysis->Expand({{"s", 0}}).status().code(), absl::StatusCode::kFailedPrecondition);
  const auto twice = analysis->Expand({{"s", 2}, {"s", 1}});
  EXPECT_EQ(twice.status().code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(std::string(twice.status().message()), HasSubstr("twice"));
  analysis->values.clear();
  EXPECT_EQ(analysis->Find().status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(analysis->Expand({}).status().code(), absl::StatusCode::kInvalidArgument);
}

}  // namespace
}  // namespace tune
