#include "common/program/node_runs.h"

#include <gtest/gtest.h>

#include "tests/common/program/program_texts.h"

namespace tune {
namespace {

// Launches of kernel 1, in runs of at most three, become one of kernel 10 i + n: n of them, in i loops.
std::string Numbered(const std::string& text) {
  NodeRuns runs;
  runs.is_member = [](const Node& node) {
    const auto* const launch = node.As<Launch>();
    return launch != nullptr && launch->kernel == 1;
  };
  runs.follows = [](const Node&, const Block& run) { return run.size() < 3; };
  runs.replacement = [](const Block& run, const std::vector<std::string>& iterators) {
    Launch launch = *run.front().As<Launch>();
    launch.kernel = static_cast<int>(10 * iterators.size() + run.size());
    return Node{launch};
  };
  return PrintBlockText(ReplaceRuns(ReadBlock(text).value(), runs));
}

TEST(NodeRuns, AreAsLongAsTheyCanBe) {
  EXPECT_EQ(Numbered("launch 1\nlaunch 1\nlaunch 0\nlaunch 1\n"), "launch 2\nlaunch 0\nlaunch 1\n");
  EXPECT_EQ(Numbered("launch 1\nlaunch 1\nlaunch 1\nlaunch 1\n"), "launch 3\nlaunch 1\n");
  EXPECT_EQ(Numbered(""), "");
}

TEST(NodeRuns, EndWhereAnotherBlockBegins) {
  const std::string head = "for t = 0; t < 9; t += 1\n";
  EXPECT_EQ(Numbered("launch 1\n" + head + "  launch 1\n  launch 1\nlaunch 1\n"),
            "launch 1\n" + head + "  launch 12\nlaunch 1\n");
}

}  // namespace
}  // namespace tune
