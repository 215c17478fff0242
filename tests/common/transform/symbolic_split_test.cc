#include "common/transform/symbolic_split.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/common/testing/sample_scops.h"
#include "tests/common/transform/expansion/expansion_check.h"
#include "tests/common/transform/split_sums/integer_sums.h"

namespace tune {
namespace {

using testing::Analysis;
using testing::Multiply;
using testing::Read;
using testing::ScopBuilder;
using testing::Values;

std::optional<SymbolicSplit> SplitAt(const v1::Scop& scop, const Values& counted, Analysis* analysis) {
  AnalysedScop analysed(analysis->context, *analysis->scop, analysis->dependences);
  auto split = SplitAtSymbols(analysed, counted);
  EXPECT_TRUE(split.ok()) << split.status();
  return split.ok() ? *std::move(split) : std::nullopt;
}

// C += A A' below the diagonal, where each sum has m terms.
v1::Scop Triangle(const std::string& terms) {
  return ScopBuilder("triangle", {"n", "m"}, "n >= 1 and m >= 1")
      .Array("A", {"n", "m"})
      .Array("C", {"n", "n"})
      .Begin("i", "0 <= i < n")
      .Begin("j", "0 <= j <= i")
      .Begin("k", terms)
      .Update(v1::ADD, {"C", "i, j"}, {{"A", "i, k"}, {"A", "j, k"}}, Multiply(Read(0), Read(1)))
      .End()
      .End()
      .End()
      .Build();
}

// With one part, which has all additions, it is another form of the scop; with several that are told the same
// numbers each of them would have all.
void ExpectOnePartGivesTheSame(const v1::Scop& scop, Values values, int64_t additions) {
  const auto analysis = Analysis::Make(scop, values).value();
  const auto split = SplitAt(scop, values, analysis.get());
  ASSERT_TRUE(split.has_value());
  EXPECT_EQ(split->scop.arrays_size(), scop.arrays_size() + 1);
  values[split->first] = 0;
  values[split->count] = additions;
  values[split->parts] = 1;
  const auto allowed = ContextAllows(split->scop, values);
  EXPECT_TRUE(allowed.ok() && *allowed);
  const v1::Reference reference = testing::MakeReference(split->scop, values);
  testing::Memory inputs = testing::MakeInputs(split->scop, reference, 3);
  testing::Memory expected, found = inputs;
  for (const v1::Array& array : scop.arrays()) expected[array.name()] = inputs.at(array.name());
  ASSERT_TRUE(testing::Interpret(scop, testing::MakeReference(scop, values), expected).ok());
  ASSERT_TRUE(testing::Interpret(split->scop, reference, found).ok());
  for (const auto& [name, memory] : expected) EXPECT_TRUE(found.at(name) == memory) << name;

  values[split->count] = additions + 1;
  EXPECT_FALSE(*ContextAllows(split->scop, values)) << "an addition that is not there";
  values[split->count] = 1;
  values[split->first] = 1;
  EXPECT_FALSE(*ContextAllows(split->scop, values)) << "in the middle of a tile";
}

TEST(SymbolicSplitTest, OnePartOfAProductGivesTheSame) {
  ExpectOnePartGivesTheSame(testing::OfIntegers(testing::GemmScop()), {{"ni", 4}, {"nj", 5}, {"nk", 37}}, 37);
}

TEST(SymbolicSplitTest, OnePartOfATriangleGivesTheSame) {
  ExpectOnePartGivesTheSame(testing::OfIntegers(Triangle("0 <= k < m")), {{"n", 6}, {"m", 40}}, 40);
}

TEST(SymbolicSplitTest, AdditionsThatBeginElsewhereAreNotSplit) {
  const Values values = {{"n", 6}, {"m", 40}};
  const v1::Scop scop = Triangle("2 <= k < m");
  const auto analysis = Analysis::Make(scop, values).value();
  EXPECT_FALSE(SplitAt(scop, values, analysis.get()).has_value());
}

// D = A B; C = D D': the first product's parts stand before all else, and those of the second could not.
TEST(SymbolicSplitTest, PartsThatWaitForOthersAreNotSplit) {
  ScopBuilder builder("late", {"n"}, "n >= 1");
  builder.Array("A", {"n"}).Array("D", {"n", "n"}).Array("C", {"n", "n"});
  builder.Begin("i", "0 <= i < n").Begin("j", "0 <= j < n");
  builder.Assign({"D", "i, j"}, {{"A", "j"}}, Read(0));
  builder.End().End();
  builder.Begin("i", "0 <= i < n").Begin("j", "0 <= j < n").Begin("k", "0 <= k < n");
  builder.Update(v1::ADD, {"C", "i, j"}, {{"D", "i, k"}, {"D", "j, k"}}, Multiply(Read(0), Read(1)));
  builder.End().End().End();
  const v1::Scop scop = builder.Build();
  const auto analysis = Analysis::Make(scop, {{"n", 40}}).value();
  EXPECT_FALSE(SplitAt(scop, {{"n", 40}}, analysis.get()).has_value());
}

TEST(SymbolicSplitTest, RowsColumnsAndAdditionsFollowFromTheParameters) {
  const Values values = {{"n", 6}, {"m", 40}};
  const v1::Scop scop = Triangle("0 <= k < m");
  const auto analysis = Analysis::Make(scop, values).value();
  const auto split = SplitAt(scop, values, analysis.get());
  ASSERT_TRUE(split.has_value());
  const auto at = [&](const isl::pw_aff& count, const Values& sizes) {
    return count.intersect_params(ParameterValues(analysis->context, sizes)).max_val().num_si();
  };
  EXPECT_EQ(at(split->rows, {{"n", 17}, {"m", 3}}), 17);
  EXPECT_EQ(at(split->columns, {{"n", 17}, {"m", 3}}), 17);
  EXPECT_EQ(at(split->additions, {{"n", 17}, {"m", 3}}), 3);
}

}  // namespace
}  // namespace tune
