#include "common/transform/fusion_levels/partition_walk.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <set>

#include "common/base/random.h"
#include "common/decision/all_walks.h"
#include "common/decision/configuration.h"

namespace tune {
namespace {

using ::testing::ElementsAre;

// Statements S0, S1, .. of which some depend on earlier ones, and pairs of which do not fuse.
struct SmallProgram {
  int statements = 0;
  std::set<std::pair<int, int>> dependences;  // earlier, later
  std::set<std::pair<int, int>> enemies;      // a < b

  bool Fuses(const ComponentOrder& part) const {
    for (const size_t a : part) {
      for (const size_t b : part)
        if (enemies.count({static_cast<int>(a), static_cast<int>(b)}) > 0) return false;
    }
    return true;
  }

  StatementGraph Graph(IslContext& context) const {
    std::vector<std::string> names;
    for (int s = 0; s < statements; ++s) names.push_back(absl::StrCat("S", s));
    isl::union_map pairs = isl::union_map::empty(context.ctx());
    for (const auto& [earlier, later] : dependences)
      pairs = pairs.unite(
          isl::union_map(context.ctx(), absl::StrCat("{ S", earlier, "[i] -> S", later, "[i] }")));
    return StatementGraph(names, pairs);
  }
};

SmallProgram RandomProgram(uint64_t seed) {
  Random random(seed);
  const auto is_drawn = [&](double share) { return random.Draw({1 - share, share}) == 1; };
  SmallProgram program;
  program.statements = 2 + random.Draw({1, 1, 1});
  for (int a = 0; a < program.statements; ++a) {
    for (int b = a + 1; b < program.statements; ++b) {
      if (is_drawn(0.3)) program.dependences.insert({a, b});
      if (is_drawn(0.3)) program.enemies.insert({a, b});
    }
  }
  return program;
}

PartitionQuestion QuestionOf(const SmallProgram& program, const StatementGraph& graph) {
  PartitionQuestion question;
  question.key = "schedule[test]@0";
  question.graph = &graph;
  for (int s = 0; s < program.statements; ++s) question.standard.push_back({static_cast<size_t>(s)});
  question.fuses = [&program](const ComponentOrder& part) { return program.Fuses(part); };
  return question;
}

using Parts = std::vector<ComponentOrder>;

// All topological orders, cut at all places, in which every part fuses.
std::set<Parts> BruteForce(const SmallProgram& program) {
  std::set<Parts> all;
  ComponentOrder order(program.statements);
  std::iota(order.begin(), order.end(), 0);
  do {
    const auto place = [&](int s) { return std::find(order.begin(), order.end(), s) - order.begin(); };
    const bool is_legal = std::all_of(program.dependences.begin(), program.dependences.end(),
                                      [&](const auto& d) { return place(d.first) < place(d.second); });
    if (!is_legal) continue;
    for (int cuts = 0; cuts < 1 << (program.statements - 1); ++cuts) {
      Parts parts(1);
      for (int i = 0; i < program.statements; ++i) {
        parts.back().push_back(order[i]);
        if (i + 1 < program.statements && (cuts >> i & 1) != 0) parts.emplace_back();
      }
      if (std::all_of(parts.begin(), parts.end(), [&](const auto& p) { return program.Fuses(p); }))
        all.insert(parts);
    }
  } while (std::next_permutation(order.begin(), order.end()));
  return all;
}

TEST(PartitionWalkTest, WalksAreAllPartitionsOfAllTopologicalOrders) {
  for (uint64_t seed = 0; seed < 40; ++seed) {
    SCOPED_TRACE(seed);
    const SmallProgram program = RandomProgram(seed);
    IslContext context;
    const StatementGraph graph = program.Graph(context);
    std::set<Parts> found;
    const int walks = ForAllWalks([&](Chooser& chooser) {
      const auto parts = ChoosePartition(chooser, QuestionOf(program, graph));
      ASSERT_TRUE(parts.ok()) << parts.status();
      found.insert(*parts);
    });
    const std::set<Parts> expected = BruteForce(program);
    EXPECT_EQ(found, expected);
    EXPECT_EQ(walks, static_cast<int>(expected.size())) << "different answers gave the same parts";
  }
}

// Coding Ants, figure 4: three statements without dependences have six orders, and each is one part, two in
// two ways, or three.
TEST(PartitionWalkTest, FigureFour) {
  const SmallProgram program{3, {}, {}};
  IslContext context;
  const StatementGraph graph = program.Graph(context);
  const int walks = ForAllWalks(
      [&](Chooser& chooser) { EXPECT_TRUE(ChoosePartition(chooser, QuestionOf(program, graph)).ok()); });
  EXPECT_EQ(walks, 24);
}

TEST(PartitionWalkTest, TheDefaultIsNeverMasked) {
  const SmallProgram program{3, {{0, 2}}, {{0, 1}, {0, 2}, {1, 2}}};
  IslContext context;
  const StatementGraph graph = program.Graph(context);
  PartitionQuestion question = QuestionOf(program, graph);
  question.standard = {{1}, {0, 2}};
  DefaultChooser defaults;
  RecordingChooser recording(&defaults);
  const auto parts = ChoosePartition(recording, question);
  ASSERT_TRUE(parts.ok()) << parts.status();
  EXPECT_EQ(*parts, question.standard);
  EXPECT_EQ(PrintConfiguration(recording.configuration()),
            "schedule[test]@0.order_0 = S1\n"
            "schedule[test]@0.partitions = 2\n");
}

TEST(PartitionWalkTest, KeysSayWhichStatementBeginsAPart) {
  const SmallProgram program{3, {}, {}};
  IslContext context;
  const StatementGraph graph = program.Graph(context);
  class Last : public Chooser {
   public:
    absl::StatusOr<int> Choose(const DecisionPoint& point) override {
      if (point.key == "schedule[test]@0.partitions") return 1;
      for (int i = static_cast<int>(point.allowed.size()); i-- > 0;)
        if (point.allowed[i]) return i;
      return absl::InternalError("nothing allowed");
    }
  };
  Last last;
  RecordingChooser recording(&last);
  const auto parts = ChoosePartition(recording, QuestionOf(program, graph));
  ASSERT_TRUE(parts.ok()) << parts.status();
  EXPECT_THAT(*parts, ElementsAre(ElementsAre(2, 1), ElementsAre(0)));
  EXPECT_EQ(PrintConfiguration(recording.configuration()),
            "schedule[test]@0.order_0 = S2\n"
            "schedule[test]@0.order_1 = S1\n"
            "schedule[test]@0.partitions = 2\n"
            "schedule[test]@0.size_S2 = 2\n");
}

TEST(PartitionWalkTest, ErrorsEndTheWalk) {
  const SmallProgram program{2, {}, {}};
  IslContext context;
  const StatementGraph graph = program.Graph(context);
  PartitionQuestion question = QuestionOf(program, graph);
  question.fuses = [](const ComponentOrder&) { return absl::InternalError("too hard"); };
  DefaultChooser defaults;
  EXPECT_EQ(ChoosePartition(defaults, question).status(), absl::InternalError("too hard"));
}

}  // namespace
}  // namespace tune
