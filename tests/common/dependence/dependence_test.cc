#include "common/dependence/dependence.h"

#include <gtest/gtest.h>

#include "tests/common/testing/enumeration.h"
#include "tests/common/testing/random_scops.h"
#include "tests/common/testing/sample_scops.h"

namespace tune {
namespace {

using testing::Enumerate;
using testing::ExpectedDependences;
using testing::Interpreter;
using testing::MakeRandomScop;
using testing::Pairs;
using testing::SampleScop;
using testing::SampleScops;

// Order and dependences of `proto` at `values` as pairs, against the interpreter's.
void ExpectExact(const v1::Scop& proto, const std::map<std::string, int64_t>& values, bool rounding = false) {
  IslContext context;
  const auto scop = ParseScop(context, proto);
  ASSERT_TRUE(scop.ok()) << scop.status();
  const auto found = ComputeDependences(context, **scop, rounding);
  ASSERT_TRUE(found.ok()) << found.status();
  const isl::set fixed = ParameterValues(context, values);
  const ExpectedDependences expected = Interpreter(**scop, fixed, rounding).Run();
  EXPECT_EQ(Enumerate(found->flow, fixed), expected.flow);
  EXPECT_EQ(Enumerate(found->tagged_flow.factor_domain(), fixed), expected.flow);
  EXPECT_EQ(Enumerate(found->false_dependences, fixed), expected.false_dependences);
  EXPECT_EQ(Enumerate(found->live_in, fixed), expected.live_in);
  EXPECT_EQ(Enumerate(found->live_out, fixed), expected.live_out);
  const auto all = ComputeDependences(context, **scop, rounding, LaterWrites::kAll);
  ASSERT_TRUE(all.ok()) << all.status();
  EXPECT_EQ(Enumerate(all->flow, fixed), expected.flow);
  EXPECT_EQ(Enumerate(all->false_dependences, fixed), expected.all_false);
  EXPECT_EQ(Enumerate(all->live_in, fixed), expected.live_in);
  EXPECT_EQ(Enumerate(all->live_out, fixed), expected.live_out);
}

TEST(DependenceTest, SampleScopsAgreeWithExecution) {
  for (const SampleScop& sample : SampleScops()) {
    SCOPED_TRACE(sample.name);
    ExpectExact(sample.make(), sample.small);
  }
}

TEST(DependenceTest, SampleScopsOfDegenerateSizeAgreeWithExecution) {
  for (const SampleScop& sample : SampleScops()) {
    SCOPED_TRACE(sample.name);
    std::map<std::string, int64_t> ones = sample.small;
    for (auto& [name, value] : ones) value = 1;
    ExpectExact(sample.make(), ones);
  }
}

TEST(DependenceTest, RandomScopsAgreeWithExecution) {
  for (uint64_t seed = 0; seed < 25; ++seed) {
    SCOPED_TRACE(seed);
    ExpectExact(MakeRandomScop(seed), {{"n", 4 + static_cast<int64_t>(seed % 2)}});
  }
}

// As many neighbours as are found together (neighbour_reads.h): of an array that is not written, of itself in
// place, and of the half that the step before wrote.
TEST(DependenceTest, ManyNeighboursAgreeWithExecution) {
  const auto read_around = [](const std::string& array, const std::string& first) {
    std::vector<testing::Element> reads;
    for (int i = -3; i <= 3; ++i) {
      for (int j = -3; j <= 3; ++j) reads.push_back({array, absl::StrCat(first, "i + ", i, ", j + ", j)});
    }
    return reads;
  };
  using testing::Read;
  for (const char* const array : {"A", "B"}) {
    ExpectExact(testing::ScopBuilder("smooth", {"n"}, "n >= 4")
                    .Array("A", {"n", "n"})
                    .Array("B", {"n", "n"})
                    .Begin("t", "0 <= t < 3")
                    .Begin("i", "3 <= i < n - 3")
                    .Begin("j", "3 <= j < n - 3")
                    .Assign({"A", "i, j"}, read_around(array, ""), testing::Add(Read(0), Read(48)))
                    .Assign({"B", "i, j"}, {{"A", "i, j"}}, Read(0))
                    .End()
                    .End()
                    .End()
                    .Build(),
                {{"n", 9}});
  }
  ExpectExact(testing::ScopBuilder("halves", {"n"}, "n >= 4")
                  .Array("A", {"2", "n", "n"})
                  .Begin("t", "0 <= t < 4")
                  .Begin("i", "3 <= i < n - 3")
                  .Begin("j", "3 <= j < n - 3")
                  .Assign({"A", "(t + 1) mod 2, i, j"}, read_around("A", "t mod 2, "),
                          testing::Add(Read(0), Read(48)))
                  .End()
                  .End()
                  .End()
                  .Build(),
              {{"n", 9}});
}

TEST(DependenceTest, EveryMemoryDependenceFollowsFromTheValidityPairs) {
  for (uint64_t seed = 200; seed < 214; ++seed) {
    SCOPED_TRACE(seed);
    IslContext context;
    const bool by_data = seed >= 212;
    const auto scop = ParseScop(context, by_data ? testing::MakeRandomDataScop(seed) : MakeRandomScop(seed));
    ASSERT_TRUE(scop.ok()) << scop.status();
    const auto found = ComputeDependences(context, **scop);
    ASSERT_TRUE(found.ok()) << found.status();
    const isl::set fixed = ParameterValues(context, {{"n", 4}});
    // Transitive closure by repeated extension: the sizes are small.
    Pairs closure = Enumerate(found->flow.unite(found->false_dependences), fixed);
    for (size_t before = 0; before != closure.size();) {
      before = closure.size();
      std::map<testing::Tuple, std::set<testing::Tuple>> next;
      for (const auto& [from, to] : closure) next[from].insert(to);
      for (const auto& [from, successors] : next) {
        for (const testing::Tuple& middle : successors) {
          const auto found_middle = next.find(middle);
          if (found_middle == next.end()) continue;
          for (const testing::Tuple& to : found_middle->second) closure.insert({from, to});
        }
      }
    }
    for (const auto& pair : Interpreter(**scop, fixed).Run().memory) {
      EXPECT_TRUE(pair.first == pair.second || closure.count(pair) > 0)
          << pair.first.first << " -> " << pair.second.first;
    }
  }
}

TEST(DependenceTest, ElementsThatDataDecideAgreeWithExecution) {
  for (uint64_t seed = 0; seed < 6; ++seed) {
    SCOPED_TRACE(seed);
    ExpectExact(testing::MakeRandomDataScop(seed), {{"n", 2}}, /*rounding=*/seed % 2 == 1);
  }
}

TEST(DependenceTest, GemmInTextbookForm) {
  IslContext context;
  const auto scop = ParseScop(context, testing::GemmScop());
  ASSERT_TRUE(scop.ok()) << scop.status();
  const auto found = ComputeDependences(context, **scop);
  ASSERT_TRUE(found.ok()) << found.status();
  const isl::union_map flow(
      context.ctx(),
      "[ni, nj, nk] -> { S0[i, j] -> S1[i, 0, j] : 0 <= i < ni and 0 <= j < nj and nk >= 1;"
      " S1[i, k, j] -> S1[i, k + 1, j] : 0 <= i < ni and 0 <= j < nj and 0 <= k < nk - 1 }");
  EXPECT_TRUE(found->flow.is_equal(flow)) << IslText(found->flow);
  const isl::union_map live_out(
      context.ctx(),
      "[ni, nj, nk] -> { S1[i, nk - 1, j] -> C[i, j] : 0 <= i < ni and 0 <= j < nj and nk >= 1;"
      " S0[i, j] -> C[i, j] : 0 <= i < ni and 0 <= j < nj and nk = 0 }");
  EXPECT_TRUE(found->live_out.is_equal(live_out)) << IslText(found->live_out);
}

TEST(DependenceTest, LocalsAreNeitherLiveInNorLiveOut) {
  IslContext context;
  const auto scop = ParseScop(context, testing::LocalKillScop());
  ASSERT_TRUE(scop.ok()) << scop.status();
  const auto found = ComputeDependences(context, **scop);
  ASSERT_TRUE(found.ok()) << found.status();
  EXPECT_TRUE(found->live_in.is_equal(
      isl::union_map(context.ctx(), "[n] -> { S1[i] -> x[i] : 0 <= i < n; S2[i] -> x[i] : 0 <= i < n }")));
  EXPECT_TRUE(
      found->live_out.is_equal(isl::union_map(context.ctx(), "[n] -> { S2[i] -> y[i] : 0 <= i < n }")));
}

TEST(DependenceTest, OperationLimitIsAClearErrorAndTheContextStaysUsable) {
  IslContext::Limits limits;
  limits.operations = 20'000;
  IslContext context(limits);
  const auto scop = ParseScop(context, testing::SeidelScop());
  ASSERT_TRUE(scop.ok()) << scop.status();
  const auto found = ComputeDependences(context, **scop);
  ASSERT_TRUE(absl::IsResourceExhausted(found.status())) << found.status();
  EXPECT_NE(found.status().message().find("20000 isl operations"), absl::string_view::npos) << found.status();
  EXPECT_TRUE(ParseScop(context, testing::LocalKillScop()).ok());
}

}  // namespace
}  // namespace tune
