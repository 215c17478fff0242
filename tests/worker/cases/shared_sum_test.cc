#include "worker/cases/shared_sum.h"

#include <gtest/gtest.h>

namespace tune {
namespace {

IndexExpression Name(const std::string& name) { return IndexExpression::Name(name); }

// S updates number 1 of its accesses, R does something else, in a loop under a condition.
Block Example() {
  Instance update, other;
  update.statement = "S";
  update.accesses = {{"x", {Name("k")}}, {"y", {Name("i")}}};
  other.statement = "R";
  other.accesses = {{"x", {Name("k")}}, {"y", {Name("k")}}};
  Loop loop;
  loop.body = {{other}, {update}};
  return {{Condition{Name("where"), {{loop}}, {}}}};
}

const Block& BodyOf(const Block& block) { return block.at(0).As<Condition>()->then.at(0).As<Loop>()->body; }

TEST(SharedSum, UpdatesChangeTheVariable) {
  Block block = Example();
  UpdateInstead("S", 1, "sum", &block);
  EXPECT_EQ(BodyOf(block)[0], BodyOf(Example())[0]);
  const auto* const update = BodyOf(block)[1].As<Instance>();
  ASSERT_NE(update, nullptr);
  EXPECT_EQ(update->accesses[0], (ElementAccess{"x", {Name("k")}}));
  EXPECT_EQ(update->accesses[1], (ElementAccess{"sum", {}}));
}

TEST(SharedSum, TheSumIsAddedToTheElement) {
  Block block = Example();
  AddInstead("S", 1, {"sum", v1::ELEMENT_TYPE_DOUBLE, v1::MULTIPLY}, &block);
  EXPECT_EQ(BodyOf(block)[0], BodyOf(Example())[0]);
  const auto* const total = BodyOf(block)[1].As<Transfer>();
  ASSERT_NE(total, nullptr);
  EXPECT_EQ(total->to, (ElementAccess{"y", {Name("i")}}));
  EXPECT_EQ(total->from, (ElementAccess{"sum", {}}));
  EXPECT_EQ(total->type, v1::ELEMENT_TYPE_DOUBLE);
  EXPECT_EQ(total->update, v1::MULTIPLY);
}

TEST(SharedSum, ElementsGoToTheVariableAndBack) {
  Block load = Example(), store = Example();
  LoadInstead("S", 1, "sum[p]", &load);
  StoreInstead("S", 1, "sum[p]", &store);
  const ElementAccess element = {"y", {Name("i")}}, variable = {"sum[p]", {}};
  EXPECT_EQ(*BodyOf(load)[1].As<Transfer>(), (Transfer{variable, element}));
  EXPECT_EQ(*BodyOf(store)[1].As<Transfer>(), (Transfer{element, variable}));
}

}  // namespace
}  // namespace tune
