#include "common/program/index_range.h"

#include <gtest/gtest.h>

namespace tune {
namespace {

using Op = IndexExpression::Op;

IndexExpression Number(int64_t value) { return IndexExpression::Constant(value); }
IndexExpression Named(const std::string& name) { return IndexExpression::Name(name); }
IndexExpression Of(Op op, IndexExpression left, IndexExpression right) {
  return IndexExpression::Of(op, {std::move(left), std::move(right)});
}

// Of a definition by the expression, where b has so many values, from 0 on, and t is at least -31 and at
// most 31.
bool Stays(IndexExpression expression, int64_t blocks = 100) {
  const Block block = {{Definition{"int", "x", std::move(expression)}}};
  return StaysInInt(block, {{"b", {0, blocks - 1}}, {"t", {-31, 31}}});
}

Node LoopTo(IndexExpression end, Block body) {
  Loop loop;
  loop.iterator = "c";
  loop.first = Number(0);
  loop.condition = Of(Op::kLess, Named("c"), std::move(end));
  loop.step = Number(1);
  loop.body = std::move(body);
  return {std::move(loop)};
}

TEST(IndexRange, LargePartsOfSmallValues) {
  const IndexExpression place = Named("t") + Number(32) * Named("b");
  EXPECT_TRUE(Stays(Of(Op::kFloor, Number(200) * place, Number(200)), 1 << 15));
  EXPECT_FALSE(Stays(Of(Op::kFloor, Number(200) * place, Number(200)), 1 << 20));
  EXPECT_TRUE(Stays(place, 1 << 20));
}

TEST(IndexRange, PartsOfConditions) {
  const auto condition = [](int64_t factor) {
    return Of(Op::kGreater, Number(factor) * Named("b"), Number(1001) * Named("t"));
  };
  EXPECT_TRUE(Stays(condition(1000), 1 << 20));
  EXPECT_FALSE(Stays(condition(2000), 1 << 20));
}

TEST(IndexRange, SumsFromTheLeft) {
  const auto sum = [](int64_t first) {
    return IndexExpression::Of(Op::kAdd, {Number(first), Number(first), Number(-first)});
  };
  EXPECT_TRUE(Stays(sum(kFurthestIndex / 2)));
  EXPECT_FALSE(Stays(sum(kFurthestIndex / 2 + 1)));
}

// The ends of ranges are reached: x * factor stays at the largest factor that its ends allow, and at no
// larger.
void ExpectFurthest(const IndexExpression& expression, int64_t furthest) {
  const int64_t factor = kFurthestIndex / furthest;
  EXPECT_TRUE(Stays(expression * Number(factor)));
  EXPECT_FALSE(Stays(expression * Number(factor + 1)));
}

TEST(IndexRange, EndsOfOperators) {
  const IndexExpression b = Named("b"), t = Named("t");
  ExpectFurthest(b + t, 130);
  ExpectFurthest(b - t, 130);
  ExpectFurthest(t - b, 130);
  ExpectFurthest(b * t, 99 * 31);
  ExpectFurthest(IndexExpression::Of(Op::kNegate, {b}), 99);
  ExpectFurthest(Of(Op::kMinimum, b, t), 31);
  ExpectFurthest(Of(Op::kMaximum, b, t), 99);
  ExpectFurthest(Of(Op::kQuotient, b, Number(4)), 24);
  ExpectFurthest(Of(Op::kRemainder, b, Number(7)), 6);
  ExpectFurthest(Of(Op::kRemainder, t, Number(200)), 31);
  ExpectFurthest(Of(Op::kFloor, t, Number(4)), 8);
  ExpectFurthest(IndexExpression::Of(Op::kSelect, {Of(Op::kLess, b, t), t, b}), 99);
  ExpectFurthest(IndexExpression::Of(Op::kToIndex, {b}), 99);
}

TEST(IndexRange, LoopsEndWhereTheirConditionsDo) {
  const auto inside = [](int64_t factor) {
    return Block{{Definition{"int", "x", Number(factor) * Named("c")}}};
  };
  EXPECT_TRUE(StaysInInt({LoopTo(Named("n"), inside(1000))}, {{"n", {4, 1 << 20}}}));
  EXPECT_FALSE(StaysInInt({LoopTo(Named("n"), inside(1000))}, {{"n", {4, 1 << 24}}}));
  EXPECT_FALSE(StaysInInt({LoopTo(Number(3) * Named("n"), {})}, {{"n", {4, 1 << 29}}}));
}

TEST(IndexRange, WhatNobodyKnowsMayBeAnything) {
  EXPECT_FALSE(Stays(Named("other")));
  EXPECT_FALSE(StaysInInt({LoopTo(Named("n"), {})}, {}));
  EXPECT_FALSE(Stays(Of(Op::kQuotient, Named("b"), Named("t"))));
}

}  // namespace
}  // namespace tune
