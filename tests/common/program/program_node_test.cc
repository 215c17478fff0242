#include "common/program/program_node.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tune {
namespace {

using ::testing::ElementsAre;

IndexExpression NameOf(const std::string& name) { return IndexExpression::Name(name); }

// One node of each kind, each with names of its own.
Block Every() {
  Loop loop;
  loop.iterator = "i";
  loop.first = NameOf("a");
  loop.condition = NameOf("b");
  loop.step = NameOf("c");
  loop.body = {{Barrier{}}};
  loop.fetched = {{{"A", {NameOf("y")}}}};
  Condition branch{
      NameOf("d"), {{CommitFills{}}, {AwaitFills{}}}, {{Scope{{{Definition{"int", "x", NameOf("e")}}}}}}};
  Instance instance{"S0", {{"A", {NameOf("f")}}, {"s", {}}}, {NameOf("g")}};
  Transfer transfer{{"A", {NameOf("h")}}, {"T", {NameOf("j")}}};
  Fill fill;
  fill.tiles = {TileFill{{"T", {NameOf("k")}}, {NameOf("l")}, {false}, {true}}};
  Launch launch{0, {NameOf("m")}, {NameOf("n")}, {NameOf("o")}};
  Product product;
  product.sum = {"k", NameOf("p"), NameOf("q")};
  product.row = {"i", NameOf("r"), NameOf("s")};
  product.column = {"j", NameOf("t"), NameOf("u")};
  product.instance = {"S1", {{"C", {NameOf("v")}}}, {}};
  product.plain = {{Definition{"int", "y", NameOf("w")}}};
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
