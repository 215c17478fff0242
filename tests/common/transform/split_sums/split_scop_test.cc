#include "common/transform/split_sums/split_scop.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "common/schedule/original_schedule.h"
#include "tests/common/testing/sample_scops.h"
#include "tests/common/transform/expansion/expansion_check.h"
#include "tests/common/transform/split_sums/integer_sums.h"

namespace tune {
namespace {

using testing::Add;
using testing::Analysis;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using testing::Multiply;
using testing::OfIntegers;
using testing::Read;
using testing::ScopBuilder;
using testing::Values;

struct FoundNests {
  std::unique_ptr<Analysis> analysis;
  isl::schedule schedule;
  isl::set values;
  std::vector<SumNest> nests;
};

FoundNests FindNests(const v1::Scop& scop, const Values& values) {
  FoundNests found;
  found.analysis = Analysis::Make(scop, values).value();
  Analysis& own = *found.analysis;
  found.schedule = ComputeSchedule(own.context, *own.scop, own.dependences, {}).value();
  found.values = ParameterValues(own.context, values);
  const auto scheduled = SelectKernels(own.context, found.schedule, *own.scop, own.dependences, values,
                                       InnerReductions::kAreKernels);
  EXPECT_TRUE(scheduled.ok()) << scheduled.status();
  found.nests = FindSumNests(**scheduled, *own.scop, found.values);
  return found;
}

absl::StatusOr<std::optional<v1::Scop>> SplitAlong(const FoundNests& found, const SumParts& parts,
                                                   int64_t most_bytes = 1 << 20) {
  std::vector<SplitNest> nests;
  for (const SumNest& nest : found.nests) nests.push_back({nest, parts});
  return SplitScop(found.analysis->context, *found.analysis->scop, found.schedule, nests, found.values,
                   most_bytes);
}

void ExpectSplitGivesTheSame(const v1::Scop& scop, const Values& values, const SumParts& parts,
                             size_t nests) {
  const FoundNests found = FindNests(scop, values);
  ASSERT_EQ(found.nests.size(), nests);
  const auto split = SplitAlong(found, parts);
  ASSERT_TRUE(split.ok()) << split.status();
  ASSERT_TRUE(split->has_value());
  size_t arrays = 0;
  for (const SumNest& nest : found.nests) arrays += parts.terms_apart ? nest.terms : 1;
  EXPECT_EQ((*split)->arrays_size(), scop.arrays_size() + static_cast<int>(arrays));
  testing::ExpectSameResults(scop, **split, values);
}

// tmp = C + A B; E = tmp; D += A A'.
v1::Scop TwoProducts() {
  return ScopBuilder("products", {"n", "m"}, "n >= 0 and m >= 0")
      .Array("A", {"n", "m"})
      .Array("B", {"m", "n"})
      .Array("C", {"n", "n"})
      .Array("D", {"n", "n"})
      .Array("E", {"n", "n"})
      .Array("tmp", {"n", "n"})
      .Begin("i", "0 <= i < n")
      .Begin("j", "0 <= j < n")
      .Assign({"tmp", "i, j"}, {{"C", "i, j"}}, Read(0))
      .Begin("k", "0 <= k < m")
      .Update(v1::ADD, {"tmp", "i, j"}, {{"A", "i, k"}, {"B", "k, j"}}, Multiply(Read(0), Read(1)))
      .End()
      .Assign({"E", "i, j"}, {{"tmp", "i, j"}}, Read(0))
      .End()
      .End()
      .Begin("i", "0 <= i < n")
      .Begin("j", "0 <= j < n")
      .Begin("k", "0 <= k < m")
      .Update(v1::ADD, {"D", "i, j"}, {{"A", "i, k"}, {"A", "j, k"}}, Multiply(Read(0), Read(1)))
      .End()
      .End()
      .End()
      .Build();
}

TEST(SplitScopTest, AProductGivesTheSame) {
  std::mt19937 random(7);
  for (int i = 0; i < 8; ++i) {
    const Values values = {{"ni", 1 + random() % 5}, {"nj", 2 + random() % 5}, {"nk", 65 + random() % 80}};
    if (values.at("ni") == 1) continue;  // no second place
    ExpectSplitGivesTheSame(OfIntegers(testing::GemmScop()), values, {1 + i % 4}, 1);
  }
}

TEST(SplitScopTest, SeveralNestsWithWhatIsBeforeAndAfter) {
  ExpectSplitGivesTheSame(OfIntegers(TwoProducts()), {{"n", 5}, {"m", 70}}, {2}, 2);
}

TEST(SplitScopTest, SumsOfDifferentLengthsGiveTheSame) {
  const v1::Scop scop =
      ScopBuilder("triangle", {"n", "m"}, "n >= 0 and m >= 0")
          .Array("A", {"n", "n"})
          .Array("B", {"n", "m"})
          .Array("C", {"n", "m"})
          .Begin("i", "0 <= i < n")
          .Begin("j", "0 <= j < m")
          .Begin("k", "i <= k < n")
          .Update(v1::ADD, {"C", "i, j"}, {{"A", "k, i"}, {"B", "k, j"}}, Multiply(Read(0), Read(1)))
          .End()
          .End()
          .End()
          .Build();
  ExpectSplitGivesTheSame(OfIntegers(scop), {{"n", 80}, {"m", 3}}, {2}, 1);
}

// alpha A B: the parts are sums of A B, and what is added to C is alpha times these.
TEST(SplitScopTest, WhatAllTermsAreMultipliedByIsDoneOnce) {
  const auto split = SplitAlong(FindNests(testing::GemmScop(), {{"ni", 4}, {"nj", 5}, {"nk", 130}}), {2});
  ASSERT_TRUE(split.ok() && split->has_value()) << split.status();
  std::map<std::string, std::vector<std::string>> arrays;  // by what is written
  for (const v1::Statement& statement : (*split)->statements()) {
    std::vector<std::string>& read = arrays[statement.accesses(statement.target()).array()];
    for (const v1::Access& access : statement.accesses()) {
      if (access.kind() == v1::Access::READ) read.push_back(access.array());
    }
  }
  EXPECT_THAT(arrays["C_parts"], ElementsAre("A", "B"));
  EXPECT_THAT(arrays["C"], ElementsAre("beta", "C_parts", "C_parts", "alpha"));
}

// The kernel of the parts has their number as a parallel loop beside those of the places.
TEST(SplitScopTest, PartsAreParallel) {
  const Values values = {{"ni", 4}, {"nj", 5}, {"nk", 130}};
  const auto split = SplitAlong(FindNests(testing::GemmScop(), values), {2});
  ASSERT_TRUE(split.ok() && split->has_value()) << split.status();
  const auto analysis = Analysis::Make(**split, values).value();
  const isl::schedule schedule = OriginalSchedule(analysis->context, *analysis->scop, analysis->dependences);
  const auto scheduled =
      SelectKernels(analysis->context, schedule, *analysis->scop, analysis->dependences, values);
  ASSERT_TRUE(scheduled.ok()) << scheduled.status();
  ASSERT_EQ((*scheduled)->kernels.size(), 2u);
  const Kernel& parts = (*scheduled)->kernels[0];
  ASSERT_EQ(parts.bands.size(), 1u);
  EXPECT_THAT(parts.bands[0].coincident, ElementsAre(true, true, true, false));
  EXPECT_THAT(parts.bands[0].trip_counts, ElementsAre(2, 4, 5, ::testing::_));
}

TEST(SplitScopTest, NotWhatReadsItsOwnArray) {
  const v1::Scop own =
      ScopBuilder("own", {"n"}, "n >= 0")
          .Array("A", {"n", "n"})
          .Array("C", {"n", "n"})
          .Begin("i", "0 <= i < n")
          .Begin("j", "0 <= j < n")
          .Begin("k", "0 <= k < n")
          .Update(v1::ADD, {"C", "i, j"}, {{"A", "i, k"}, {"C", "k, j"}}, Multiply(Read(0), Read(1)))
          .End()
          .End()
          .End()
          .Build();
  EXPECT_THAT(FindNests(own, {{"n", 40}}).nests, IsEmpty());
}

// Below the diagonal C += A B' + B A'.
v1::Scop Triangle() {
  return ScopBuilder("triangle", {"n", "m"}, "n >= 0 and m >= 0")
      .Array("A", {"n", "m"})
      .Array("B", {"n", "m"})
      .Array("C", {"n", "n"})
      .Begin("i", "0 <= i < n")
      .Begin("j", "0 <= j <= i")
      .Begin("k", "0 <= k < m")
      .Update(v1::ADD, {"C", "i, j"}, {{"A", "j, k"}, {"B", "i, k"}, {"B", "j, k"}, {"A", "i, k"}},
              Add(Multiply(Read(0), Read(1)), Multiply(Read(2), Read(3))))
      .End()
      .End()
      .End()
      .Build();
}

TEST(SplitScopTest, PlacesOfATriangle) {
  const FoundNests found = FindNests(Triangle(), {{"n", 7}, {"m", 40}});
  ASSERT_EQ(found.nests.size(), 1u);
  EXPECT_EQ(found.nests[0].row_count, 7);
  EXPECT_EQ(found.nests[0].column_count, 7);
  EXPECT_DOUBLE_EQ(found.nests[0].filled, 28.0 / 49);
  EXPECT_DOUBLE_EQ(found.nests[0].share, 1);
  EXPECT_EQ(found.nests[0].terms, 2);
  EXPECT_TRUE(found.nests[0].reads_more);
  EXPECT_FALSE(found.nests[0].begins_apart);
}

TEST(SplitScopTest, ATriangleGivesTheSame) {
  ExpectSplitGivesTheSame(OfIntegers(Triangle()), {{"n", 7}, {"m", 70}}, {3}, 1);
}

TEST(SplitScopTest, TermsApartGiveTheSame) {
  ExpectSplitGivesTheSame(OfIntegers(Triangle()), {{"n", 7}, {"m", 70}}, {1, true}, 1);
  ExpectSplitGivesTheSame(OfIntegers(Triangle()), {{"n", 6}, {"m", 70}}, {2, true}, 1);
}

// Each term is a kernel of its own, which needs nothing of the other.
TEST(SplitScopTest, TermsApartAreIndependentKernels) {
  const Values values = {{"n", 7}, {"m", 70}};
  const auto split = SplitAlong(FindNests(Triangle(), values), {1, true});
  ASSERT_TRUE(split.ok() && split->has_value()) << split.status();
  const auto analysis = Analysis::Make(**split, values).value();
  const isl::schedule schedule = OriginalSchedule(analysis->context, *analysis->scop, analysis->dependences);
  const auto scheduled =
      SelectKernels(analysis->context, schedule, *analysis->scop, analysis->dependences, values);
  ASSERT_TRUE(scheduled.ok()) << scheduled.status();
  const std::vector<Kernel>& kernels = (*scheduled)->kernels;
  ASSERT_EQ(kernels.size(), 3u);
  EXPECT_EQ(kernels[0].launch_group, kernels[1].launch_group);
  EXPECT_NE(kernels[1].launch_group, kernels[2].launch_group);
  for (int i = 0; i < 2; ++i) EXPECT_THAT(kernels[i].bands[0].coincident, ElementsAre(true, true, false));
}

// D[i] = D[i - 1] + E[i]; then C = D; C += A A'. The parts of the sums need nothing of D.
TEST(SplitScopTest, PartsStandBeforeAllElseWhereThatIsRight) {
  const v1::Scop scop =
      ScopBuilder("late", {"n", "m"}, "n >= 0 and m >= 0")
          .Array("A", {"n", "m"})
          .Array("C", {"n", "n"})
          .Array("D", {"n"})
          .Array("E", {"n"})
          .Begin("i", "1 <= i < n")
          .Assign({"D", "i"}, {{"D", "i - 1"}, {"E", "i"}}, Add(Read(0), Read(1)))
          .End()
          .Begin("i", "0 <= i < n")
          .Begin("j", "0 <= j < n")
          .Assign({"C", "i, j"}, {{"D", "j"}}, Read(0))
          .Begin("k", "i <= k < m")
          .Update(v1::ADD, {"C", "i, j"}, {{"A", "i, k"}, {"A", "j, k"}}, Multiply(Read(0), Read(1)))
          .End()
          .End()
          .End()
          .Build();
  const Values values = {{"n", 5}, {"m", 70}};
  const FoundNests found = FindNests(scop, values);
  ASSERT_EQ(found.nests.size(), 1u);
  EXPECT_TRUE(found.nests[0].begins_apart);
  const auto split = SplitAlong(found, {1});
  ASSERT_TRUE(split.ok() && split->has_value()) << split.status();
  const auto analysis = Analysis::Make(**split, values).value();
  const isl::schedule schedule = OriginalSchedule(analysis->context, *analysis->scop, analysis->dependences);
  const auto scheduled =
      SelectKernels(analysis->context, schedule, *analysis->scop, analysis->dependences, values);
  ASSERT_TRUE(scheduled.ok()) << scheduled.status();
  ASSERT_EQ((*scheduled)->kernels.size(), 3u);
  EXPECT_THAT((*scheduled)->kernels[0].statements, ::testing::Contains(found.nests[0].sum));
  ExpectSplitGivesTheSame(OfIntegers(scop), values, {1}, 1);
}

// D = A B; E = D B: the second product's parts wait for the first product.
TEST(SplitScopTest, PartsOfWhatIsComputedBeforeStayBehindIt) {
  ScopBuilder builder("chain", {"n", "m"}, "n >= 0 and m >= 0");
  builder.Array("A", {"m", "m"}).Array("B", {"m", "n"}).Array("D", {"m", "n"}).Array("E", {"n", "n"});
  builder.Begin("i", "0 <= i < m").Begin("j", "0 <= j < n").Begin("k", "0 <= k < m");
  builder.Update(v1::ADD, {"D", "i, j"}, {{"A", "i, k"}, {"B", "k, j"}}, Multiply(Read(0), Read(1)));
  builder.End().End().End();
  builder.Begin("i", "0 <= i < n").Begin("j", "0 <= j < n").Begin("k", "0 <= k < m");
  builder.Update(v1::ADD, {"E", "i, j"}, {{"B", "k, i"}, {"D", "k, j"}}, Multiply(Read(0), Read(1)));
  builder.End().End().End();
  ExpectSplitGivesTheSame(OfIntegers(builder.Build()), {{"n", 3}, {"m", 40}}, {1}, 2);
  ExpectSplitGivesTheSame(OfIntegers(builder.Build()), {{"n", 3}, {"m", 40}}, {2}, 2);
}

// double sum; sum = 0; for (k) sum += A B; C = sum.
TEST(SplitScopTest, VariablesOfAnIterationStay) {
  const v1::Scop scop =
      ScopBuilder("local", {"n", "m"}, "n >= 0 and m >= 0")
          .Array("A", {"n", "m"})
          .Array("C", {"n", "n"})
          .Array("sum", {"n", "n"})
          .Begin("i", "0 <= i < n")
          .Begin("j", "0 <= j < n")
          .Kill("sum", "_, _")
          .Assign({"sum", "i, j"}, {}, testing::Literal("0.0"))
          .Begin("k", "0 <= k < m")
          .Update(v1::ADD, {"sum", "i, j"}, {{"A", "i, k"}, {"A", "j, k"}}, Multiply(Read(0), Read(1)))
          .End()
          .Assign({"C", "i, j"}, {{"sum", "i, j"}}, Read(0))
          .End()
          .End()
          .Build();
  const auto split = SplitAlong(FindNests(scop, {{"n", 5}, {"m", 70}}), {2});
  ASSERT_TRUE(split.ok() && split->has_value()) << split.status();
  IslContext context;
  EXPECT_TRUE(ParseScop(context, **split).ok());
}

TEST(SplitScopTest, NotWithoutRoomForTheParts) {
  const auto split =
      SplitAlong(FindNests(testing::GemmScop(), {{"ni", 4}, {"nj", 5}, {"nk", 130}}), {2}, 2 * 4 * 5 * 8 - 1);
  ASSERT_TRUE(split.ok()) << split.status();
  EXPECT_FALSE(split->has_value());
}

}  // namespace
}  // namespace tune
