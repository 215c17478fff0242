#include "common/transform/pivot_blocks/block_pivots.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "tests/common/testing/sample_scops.h"
#include "tests/common/transform/blocked_loops/blocked_kernels.h"

namespace tune {
namespace {

using testing::Add;
using testing::Analysis;
using testing::BlockedKernelNames;
using testing::Divide;
using ::testing::ElementsAre;
using testing::Literal;
using testing::Multiply;
using testing::Negate;
using testing::Read;
using testing::ScopBuilder;
using testing::Values;

constexpr int64_t kSmall = 3;  // iterations of a block
constexpr int64_t kPlenty = int64_t{1} << 30;

std::optional<v1::Scop> Blocked(const v1::Scop& scop, const Values& values, int64_t most_bytes = kPlenty) {
  const auto analysis = Analysis::Make(scop, values).value();
  AnalysedScop analysed(analysis->context, *analysis->scop, analysis->dependences);
  const auto blocked = BlockPivots(analysed, values, most_bytes, kSmall,
                                   /*fewest=*/2);
  EXPECT_TRUE(blocked.ok()) << blocked.status();
  return blocked.value_or(std::nullopt);
}

// a[i][j] of iteration k, of what it was, a[i][k] and a[k][j]: a sum that no order but the original's makes
// the same bits of, so that a copy that is too early or too late shows.
v1::Scop Closure(const std::string& bounds_of_j = "0 <= j < n") {
  return ScopBuilder("closure", {"n"}, "n >= 4")
      .Array("a", {"n", "n"})
      .Begin("k", "0 <= k < n")
      .Begin("i", "0 <= i < n")
      .Begin("j", bounds_of_j)
      .Assign({"a", "i, j"}, {{"a", "i, j"}, {"a", "i, k"}, {"a", "k, j"}},
              Add(Multiply(Read(0), Literal("0.75")), Multiply(Read(1), Multiply(Read(2), Literal("0.125")))))
      .End()
      .End()
      .End()
      .Build();
}

// The diagonal tile; what is beside it in columns and rows; the four parts of the rest.
TEST(BlockPivotsTest, RowsAndColumnsAreCopied) {
  const Values values = {{"n", 9}};
  const std::optional<v1::Scop> blocked = Blocked(Closure(), values);
  ASSERT_TRUE(blocked.has_value());
  EXPECT_THAT(BlockedKernelNames(*blocked, values),
              ElementsAre("k[S20]@2", "k[S18]@2", "k[S6]@2", "k[S23]@2", "k[S8]@2", "k[S24]@2", "k[S22]@2",
                          "k[S7]@2", "k[S25]@2", "k[S9]@2", "k[S16,S1,S19,S2,S13,S27,S14]@1",
                          "k[S17,S4,S21,S10,S26,S11,S5]@1", "k[S0]@1", "k[S3]@1", "k[S12]@1", "k[S15]@1"));
  EXPECT_EQ(blocked->arrays_size(), 13);
  testing::ExpectSameResults(Closure(), *blocked, values);
}

TEST(BlockPivotsTest, SizesThatAreNoMultipleOfABlock) {
  for (const int n : {7, 8}) {
    const Values values = {{"n", n}};
    const std::optional<v1::Scop> blocked = Blocked(Closure(), values);
    ASSERT_TRUE(blocked.has_value()) << n;
    testing::ExpectSameResults(Closure(), *blocked, values);
  }
}

TEST(BlockPivotsTest, FewerIterationsStay) { EXPECT_FALSE(Blocked(Closure(), {{"n", 5}}).has_value()); }

TEST(BlockPivotsTest, CopiesThatAreTooLarge) {
  EXPECT_FALSE(Blocked(Closure(), {{"n", 11}}, /*most_bytes=*/100).has_value());
}

// Gauss and Jordan's inverse in place: four statements, which write rows and columns that the others read.
TEST(BlockPivotsTest, InverseInPlace) {
  const std::string others_i = "0 <= i < n and i != k", others_j = "0 <= j < n and j != k";
  const v1::Scop scop =
      ScopBuilder("inverse", {"n"}, "n >= 4")
          .Array("a", {"n", "n"})
          .Begin("k", "0 <= k < n")
          .Begin("j", others_j)
          .Assign({"a", "k, j"}, {{"a", "k, j"}, {"a", "k, k"}}, Divide(Read(0), Read(1)))
          .End()
          .Begin("i", others_i)
          .Begin("j", others_j)
          .Update(v1::ADD, {"a", "i, j"}, {{"a", "i, k"}, {"a", "k, j"}}, Negate(Multiply(Read(0), Read(1))))
          .End()
          .End()
          .Begin("i", others_i)
          .Assign({"a", "i, k"}, {{"a", "i, k"}, {"a", "k, k"}}, Negate(Divide(Read(0), Read(1))))
          .End()
          .Assign({"a", "k, k"}, {{"a", "k, k"}}, Divide(Literal("1.0"), Read(0)))
          .End()
          .Build();
  const Values values = {{"n", 7}};
  const std::optional<v1::Scop> blocked = Blocked(scop, values);
  ASSERT_TRUE(blocked.has_value());
  testing::ExpectSameResults(scop, *blocked, values);
}

// Parts of rows, and more than the loop's iterations.
TEST(BlockPivotsTest, OtherBounds) {
  for (const char* bounds : {"0 <= j <= i", "2 <= j < n - 1"}) {
    const Values values = {{"n", 8}};
    const v1::Scop scop = Closure(bounds);
    const std::optional<v1::Scop> blocked = Blocked(scop, values);
    if (blocked) testing::ExpectSameResults(scop, *blocked, values);
  }
}

// One or two statements in loops over i and j, each of its own element and two others of rows, columns, and
// transposed ones.
v1::Scop RandomPivots(uint64_t seed) {
  std::mt19937_64 random(seed);
  const auto one_of = [&](const std::vector<std::string>& texts) { return texts[random() % texts.size()]; };
  ScopBuilder builder("pivots", {"n"}, "n >= 4");
  builder.Array("a", {"n", "n"}).Array("b", {"n", "n"}).Begin("k", "0 <= k < n");
  const int statements = 1 + static_cast<int>(random() % 2);
  for (int s = 0; s < statements; ++s) {
    const std::string target = one_of({"a", "a", "b"});
    builder.Begin("i", one_of({"0 <= i < n", "0 <= i < n and i != k", "1 <= i < n", "k <= i < n"}));
    builder.Begin("j", one_of({"0 <= j < n", "0 <= j < n", "0 <= j < n and j != k", "0 <= j < n - 1"}));
    const auto other = [&]() -> testing::Element {
      return {one_of({"a", "a", target}), one_of({"i, k", "k, j", "k, k", "k, i", "j, k", "i, k", "k, j"})};
    };
    builder.Assign({target, "i, j"}, {{target, "i, j"}, other(), other()},
                   Add(Multiply(Read(0), Literal("0.75")),
                       Multiply(Add(Read(1), Literal("1.0")), Multiply(Read(2), Literal("0.125")))));
    builder.End().End();
  }
  return builder.End().Build();
}

TEST(BlockPivotsTest, RandomLoopsKeepTheirResults) {
  const Values values = {{"n", 7}};
  int blocked_loops = 0;
  for (uint64_t seed = 0; seed < 12; ++seed) {
    SCOPED_TRACE(seed);
    const v1::Scop scop = RandomPivots(seed);
    const std::optional<v1::Scop> blocked = Blocked(scop, values);
    if (!blocked) continue;
    ++blocked_loops;
    testing::ExpectSameResults(scop, *blocked, values);
  }
  EXPECT_GE(blocked_loops, 3);
}

// Loops without rows or columns of their own iteration, and factorisations, which need no copies.
TEST(BlockPivotsTest, OthersStay) {
  EXPECT_FALSE(Blocked(testing::Jacobi1dScop(), {{"steps", 12}, {"n", 12}}).has_value());
  EXPECT_FALSE(Blocked(testing::TriangularScop(), {{"n", 12}}).has_value());
  EXPECT_FALSE(Blocked(testing::GemmScop(), {{"ni", 9}, {"nj", 9}, {"nk", 9}}).has_value());
}

}  // namespace
}  // namespace tune
