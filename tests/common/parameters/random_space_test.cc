// Random small spaces, compared with a list of all their configurations.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "common/expression/value_text.h"
#include "common/parameters/parameter_walk.h"
#include "tests/common/parameters/sample_spaces.h"

namespace tune {
namespace {

struct RandomSpace {
  std::vector<std::pair<std::string, std::string>> parameters;
  std::vector<std::vector<std::string>> constraints;  // the conditions of each

  std::vector<std::string> Texts() const {
    std::vector<std::string> texts;
    for (const auto& conditions : constraints) texts.push_back(absl::StrJoin(conditions, " and "));
    return texts;
  }
};

// X, Y, Z: parameters; C: a number.
constexpr const char* kConditions[] = {"X * Y <= C",
                                       "X * Y * Z <= C * 4",
                                       "Z * (Y * X) + X * Y >= C",
                                       "X + Y + Z != C",
                                       "C // 4 <= X * Y < C * 2",
                                       "X % Y == 0",
                                       "(X * 16) % (Y * Z) == 0",
                                       "X % (Y + 1) == 0",
                                       "(X == 1 or Y * Z > C)",
                                       "(X * Y > C or Z == 2 or X % Z == 1)",
                                       "not (X > 2 and Y > 1)",
                                       "!(X == Y) ",
                                       "X in [1, 2, 4]",
                                       "X not in (Y, Z)",
                                       "max(X, Y) >= Z",
                                       "(X if Y > 2 else Z)",
                                       "(X * Z < C if Y > 1 else X + Z < 5)",
                                       "(1 if X > Y else Z / X) > 0.5",
                                       "any(X % i == 0 and Y != i for i in range(2, 4))",
                                       "X / Y > 1.5",
                                       "(X + 1) // 2 * Y - Z != 3",
                                       "(X and Y or Z)",
                                       "X < Y <= Z",
                                       "str(X == Y) != 'True'",
                                       "X",
                                       "X > 0",
                                       "sum([X, Y, Z]) <= C",
                                       "2**X >= Y",
                                       "X**Y * Z <= C",
                                       "X - Y * Z > 0 - C",
                                       "(X << Y) < C",
                                       "Y < X * 8 // (Z + 1) <= C",
                                       "X * Y % (Z + 2) < 2",
                                       "X ^ Y != Z"};

std::vector<std::string> RandomConditions(Random& random, size_t parameters) {
  std::vector<std::string> conditions;
  for (uint64_t count = 1 + random.Below(2); count > 0; --count) {
    const auto name = [&] { return std::string(1, static_cast<char>('a' + random.Below(parameters))); };
    conditions.push_back(absl::StrReplaceAll(
        kConditions[random.Below(std::size(kConditions))],
        {{"X", name()}, {"Y", name()}, {"Z", name()}, {"C", absl::StrCat(1 + random.Below(16))}}));
  }
  return conditions;
}

RandomSpace MakeRandomSpace(Random& random) {
  static constexpr const char* kLists[] = {"[1, 2, 4, 8]",  "[0, 1]",        "[1]",
                                           "[3, 1, 2]",     "[0, 2, 5]",     "[1, 2, 3, 4]",
                                           "[0.5, 1, 2.0]", "[True, False]", "[2, 3]"};
  RandomSpace space;
  const size_t parameters = 1 + random.Below(6);
  for (size_t i = 0; i < parameters; ++i)
    space.parameters.emplace_back(std::string(1, static_cast<char>('a' + i)),
                                  kLists[random.Below(std::size(kLists))]);
  for (uint64_t count = random.Below(5); count > 0; --count)
    space.constraints.push_back(RandomConditions(random, parameters));
  return space;
}

struct Listed {
  std::vector<ParameterChoice> valid;
  bool has_error = false;  // a condition has no value where no other is false
};

Listed List(const RandomSpace& space) {
  const ParameterSpaceDescription description = testing::Describe(space.parameters, {});
  std::vector<std::string> names;
  for (const auto& [name, values] : space.parameters) names.push_back(name);
  std::vector<CompiledExpression> conditions;
  for (const auto& constraint : space.constraints) {
    for (const std::string& condition : constraint)
      conditions.push_back(CompiledExpression::Compile(Expression::Parse(condition).value(), names).value());
  }
  Listed listed;
  ParameterChoice choice(names.size());
  for (size_t moved = 0; moved < choice.size() || choice.empty();) {
    std::vector<Value> values;
    for (size_t i = 0; i < choice.size(); ++i) values.push_back(description.parameters[i].values[choice[i]]);
    bool has_false = false;
    bool has_error = false;
    for (const CompiledExpression& condition : conditions) {
      const auto holds = condition.Holds(values);
      has_error = has_error || !holds.ok();
      has_false = has_false || (holds.ok() && !*holds);
    }
    if (!has_false && has_error) listed.has_error = true;
    if (!has_false && !has_error) listed.valid.push_back(choice);
    for (moved = 0; moved < choice.size(); ++moved) {
      if (++choice[moved] < static_cast<int>(description.parameters[moved].values.size())) break;
      choice[moved] = 0;
    }
  }
  return listed;
}

void ExpectIndicesOf(const ParameterSpace& space, const std::vector<ParameterChoice>& valid) {
  std::set<ParameterChoice> found;
  for (absl::uint128 index = 0; index < space.count(); ++index) {
    const ParameterChoice choice = space.At(index);
    EXPECT_EQ(space.IndexOf(choice), index);
    found.insert(choice);
  }
  EXPECT_EQ(found, std::set<ParameterChoice>(valid.begin(), valid.end()));
}

// All ways through the space: `reachable` has what was decided.
void ExpectWalksOf(const ParameterWalk& walk, const std::vector<ParameterChoice>& reachable) {
  if (walk.AtEnd()) {
    EXPECT_EQ(reachable, std::vector<ParameterChoice>{walk.choice()});
    return;
  }
  std::map<int, std::vector<ParameterChoice>> expected;
  for (const ParameterChoice& choice : reachable) expected[choice[walk.parameter()]].push_back(choice);
  std::vector<int> wanted;
  for (const auto& [value, choices] : expected) wanted.push_back(value);
  std::vector<int> options;
  for (const DecisionDiagram::Edge& option : walk.options()) options.push_back(option.value);
  EXPECT_EQ(options, wanted);
  for (const DecisionDiagram::Edge& option : walk.options()) {
    EXPECT_EQ(walk.CountOf(option), expected[option.value].size());
    ParameterWalk next = walk;
    next.Take(option);
    ExpectWalksOf(next, expected[option.value]);
  }
}

TEST(RandomSpaceTest, IsWhatAListOfAllSays) {
  Random random(5);
  int empty = 0;
  int with_errors = 0;
  int compared = 0;
  for (int i = 0; i < 3'000; ++i) {
    const RandomSpace made = MakeRandomSpace(random);
    const Listed listed = List(made);
    const auto space = ParameterSpace::Make(testing::Describe(made.parameters, made.Texts()));
    SCOPED_TRACE(absl::StrJoin(made.Texts(), "; "));
    SCOPED_TRACE(absl::StrJoin(made.parameters, "; ", absl::PairFormatter(": ")));
    if (listed.has_error) {
      ++with_errors;
      EXPECT_EQ(space.status().code(), absl::StatusCode::kInvalidArgument) << space.status();
    } else if (listed.valid.empty()) {
      ++empty;
      EXPECT_EQ(space.status().code(), absl::StatusCode::kFailedPrecondition) << space.status();
    } else {
      ++compared;
      ASSERT_TRUE(space.ok()) << space.status();
      EXPECT_EQ(space->count(), listed.valid.size());
      ExpectIndicesOf(*space, listed.valid);
      ExpectWalksOf(ParameterWalk(*space), listed.valid);
    }
    if (HasFailure()) return;
  }
  EXPECT_GT(empty, 200);
  EXPECT_GT(with_errors, 200);
  EXPECT_GT(compared, 1'000);
}

}  // namespace
}  // namespace tune
