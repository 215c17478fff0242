#include "common/program/program_node.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tune {
namespace {

using ::testing::ElementsAre;

IndexExpression Named(const std::string& name) { return IndexExpression::Name(name); }

// One node of each kind, each with names of its own.
Block Every() {
  Loop loop;
  loop.iterator = "i";
  loop.first = Named("a");
  loop.condition = Named("b");
  loop.step = Named("c");
  loop.body = {{Barrier{}}};
  loop.fetched = {{{"A", {Named("y")}}}};
  Condition branch{
      Named("d"), {{CommitFills{}}, {AwaitFills{}}}, {{Scope{{{Definition{"int", "x", Named("e")}}}}}}};
  Instance instance{"S0", {{"A", {Named("f")}}, {"s", {}}}, {Named("g")}};
  Transfer transfer{{"A", {Named("h")}}, {"T", {Named("j")}}};
  Fill fill;
  fill.tiles = {TileFill{{"T", {Named("k")}}, {Named("l")}, {false}, {true}}};
  Launch launch{0, {Named("m")}, {Named("n")}, {Named("o")}};
  Product product;
  product.sum = {"k", Named("p"), Named("q")};
  product.row = {"i", Named("r"), Named("s")};
  product.column = {"j", Named("t"), Named("u")};
  product.instance = {"S1", {{"C", {Named("v")}}}, {}};
  product.plain = {{Definition{"int", "y", Named("w")}}};
  return {{loop},     {branch},
          {instance}, {transfer},
          {fill},     {BlockReduction{"T", 0}},
          {launch},   {BlockTurns{launch}},
          {product}};
}

TEST(ProgramNode, NamesOfAllExpressionsAreFound) {
  std::set<std::string> names;
  CollectNames(Every(), &names);
  EXPECT_THAT(names, ElementsAre("a", "b", "c", "d", "e", "f", "g", "h", "j", "k", "l", "m", "n", "o", "p",
                                 "q", "r", "s", "t", "u", "v", "w", "y"));
}

TEST(ProgramNode, NodesAreVisitedBeforeWhatTheyHold) {
  std::vector<size_t> kinds;
  ForEachNode(Every(), [&](const Node& node) { kinds.push_back(node.kind.index()); });
  const auto index = [](const auto& kind) { return Node{kind}.kind.index(); };
  EXPECT_THAT(kinds, ElementsAre(index(Loop{}), index(Barrier{}), index(Condition{}), index(CommitFills{}),
                                 index(AwaitFills{}), index(Scope{}), index(Definition{}), index(Instance{}),
                                 index(Transfer{}), index(Fill{}), index(BlockReduction{}), index(Launch{}),
                                 index(BlockTurns{}), index(Product{}), index(Definition{})));
}

TEST(ProgramNode, EqualNodesAreEqual) {
  EXPECT_EQ(Every(), Every());
  Block other = Every();
  other[0].As<Loop>()->body.clear();
  EXPECT_NE(other, Every());
}

}  // namespace
}  // namespace tune
