#include "common/parameters/parameter_space.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/parameters/parameter_walk.h"
#include "tests/common/parameters/sample_spaces.h"

namespace tune {
namespace {

using ::testing::HasSubstr;

// Why there is no such space.
std::string ErrorOf(const std::vector<std::pair<std::string, std::string>>& parameters,
                    const std::vector<std::string>& constraints, const ParameterSpaceLimits& limits = {}) {
  const auto space = ParameterSpace::Make(testing::Describe(parameters, constraints), limits);
  return space.ok() ? "there is one" : std::string(space.status().message());
}

uint64_t CountOf(const ParameterSpaceDescription& description) {
  return absl::Uint128Low64(ParameterSpace::Make(description).value().count());
}

TEST(ParameterSpaceTest, CountsRecordedSpaces) {
  EXPECT_EQ(CountOf(testing::GemmSpace()), 17956u);
  EXPECT_EQ(CountOf(testing::DedispersionSpace()), 11130u);
}

TEST(ParameterSpaceTest, WithoutConstraintsItIsTheProduct) {
  const auto space =
      ParameterSpace::Make(testing::Describe({{"a", "[5, 7]"}, {"b", "['x', 'y', 'z']"}}, {})).value();
  EXPECT_EQ(space.count(), 6);
  EXPECT_EQ(space.product(), 6);
  EXPECT_EQ(space.At(0), (ParameterChoice{0, 0}));
  EXPECT_EQ(space.At(4), (ParameterChoice{1, 1}));
  EXPECT_EQ(space.IndexOf(ParameterChoice{1, 1}), 4);
  EXPECT_EQ(space.IndexOf(ParameterChoice{1, 3}), std::nullopt);
  EXPECT_EQ(space.IndexOf(ParameterChoice{1}), std::nullopt);
  EXPECT_EQ(ParameterSpace::Make({}).value().count(), 1);
}

TEST(ParameterSpaceTest, CountsBeyond64Bits) {
  std::vector<std::pair<std::string, std::string>> parameters;
  for (int i = 0; i < 25; ++i) parameters.emplace_back(absl::StrCat("p", i), "list(range(1, 17))");
  const auto space = ParameterSpace::Make(testing::Describe(parameters, {"p0 <= p24"})).value();
  EXPECT_EQ(space.count(), (absl::uint128(1) << 92) * 136);  // 16^23 * (1 + ... + 16)
  const absl::uint128 index = space.count() / 3;
  EXPECT_EQ(space.IndexOf(space.At(index)), index);
  Random random(3);
  EXPECT_TRUE(space.IndexOf(space.Draw(random)).has_value());
  for (int i = 25; i < 40; ++i) parameters.emplace_back(absl::StrCat("p", i), "list(range(1, 17))");
  EXPECT_EQ(ErrorOf(parameters, {}),
            "the parameters' values make 1.4615e+48 configurations, more than 1e+38; give parameters "
            "fewer values");
}

// States are products and sums of what was chosen, not what was chosen.
TEST(ParameterSpaceTest, EqualPartialValuesAreOneNode) {
  std::vector<std::pair<std::string, std::string>> parameters;
  std::string product = "p0";
  std::string sum = "p0";
  for (int i = 0; i < 12; ++i) {
    parameters.emplace_back(absl::StrCat("p", i), "[2**i for i in range(6)]");
    if (i > 0) absl::StrAppend(&product, " * p", i);
    if (i > 0) sum = absl::StrCat("p", i, " + (", sum, ")");
  }
  const auto space = ParameterSpace::Make(testing::Describe(parameters, {product + " <= 2**30"})).value();
  EXPECT_LT(space.node_count(), 500u);
  const auto of_sum = ParameterSpace::Make(testing::Describe(parameters, {sum + " <= 150"})).value();
  EXPECT_LT(of_sum.node_count(), 4'000u);
}

// What holds for all values to come, or for none, is no state.
TEST(ParameterSpaceTest, RangesSettleConstraintsEarly) {
  std::vector<std::pair<std::string, std::string>> parameters;
  std::string sum = "0";
  for (int i = 0; i < 6; ++i) {
    parameters.emplace_back(absl::StrCat("p", i), "list(range(100))");
    absl::StrAppend(&sum, " + p", i, " * ", int64_t{1} << (8 * i));
  }
  const auto space = ParameterSpace::Make(testing::Describe(parameters, {sum + " > 5"})).value();
  EXPECT_EQ(space.count(), 1'000'000'000'000 - 6);
  EXPECT_LT(space.node_count(), 20u);
}

TEST(ParameterSpaceTest, ConstraintsMayUseConstants) {
  ParameterSpaceDescription description =
      testing::Describe({{"tile", "list(range(1, 11))"}}, {"ProblemSize[0] % tile == 0"});
  description.constants = {{"ProblemSize", Value::List({Value::Integer(12)})}};
  EXPECT_EQ(CountOf(description), 5u);
}

TEST(ParameterSpaceTest, RefusesWhatIsNoSpace) {
  EXPECT_EQ(ErrorOf({{"a", "[]"}}, {}), "parameter a has no values");
  EXPECT_EQ(ErrorOf({{"a", "[1, 2, 1]"}}, {}), "parameter a has the value 1 twice");
  EXPECT_EQ(ErrorOf({{"a", "[1]"}, {"a", "[2]"}}, {}), "the name a is given twice");
  EXPECT_EQ(ErrorOf({{"a", "[1]"}, {"b", "[2]"}}, {"a < c"}),
            "constraint \"a < c\": column 5: \"c\" is no parameter here; there are: a, b");
  EXPECT_EQ(ErrorOf({{"a", "[1]"}}, {}, {.parameters = 0}), "there are 1 parameters, more than 0");
}

TEST(ParameterSpaceTest, SaysWhyNothingIsValid) {
  const std::vector<std::pair<std::string, std::string>> parameters = {
      {"a", "[1, 2, 3]"}, {"b", "[1, 2, 3]"}, {"c", "[1, 2, 3]"}, {"d", "[1, 2]"}};
  EXPECT_EQ(ErrorOf(parameters, {"1 > 2"}), "no configuration is valid: constraint \"1 > 2\" is never true");
  EXPECT_EQ(
      ErrorOf(parameters, {"a < 4", "a > 2", "a < 3", "b > 1"}),
      "no configuration is valid: constraint \"a < 4\" and constraint \"a > 2\" and constraint \"a < 3\" "
      "leave a no value");
  EXPECT_EQ(ErrorOf(parameters, {"d <= a", "a * b > 9", "a < b"}),
            "no configuration is valid: constraint \"a * b > 9\" is never true");
  EXPECT_EQ(ErrorOf(parameters, {"d <= c", "a < b", "b != c", "b < a"}),
            "no configuration is valid: constraint \"a < b\" and constraint \"b < a\" contradict each other");
  EXPECT_EQ(
      ErrorOf(parameters, {"d <= c", "a < b", "b < c", "c < a", "a != 5"}),
      "no configuration is valid: constraint \"a < b\" and constraint \"b < c\" and constraint \"c < a\" are "
      "never true together");
}

TEST(ParameterSpaceTest, AConstraintWithoutValueIsAnErrorWhereOthersAllowIt) {
  const std::vector<std::pair<std::string, std::string>> parameters = {{"a", "[4, 8]"}, {"b", "[0, 2, 4]"}};
  EXPECT_EQ(ErrorOf(parameters, {"a % b == 0"}),
            "constraint \"a % b == 0\" has no value at a = 4, b = 0: column 3: division by zero; add a "
            "constraint that excludes this");
  EXPECT_EQ(CountOf(testing::Describe(parameters, {"a % b == 0", "b > 0"})), 4u);
  EXPECT_EQ(CountOf(testing::Describe(parameters, {"a % b == 0", "a * b != 0"})), 4u);
  EXPECT_EQ(CountOf(testing::Describe(parameters, {"b != 0 and a % b == 0"})), 4u);
  EXPECT_EQ(CountOf(testing::Describe(parameters, {"b == 0 or a % b == 0"})), 6u);
  EXPECT_THAT(ErrorOf(parameters, {"8 % b == 0"}),
              HasSubstr("has no value at b = 0: column 3: division by zero"));
  EXPECT_THAT(ErrorOf(parameters, {"1 / 0"}), HasSubstr("constraint \"1 / 0\": column 3: division by zero"));
}

TEST(ParameterSpaceTest, LimitsSayHowToGoOn) {
  std::vector<std::pair<std::string, std::string>> parameters;
  std::string sum = "0";
  for (int i = 0; i < 6; ++i) {
    parameters.emplace_back(absl::StrCat("p", i), "list(range(100))");
    absl::StrAppend(&sum, " + p", i, " * ", int64_t{1} << (8 * i));
  }
  const std::string states = ErrorOf(parameters, {"(" + sum + ") % 7 != 0"}, {.states = 10'000});
  EXPECT_THAT(states, HasSubstr("the constraints over p"));
  EXPECT_THAT(states, HasSubstr("more than 10000 states while they are counted; give these parameters fewer "
                                "values, or raise the limit on states"));
  EXPECT_THAT(ErrorOf(parameters, {"(" + sum + ") % 7 != 0"}, {.trials = 10'000}),
              HasSubstr("raise the limit on trials"));
}

TEST(ParameterSpaceTest, DrawsUniformly) {
  const auto space =
      ParameterSpace::Make(
          testing::Describe({{"a", "list(range(1, 9))"}, {"b", "list(range(1, 9))"}, {"c", "[0, 1, 2]"}},
                            {"a * b <= 12", "a % 2 == 0 or b > 2"}))
          .value();
  const auto count = static_cast<int>(space.count());
  ASSERT_EQ(count, 60);
  Random random(11);
  std::vector<double> drawn(count);
  constexpr int kDraws = 60'000;
  for (int i = 0; i < kDraws; ++i) ++drawn[static_cast<int>(*space.IndexOf(space.Draw(random)))];
  const double expected = static_cast<double>(kDraws) / count;
  double chi_square = 0;
  for (const double one : drawn) chi_square += (one - expected) * (one - expected) / expected;
  // Between the quantiles of 0.1 % and 99.9 % at 59 degrees of freedom.
  EXPECT_GT(chi_square, 30.3);
  EXPECT_LT(chi_square, 98.3);
}

}  // namespace
}  // namespace tune
