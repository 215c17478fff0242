#include "common/schedule/hyperplane_set.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <set>

#include "common/isl/dimensions.h"
#include "common/schedule/statement_graph.h"
#include "tests/common/testing/sample_scops.h"
#include "tests/common/testing/schedule_oracle.h"

namespace tune {
namespace {

using ::testing::ElementsAre;
using testing::Subject;

constexpr int64_t kLargest = DependenceDistances::kLargestShift;

int64_t Apply(const Hyperplane& row, const std::vector<int64_t>& point) {
  return std::inner_product(row.begin(), row.end(), point.begin(), int64_t{0});
}

// All rows with coefficients in [-2, 2] without a common divisor.
std::vector<Hyperplane> AllRows(size_t dimensions) {
  std::vector<Hyperplane> rows;
  int count = 1;
  for (size_t d = 0; d < dimensions; ++d) count *= 5;
  for (int code = 0; code < count; ++code) {
    Hyperplane row;
    int64_t divisor = 0;
    for (int rest = code; row.size() < dimensions; rest /= 5) {
      row.push_back(rest % 5 - 2);
      divisor = std::gcd(divisor, row.back());
    }
    if (divisor == 1) rows.push_back(row);
  }
  return rows;
}

Hyperplane Minus(Hyperplane row) {
  for (int64_t& c : row) c = -c;
  return row;
}

// Takes one of each two rows that are each other's negatives out of the set.
std::set<Hyperplane> WithoutMirrors(const std::set<Hyperplane>& rows) {
  std::set<Hyperplane> kept;
  for (const Hyperplane& row : rows) {
    const Hyperplane zero(row.size(), 0);
    if (row > zero || rows.count(Minus(row)) == 0) kept.insert(row);
  }
  return kept;
}

// Whether some constants make every pair go forward or stay (`parallel`: stay).
bool HasShifts(const std::map<std::string, Hyperplane>& rows, const testing::Pairs& pairs, bool parallel) {
  std::map<std::string, std::map<std::string, std::pair<int64_t, int64_t>>> ranges;
  for (const auto& [source, sink] : pairs) {
    const int64_t distance =
        Apply(rows.at(sink.first), sink.second) - Apply(rows.at(source.first), source.second);
    auto [range, is_new] = ranges[source.first].try_emplace(sink.first, distance, distance);
    range->second = {std::min(range->second.first, distance), std::max(range->second.second, distance)};
  }
  const auto holds = [&](const std::map<std::string, int64_t>& shifts) {
    for (const auto& [source, sinks] : ranges) {
      for (const auto& [sink, range] : sinks) {
        const int64_t shift = shifts.at(sink) - shifts.at(source);
        if (range.first + shift < 0 || (parallel && range.second + shift != 0)) return false;
      }
    }
    return true;
  };
  std::map<std::string, int64_t> shifts;
  for (const auto& [name, row] : rows) shifts[name] = 0;
  while (true) {
    if (holds(shifts)) return true;
    auto next = shifts.begin();
    while (next != shifts.end() && next->second == kLargest) (next++)->second = 0;
    if (next == shifts.end()) return false;
    ++next->second;
  }
}

// The rows of the group's first statement for which rows of the second exist, by trying all.
std::set<Hyperplane> BruteForce(const StatementGroup& group, const std::map<std::string, int64_t>& values,
                                Subject& subject, bool parallel) {
  const isl::set fixed = ParameterValues(subject.context, values);
  const testing::Pairs pairs = testing::Enumerate(group.dependences(), fixed);
  std::set<Hyperplane> rows;
  const auto dimensions = [&](const std::string& name) {
    return Dimensions(group.domains().at(name), isl_dim_set);
  };
  const std::string& first = group.statements().front();
  for (const Hyperplane& row : AllRows(dimensions(first))) {
    if (group.statements().size() == 1) {
      if (HasShifts({{first, row}}, pairs, parallel)) rows.insert(row);
      continue;
    }
    const std::string& second = group.statements().at(1);
    for (const Hyperplane& other : AllRows(dimensions(second))) {
      if (HasShifts({{first, row}, {second, other}}, pairs, parallel)) rows.insert(row);
    }
  }
  return WithoutMirrors(rows);
}

void ExpectBruteForce(Subject& subject, const StatementGroup& group,
                      const std::map<std::string, int64_t>& values) {
  HyperplaneSet set(group, {});
  for (const bool parallel : {false, true}) {
    SCOPED_TRACE(parallel ? "parallel" : "forward");
    const std::vector<Hyperplane> options = set.Options({}, parallel);
    EXPECT_EQ(std::set<Hyperplane>(options.begin(), options.end()),
              BruteForce(group, values, subject, parallel));
  }
}

// Every component of the samples at the outermost level, at sizes that are larger than the shifts.
TEST(HyperplaneSetTest, ComponentsOfTheSamples) {
  struct Case {
    v1::Scop scop;
    std::map<std::string, int64_t> values;
    int least;  // components that are compared
  };
  const Case cases[] = {{testing::GemmScop(), {{"ni", 7}, {"nj", 7}, {"nk", 7}}, 2},
                        {testing::Jacobi1dScop(), {{"steps", 7}, {"n", 12}}, 1},
                        {testing::SeidelScop(), {{"steps", 6}, {"n", 9}}, 1},
                        {testing::DecreasingScop(), {{"n", 9}}, 1},
                        {testing::ImperfectScop(), {{"m", 8}, {"n", 9}}, 3}};
  for (const Case& each : cases) {
    SCOPED_TRACE(each.scop.name());
    Subject subject(each.scop);
    const StatementGroup whole = StatementGroup::Whole(subject.context, *subject.scop, subject.dependences);
    const StatementGraph graph(whole.statements(), whole.dependences());
    int compared = 0;
    for (const std::vector<std::string>& component : graph.components()) {
      if (component.size() > 2) continue;
      ExpectBruteForce(subject, whole.Part(component), each.values);
      ++compared;
    }
    EXPECT_GE(compared, each.least);
  }
}

// The update of gemm below a loop over i: rows are independent of it, and two parallel ones are left.
TEST(HyperplaneSetTest, RowsAreIndependentOfThoseAbove) {
  Subject subject(testing::GemmScop());
  const StatementGroup update =
      StatementGroup::Whole(subject.context, *subject.scop, subject.dependences).Part({"S1"});
  const isl::set& domain = update.domains().at("S1");
  const StatementGroup inside = update.Below({{{"S1", TimeOf(domain, {1, 0, 0}, 0)}}});
  HyperplaneSet set(inside, {});
  std::set<Hyperplane> expected;
  const std::map<std::string, int64_t> values = {{"ni", 5}, {"nj", 5}, {"nk", 5}};
  for (const Hyperplane& row : BruteForce(inside, values, subject, /*parallel=*/false)) {
    if (row[1] != 0 || row[2] != 0) expected.insert(row);
  }
  const std::vector<Hyperplane> options = set.Options({}, false);
  EXPECT_EQ(std::set<Hyperplane>(options.begin(), options.end()), expected);
  for (const Hyperplane& row : set.Options({}, true)) EXPECT_EQ(row[1], 0) << HyperplaneText(row);
  EXPECT_EQ(options.front(), Hyperplane({0, 1, 0})) << "single coefficients come first";
}

// Both stencils of jacobi skewed alike need a shift of one.
TEST(HyperplaneSetTest, ShiftsMakeSkewedStencilsValid) {
  Subject subject(testing::Jacobi1dScop());
  const StatementGroup whole = StatementGroup::Whole(subject.context, *subject.scop, subject.dependences);
  const DependenceDistances distances(whole.dependences());
  const auto skewed = distances.Shifts({{"S0", {2, 1}}, {"S1", {2, 1}}}, false);
  ASSERT_TRUE(skewed.has_value());
  EXPECT_EQ(*skewed, (HyperplaneShifts{{"S0", 0}, {"S1", 1}}));
  const auto time = distances.Shifts({{"S0", {1, 0}}, {"S1", {1, 0}}}, false);
  ASSERT_TRUE(time.has_value());
  EXPECT_EQ(*time, (HyperplaneShifts{{"S0", 0}, {"S1", 0}}));
  EXPECT_FALSE(distances.Shifts({{"S0", {0, 1}}, {"S1", {0, 1}}}, false).has_value());
  EXPECT_FALSE(distances.Shifts({{"S0", {1, 0}}, {"S1", {1, 0}}}, true).has_value());
}

TEST(HyperplaneSetTest, SuggestedRowsAreCandidatesWhateverTheirCoefficients) {
  Subject subject(testing::SeidelScop());
  const StatementGroup whole = StatementGroup::Whole(subject.context, *subject.scop, subject.dependences);
  HyperplaneSet set(whole, {{"S0", {9, 3, 1}}});
  const std::vector<Hyperplane> options = set.Options({}, false);
  EXPECT_EQ(std::count(options.begin(), options.end(), Hyperplane({9, 3, 1})), 1);
}

TEST(HyperplaneSetTest, ANegativeSuggestionReplacesItsMirror) {
  Subject subject(testing::IndependentScop());
  const StatementGroup scale =
      StatementGroup::Whole(subject.context, *subject.scop, subject.dependences).Part({"S1"});
  EXPECT_THAT(HyperplaneSet(scale, {}).Options({}, false), ElementsAre(ElementsAre(1)));
  EXPECT_THAT(HyperplaneSet(scale, {{"S1", {-1}}}).Options({}, false), ElementsAre(ElementsAre(-1)));
}

// A statement whose instances all have different rows takes a place beside the others, no loop of its own.
TEST(HyperplaneSetTest, CompleteStatementsTakeZeroOrUnitRows) {
  Subject subject(testing::GemmScop());
  StatementGroup scale =
      StatementGroup::Whole(subject.context, *subject.scop, subject.dependences).Part({"S0"});
  const isl::set domain = scale.domains().at("S0");
  scale = scale.Below({{{"S0", TimeOf(domain, {1, 0}, 0)}}}).Below({{{"S0", TimeOf(domain, {0, 1}, 0)}}});
  ASSERT_TRUE(scale.IsComplete("S0"));
  EXPECT_THAT(HyperplaneSet(scale, {}).Options({}, false),
              ElementsAre(ElementsAre(0, 0), ElementsAre(1, 0), ElementsAre(0, 1)));
}

TEST(HyperplaneTest, ReadsAndWritesAffineFunctions) {
  IslContext context;
  const isl::set domain(context.ctx(), "[n] -> { S0[i, j] : 0 <= i, j < n }");
  EXPECT_EQ(HyperplaneOf(TimeOf(domain, {2, -1}, 3)), Hyperplane({2, -1}));
  EXPECT_EQ(HyperplaneOf(isl::pw_aff(context.ctx(), "[n] -> { S0[i, j] -> [(i + n)] }")), Hyperplane({1, 0}));
  EXPECT_EQ(HyperplaneOf(isl::pw_aff(context.ctx(), "{ S0[i, j] -> [(floor(i / 2))] }")), std::nullopt);
  EXPECT_FALSE(IsSkewed({0, -2}));
  EXPECT_TRUE(IsSkewed({1, 1}));
  EXPECT_EQ(HyperplaneText({1, 0, -2}), "[1,0,-2]");
}

}  // namespace
}  // namespace tune
