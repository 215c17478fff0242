#include "common/transform/launches/step_conditions.h"

#include <gtest/gtest.h>

#include <random>

#include "common/program/block_reader.h"
#include "common/program/expression_text.h"
#include "tests/common/program/program_texts.h"

namespace tune {
namespace {

IndexExpression ConditionOf(const std::string& condition) {
  const Block block = ReadBlock("if " + condition + "\n  run S0(A[0])\n").value();
  return block[0].As<Condition>()->condition;
}

IndexExpression SolvedForStep(const IndexExpression& condition) {
  DeviceKernel kernel;
  kernel.body = {{Condition{condition, {}, {}}}};
  SolveForStep("s", &kernel);
  return kernel.body[0].As<Condition>()->condition;
}

std::string Solved(const std::string& condition) {
  return PrintIndexExpression(SolvedForStep(ConditionOf(condition)));
}

TEST(StepConditions, BoundsOfTheStepAreTwoNumbers) {
  EXPECT_EQ(Solved("s + t >= 46 && t <= n && s + t <= 173 && n + 92 > s + 2 * t && 3 < s - k"),
            "t <= n && s >= max(46 - t, 3 - (0 - k) + 1) && s <= min(173 - t, n + 92 - 2 * t + -1)");
  EXPECT_EQ(Solved("-s + t >= 4"), "s <= t - 4");
  EXPECT_EQ(Solved("s <= n"), "s <= n");
}

TEST(StepConditions, OthersStay) {
  EXPECT_EQ(Solved("2 * s <= n && s == t"), "2 * s <= n && s == t");
  EXPECT_EQ(Solved("s <= n || s >= t"), "s <= n || s >= t");
  EXPECT_EQ(Solved("t <= n"), "t <= n");
}

TEST(StepConditions, SumsThatLoopsShareStay) {
  const char* const text =
      "if s + t >= 4\n  run S0(A[0])\nfor c = 0; c <= 3; c += 1\n  if s + t >= 2 * c\n    run S0(A[0])\n";
  const absl::StatusOr<Block> block = ReadBlock(text);
  ASSERT_TRUE(block.ok()) << block.status();
  DeviceKernel kernel;
  kernel.body = *block;
  SolveForStep("s", &kernel);
  EXPECT_EQ(kernel.body, *block);
}

// Sums of some names and the step.
IndexExpression RandomSum(std::mt19937& random) {
  const auto number = [&](int most) { return static_cast<int>(random() % (most + 1)); };
  IndexExpression sum = IndexExpression::Constant(number(8) - 4);
  for (int term = number(3); term > 0; --term) {
    const char* const names[] = {"s", "t", "n"};
    IndexExpression next = IndexExpression::Name(names[number(2)]);
    if (number(3) == 0) next = IndexExpression::Constant(number(3)) * next;
    if (number(3) == 0) next = IndexExpression::Of(IndexExpression::Op::kNegate, {next});
    sum = number(1) == 0 ? sum + next : number(1) == 0 ? sum - next : next - sum;
  }
  return sum;
}

TEST(StepConditions, RandomOnesHoldInTheSameSteps) {
  using Op = IndexExpression::Op;
  std::mt19937 random(7);
  for (int round = 0; round < 300; ++round) {
    std::vector<IndexExpression> parts;
    for (int part = 0; part < 4; ++part) {
      const Op ops[] = {Op::kLess, Op::kLessEqual, Op::kGreater, Op::kGreaterEqual, Op::kEqual};
      parts.push_back(IndexExpression::Of(ops[random() % 5], {RandomSum(random), RandomSum(random)}));
    }
    const IndexExpression condition = IndexExpression::Of(Op::kAnd, std::move(parts));
    const IndexExpression solved = SolvedForStep(condition);
    for (int values = 0; values < 7 * 7 * 7; ++values) {
      const auto value_of = [&](const std::string& name) -> int64_t {
        return (name == "s" ? values : name == "t" ? values / 7 : values / 49) % 7 - 3;
      };
      ASSERT_EQ(Evaluate(condition, value_of), Evaluate(solved, value_of)) << PrintIndexExpression(condition);
    }
  }
}

}  // namespace
}  // namespace tune
