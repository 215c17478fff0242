#include "common/kernel/thread_rows.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/kernel/kernel.h"
#include "tests/common/testing/scop_builder.h"

namespace tune {
namespace {

using ::testing::ElementsAre;
using testing::Multiply;
using testing::Negate;
using testing::Read;
using testing::ScopBuilder;

// Of the only kernel, with its loops as they are: rows r, which are threads, around the others.
std::optional<ThreadRows> RowsOf(const v1::Scop& proto, int64_t n = 50) {
  IslContext context;
  const auto scop = ParseScop(context, WithParameterFacts(proto, {{"n", n}})).value();
  const Dependences dependences = ComputeDependences(context, *scop).value();
  const isl::schedule schedule = ComputeSchedule(context, *scop, dependences, {}).value();
  const auto scheduled = SelectKernels(context, schedule, *scop, dependences, {{"n", n}}).value();
  EXPECT_EQ(scheduled->kernels.size(), 1U);
  return scheduled->kernels[0].rows;
}

// One statement in the loops r, i and j: `target` += the product of `terms`.
v1::Scop Sums(const std::string& i, const std::string& j, const testing::Element& target,
              const std::vector<testing::Element>& terms) {
  return ScopBuilder("sums", {"n"}, "n >= 1")
      .Array("X", {"n + 1", "2 * n + 16"})
      .Array("L", {"16", "16"})
      .Begin("r", "0 <= r < n")
      .Begin("i", i)
      .Begin("j", j)
      .Update(v1::ADD, target, terms, Negate(Multiply(Read(0), Read(1))))
      .End()
      .End()
      .End()
      .Build();
}

// A triangular solve with one right side a thread, whose elements have two words each.
TEST(ThreadRows, OfATriangularSolve) {
  const auto rows = RowsOf(Sums("0 <= i < 8", "0 <= j < i", {"X", "r, i"}, {{"L", "i, j"}, {"X", "r, j"}}));
  ASSERT_TRUE(rows.has_value());
  EXPECT_THAT(rows->arrays, ElementsAre("X"));
  EXPECT_EQ(rows->words, 16);
  EXPECT_EQ(rows->iterations, 49);
}

// Each thread's row begins elsewhere, and its elements are two apart.
TEST(ThreadRows, BeginWhereTheThreadsElementsDo) {
  const auto rows =
      RowsOf(Sums("0 <= i < 6", "0 <= j < i", {"X", "r, r + 2 * i"}, {{"L", "i, j"}, {"X", "r, r + 2 * j"}}));
  ASSERT_TRUE(rows.has_value());
  EXPECT_EQ(rows->words, 22);
}

TEST(ThreadRows, NotOfUnknownLength) {
  EXPECT_EQ(RowsOf(Sums("0 <= i < n", "0 <= j < i", {"X", "r, i"}, {{"L", "1, 2"}, {"X", "r, j"}}), 5000),
            std::nullopt);
}

// Its elements are each written once and read once.
TEST(ThreadRows, NotOfARecurrence) {
  EXPECT_EQ(RowsOf(Sums("1 <= i < 16", "0 <= j < 1", {"X", "r, i"}, {{"L", "i, j"}, {"X", "r, i - 1"}})),
            std::nullopt);
}

// One element of each thread is a tile of its own (registers.h).
TEST(ThreadRows, NotOfOneElement) {
  EXPECT_EQ(RowsOf(Sums("0 <= i < 8", "0 <= j < 8", {"X", "r, 0"}, {{"L", "i, j"}, {"L", "j, i"}})),
            std::nullopt);
}

// In a row of which each thread has the elements from its own number on, the place of column 8 is another one
// for each.
TEST(ThreadRows, NotWhereThePlaceIsOneOfTheThread) {
  EXPECT_EQ(RowsOf(Sums("0 <= i < 8", "0 <= j < i and i + r < n", {"X", "r, r + i"},
                        {{"L", "i, j"}, {"X", "r, n - 1"}})),
            std::nullopt);
}

}  // namespace
}  // namespace tune
