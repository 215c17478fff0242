#include "common/transform/blocked_loops/block_loops.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/common/testing/random_scops.h"
#include "tests/common/testing/sample_scops.h"
#include "tests/common/transform/blocked_loops/blocked_kernels.h"

namespace tune {
namespace {

using testing::Analysis;
using testing::BlockedKernelNames;
using testing::Divide;
using ::testing::ElementsAre;
using testing::Multiply;
using testing::Negate;
using testing::Read;
using testing::ScopBuilder;
using testing::Values;

constexpr int64_t kSmall = 4;  // iterations of a block

std::optional<v1::Scop> Blocked(const v1::Scop& scop, const Values& values, int64_t size = kSmall) {
  const auto analysis = Analysis::Make(scop, values).value();
  AnalysedScop analysed(analysis->context, *analysis->scop, analysis->dependences);
  const auto blocked = BlockLoops(analysed, values, size);
  EXPECT_TRUE(blocked.ok()) << blocked.status();
  return blocked.value_or(std::nullopt);
}

std::vector<std::string> Domains(const v1::Scop& scop) {
  std::vector<std::string> domains;
  for (const v1::Statement& statement : scop.statements()) domains.push_back(statement.domain());
  return domains;
}

// x[i] = (x[i] - sum of L[i][j] x[j]) / L[i][i], upwards or downwards.
v1::Scop TriangularSolve(bool decreasing) {
  return ScopBuilder("solve", {"n"}, "n >= 4")
      .Array("L", {"n", "n"})
      .Array("x", {"n"})
      .Begin("i", "0 <= i < n", decreasing)
      .Begin("j", decreasing ? "i < j < n" : "0 <= j < i", decreasing)
      .Update(v1::ADD, {"x", "i"}, {{"L", "i, j"}, {"x", "j"}}, Negate(Multiply(Read(0), Read(1))))
      .End()
      .Assign({"x", "i"}, {{"x", "i"}, {"L", "i, i"}}, Divide(Read(0), Read(1)))
      .End()
      .Build();
}

// The diagonal tile; the columns and rows beside it; what is behind it, below and above the diagonal.
TEST(BlockLoopsTest, Factorisation) {
  const Values values = {{"n", 11}};
  const v1::Scop scop = testing::TriangularScop();
  const std::optional<v1::Scop> blocked = Blocked(scop, values);
  ASSERT_TRUE(blocked.has_value());
  EXPECT_THAT(
      Domains(*blocked),
      ElementsAre(
          "[n] -> { S0[block, i, j, k] : i <= 3 + 4block and i < n and j < i and k >= 4block and 0 <= k < j "
          "}",
          "[n] -> { S1[block, i, j] : i <= 3 + 4block and i < n and j >= 4block and 0 <= j < i }",
          "[n] -> { S2[block, i, j, k] : i <= j <= 3 + 4block and j < n and k >= 4block and 0 <= k < i }",
          "[n] -> { S3[block, i, j, k] : 4 + 4block <= i < n and j <= 3 + 4block and k >= 4block and 0 <= k "
          "< j "
          "}",
          "[n] -> { S4[block, i, j, k] : i < n and 4 + 4block <= j < i and k >= 4block and 0 <= k <= 3 + "
          "4block "
          "}",
          "[n] -> { S5[block, i, j] : 4 + 4block <= i < n and j >= 4block and 0 <= j <= 3 + 4block }",
          "[n] -> { S6[block, i, j, k] : i <= 3 + 4block and 4 + 4block <= j < n and k >= 4block and 0 <= k "
          "< i "
          "}",
          "[n] -> { S7[block, i, j, k] : i >= 4 + 4block and i <= j < n and k >= 4block and 0 <= k <= 3 + "
          "4block }"));
  EXPECT_THAT(BlockedKernelNames(*blocked, values),
              ElementsAre("k[S1]@2", "k[S0]@2", "k[S2]@2", "k[S5,S3]@1", "k[S6]@1", "k[S4]@1", "k[S7]@1"));
  testing::ExpectSameResults(scop, *blocked, values);
}

TEST(BlockLoopsTest, SizesThatAreNoMultipleOfABlock) {
  for (int n = 9; n <= 13; ++n) {
    const Values values = {{"n", n}};
    const std::optional<v1::Scop> blocked = Blocked(testing::TriangularScop(), values);
    ASSERT_TRUE(blocked.has_value()) << n;
    testing::ExpectSameResults(testing::TriangularScop(), *blocked, values);
  }
}

TEST(BlockLoopsTest, TriangularSolvesInBothDirections) {
  for (const bool decreasing : {false, true}) {
    const Values values = {{"n", 14}};
    const v1::Scop scop = TriangularSolve(decreasing);
    const std::optional<v1::Scop> blocked = Blocked(scop, values);
    ASSERT_TRUE(blocked.has_value()) << decreasing;
    EXPECT_EQ(blocked->statements_size(), 3) << decreasing;
    testing::ExpectSameResults(scop, *blocked, values);
  }
}

// Statements that do not depend on each other: isl leaves open which one is first.
TEST(BlockLoopsTest, IndependentSumsOfOneLoop) {
  const auto update = [](ScopBuilder& builder, const std::string& x) -> ScopBuilder& {
    return builder.Update(v1::ADD, {x, "i"}, {{"L", "i, j"}, {x, "j"}}, Multiply(Read(0), Read(1)));
  };
  ScopBuilder builder("two", {"n"}, "n >= 4");
  builder.Array("L", {"n", "n"}).Array("x", {"n"}).Array("y", {"n"}).Array("z", {"n"});
  builder.Begin("i", "0 <= i < n").Begin("j", "0 <= j < i");
  update(update(builder, "x"), "y").End();
  builder.Assign({"z", "i"}, {{"x", "i"}, {"y", "i"}}, Multiply(Read(0), Read(1)));
  const v1::Scop scop = builder.End().Build();
  const Values values = {{"n", 13}};
  const std::optional<v1::Scop> blocked = Blocked(scop, values);
  if (blocked) testing::ExpectSameResults(scop, *blocked, values);
  EXPECT_TRUE(blocked.has_value());
}

// What is declared inside ends after everything else; loops that are not blocked stay where they are.
TEST(BlockLoopsTest, OtherStatementsKeepTheirPlaces) {
  const v1::Scop scop =
      ScopBuilder("around", {"n"}, "n >= 4")
          .Array("L", {"n", "n"})
          .Array("x", {"n"})
          .Array("b", {"n"})
          .Array("t", {"n"}, /*declared_inside=*/true)
          .Kill("t", "0")
          .Begin("i", "0 <= i < n")
          .Assign({"x", "i"}, {{"b", "i"}}, Read(0))
          .End()
          .Begin("i", "0 <= i < n")
          .Begin("j", "0 <= j < i")
          .Update(v1::ADD, {"x", "i"}, {{"L", "i, j"}, {"x", "j"}}, Multiply(Read(0), Read(1)))
          .End()
          .End()
          .Begin("i", "0 <= i < n")
          .Assign({"t", "i"}, {{"x", "i"}}, Multiply(Read(0), Read(0)))
          .Assign({"b", "i"}, {{"t", "i"}}, Read(0))
          .End()
          .Build();
  const Values values = {{"n", 9}};
  const std::optional<v1::Scop> blocked = Blocked(scop, values);
  ASSERT_TRUE(blocked.has_value());
  testing::ExpectSameResults(scop, *blocked, values);
}

TEST(BlockLoopsTest, FewIterationsAreNoBlocks) {
  EXPECT_FALSE(Blocked(testing::TriangularScop(), {{"n", 8}}).has_value());
  EXPECT_TRUE(Blocked(testing::TriangularScop(), {{"n", 9}}).has_value());
}

// Where x[j] is known last of the terms that row i adds first, blocks would add them in another order.
TEST(BlockLoopsTest, SumsKeepTheirOrder) {
  const v1::Scop scop =
      ScopBuilder("back", {"n"}, "n >= 4")
          .Array("A", {"n", "n"})
          .Array("x", {"n"})
          .Begin("i", "0 <= i < n", /*decreasing=*/true)
          .Begin("j", "i < j < n")
          .Update(v1::ADD, {"x", "i"}, {{"A", "i, j"}, {"x", "j"}}, Multiply(Read(0), Read(1)))
          .Build();
  EXPECT_FALSE(Blocked(scop, {{"n", 20}}).has_value());
}

// Sums without a serial loop around, stencils, and sums whose operands all of a block must be made before.
TEST(BlockLoopsTest, NothingToGain) {
  EXPECT_FALSE(Blocked(testing::GemmScop(), {{"ni", 20}, {"nj", 20}, {"nk", 20}}).has_value());
  EXPECT_FALSE(Blocked(testing::Jacobi1dScop(), {{"steps", 20}, {"n", 20}}).has_value());
  const v1::Scop orthogonalisation =
      ScopBuilder("orthogonal", {"n"}, "n >= 4")
          .Array("A", {"n", "n"})
          .Array("R", {"n", "n"})
          .Begin("k", "0 <= k < n")
          .Begin("j", "k < j < n")
          .Begin("i", "0 <= i < n")
          .Update(v1::ADD, {"R", "k, j"}, {{"A", "i, k"}, {"A", "i, j"}}, Multiply(Read(0), Read(1)))
          .End()
          .Begin("i", "0 <= i < n")
          .Update(v1::ADD, {"A", "i, j"}, {{"A", "i, k"}, {"R", "k, j"}}, Negate(Multiply(Read(0), Read(1))))
          .End()
          .End()
          .End()
          .Build();
  EXPECT_FALSE(Blocked(orthogonalisation, {{"n", 12}}).has_value());
}

TEST(BlockLoopsTest, SampleAndRandomScopsKeepTheirResults) {
  int blocked_scops = 0;
  const auto check = [&](const v1::Scop& scop, const Values& values) {
    const std::optional<v1::Scop> blocked = Blocked(scop, values, /*size=*/2);
    blocked_scops += blocked.has_value();
    if (blocked) testing::ExpectSameResults(scop, *blocked, values);
  };
  for (const testing::SampleScop& sample : testing::SampleScops()) {
    SCOPED_TRACE(sample.name);
    check(sample.make(), sample.small);
  }
  for (uint64_t seed = 300; seed < 330; ++seed) {
    SCOPED_TRACE(seed);
    check(testing::MakeRandomScop(seed), {{"n", 7}});
  }
  EXPECT_GE(blocked_scops, 1);
}

}  // namespace
}  // namespace tune
