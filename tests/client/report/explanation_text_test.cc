#include "client/report/explanation_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tune {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

v1::Explanation Example() {
  v1::Explanation explanation;
  explanation.set_index(17);
  explanation.set_iteration(1);
  explanation.set_origin("a walk by the trails alone");
  explanation.set_tree("all: 1 s (10 candidates)\n");
  v1::ExplainedDecision* decision = explanation.add_decisions();
  decision->set_key("k[S0].tile_size_0");
  decision->set_chosen(1);
  decision->set_reason("drawn");
  for (const char* name : {"16", "32", "64"}) {
    v1::ExplainedOption* option = decision->add_options();
    option->set_option(name);
    option->set_pheromone(0.25);
    option->set_desirability(1.5);
  }
  decision->mutable_options(1)->set_probability(1);
  decision->mutable_options(0)->set_closed("outside the region");
  decision->mutable_options(2)->set_closed("not allowed here");
  v1::GraphEdge* edge = explanation.add_edges();
  edge->set_key("a \"quoted\" key");
  edge->set_option("1");
  edge->set_pheromone(0.55);
  edge->set_desirability(1);
  edge->set_visits(3);
  (*edge->mutable_next())["k[S0].tile_size_0"] = 2;
  (*edge->mutable_next())[""] = 1;
  v1::GraphEdge* other = explanation.add_edges();
  *other = *edge;
  other->set_option("2");
  other->set_visits(0);
  other->clear_next();
  return explanation;
}

TEST(ExplanationText, TellsTheOptionsOfEachDecision) {
  const std::string text = ExplanationText("s3", Example());
  EXPECT_THAT(text, HasSubstr("s3/17, iteration 1: a walk by the trails alone\n"));
  EXPECT_THAT(text, HasSubstr("k[S0].tile_size_0 = 32   (drawn)\n"));
  EXPECT_THAT(text,
              HasSubstr("    16               pheromone 0.250  desirability 1.500  outside the region\n"));
  EXPECT_THAT(text,
              HasSubstr("  * 32               pheromone 0.250  desirability 1.500  probability 1.000\n"));
}

TEST(ExplanationText, TellsNotes) {
  v1::Explanation explanation = Example();
  explanation.add_notes("drawn by another version");
  EXPECT_THAT(ExplanationText("s3", explanation), HasSubstr("note: drawn by another version\n"));
}

TEST(TreeReport, SaysWhenThereIsNone) {
  EXPECT_THAT(TreeReport("s3", Example()), HasSubstr("before iteration 1"));
  EXPECT_THAT(TreeReport("s3", Example()), HasSubstr("all: 1 s (10 candidates)\n"));
  EXPECT_THAT(TreeReport("s3", {}), HasSubstr("s3: no regression tree"));
}

TEST(GraphTable, ShowsTheEdgesThatWereTaken) {
  const std::string table = GraphTable(Example());
  EXPECT_THAT(table, HasSubstr("a \"quoted\" key  1           0.550         1.000           3\n"));
  EXPECT_THAT(table, Not(HasSubstr("\n                2")));
}

TEST(GraphDot, IsAGraphOfDecisions) {
  EXPECT_EQ(GraphDot(Example()),
            "digraph decisions {\n"
            "  node [shape=box];\n"
            "  \"\" [label=\"end\", shape=ellipse];\n"
            "  \"a \\\"quoted\\\" key\" -> \"\" [label=\"1: 0.55, 1\", penwidth=3.25];\n"
            "  \"a \\\"quoted\\\" key\" -> \"k[S0].tile_size_0\" [label=\"1: 0.55, 2\", penwidth=3.25];\n"
            "}\n");
}

TEST(ExplanationJson, HasEverything) {
  const Json json = ToJson(Example());
  EXPECT_EQ(json["decisions"][0]["chosen"], "32");
  EXPECT_EQ(json["decisions"][0]["options"][0]["closed"], "outside the region");
  EXPECT_EQ(json["graph"][0]["next"]["k[S0].tile_size_0"], 2);
  EXPECT_EQ(json["tree"], "all: 1 s (10 candidates)\n");
}

}  // namespace
}  // namespace tune
