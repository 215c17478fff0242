#include "common/schedule/joined_consumers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "absl/strings/str_join.h"
#include "common/isl/schedule_node.h"
#include "common/isl/tuple_name.h"
#include "common/schedule/instances_ahead.h"
#include "common/schedule/legality.h"
#include "tests/common/testing/sample_scops.h"

namespace tune {
namespace {

using testing::Add;
using testing::Element;
using ::testing::ElementsAre;
using testing::Read;
using testing::ScopBuilder;

struct JoinedLoops {
  explicit JoinedLoops(const v1::Scop& proto) : scop(ParseScop(context, proto).value()) {
    const Dependences dependences = ComputeDependences(context, *scop).value();
    apart = ComputeSchedule(context, *scop, dependences, {}).value();
    joined = JoinConsumers(context, apart, *scop, dependences)->value_or(apart);
    EXPECT_EQ(CheckLegal(context, joined, *scop, dependences), absl::OkStatus()) << IslText(joined);
  }

  // The statements of each part of the outermost sequence; of all where there is none.
  std::vector<std::string> Parts() const {
    const isl::schedule_node node = joined.root().child(0);
    if (!node.isa<isl::schedule_node_sequence>()) return {Names(node)};
    std::vector<std::string> parts;
    for (unsigned i = 0; i < node.n_children(); ++i)
      parts.push_back(Names(node.child(static_cast<int>(i)).child(0)));
    return parts;
  }
  static std::string Names(const isl::schedule_node& node) {
    std::vector<std::string> names;
    NodeDomain(node).foreach_set([&](const isl::set& set) { names.push_back(TupleName(set)); });
    std::sort(names.begin(), names.end());
    return absl::StrJoin(names, " ");
  }

  IslContext context;
  std::shared_ptr<const ParsedScop> scop;
  isl::schedule apart, joined;
};

// S0: y[i][j] = x[i][j] + y[i][j - 1], along rows or back. S1: z[i][j] = what is given. Values of y are the
// region's own.
v1::Scop RowSums(const std::vector<Element>& read, bool back = false, const Element& written = {"z", "i, j"},
                 bool own = true) {
  v1::Expression value = Read(0);
  for (size_t i = 1; i < read.size(); ++i) value = Add(value, Read(static_cast<int>(i)));
  return ScopBuilder("rows", {"n"}, "n >= 4")
      .Array("x", {"n", "n"})
      .Array("y", {"n", "n + 1"}, own)
      .Array("z", {"n", "n"})
      .Begin("i", "0 <= i < n")
      .Begin("j", back ? "0 <= j < n" : "1 <= j < n", back)
      .Assign({"y", "i, j"}, {{"x", "i, j"}, {"y", back ? "i, j + 1" : "i, j - 1"}}, Add(Read(0), Read(1)))
      .End()
      .End()
      .Begin("i", "0 <= i < n")
      .Begin("j", "1 <= j < n - 1")
      .Assign(written, read, value)
      .End()
      .End()
      .Build();
}

TEST(JoinedConsumers, RunWhereTheirValuesAreMade) {
  EXPECT_THAT(JoinedLoops(RowSums({{"y", "i, j"}})).Parts(), ElementsAre("S0 S1"));
  EXPECT_THAT(JoinedLoops(RowSums({{"y", "i, j"}}, /*back=*/true)).Parts(), ElementsAre("S0 S1"));
}

// Of several iterations the last one has all that is read.
TEST(JoinedConsumers, BehindAllThatTheyRead) {
  EXPECT_THAT(JoinedLoops(RowSums({{"y", "i, j"}, {"y", "i, j - 1"}})).Parts(), ElementsAre("S0 S1"));
  EXPECT_THAT(JoinedLoops(RowSums({{"y", "i, j"}, {"y", "i, j + 1"}})).Parts(), ElementsAre("S0 S1"));
}

TEST(JoinedConsumers, NotWhereTheValuesAreStoredAnyway) {
  EXPECT_THAT(JoinedLoops(RowSums({{"y", "i, j"}}, false, {"z", "i, j"}, /*own=*/false)).Parts(),
              ElementsAre("S0", "S1"));
}

// Rows run at the same time, and one is not to wait for another.
TEST(JoinedConsumers, NotWhereRowsWouldWaitForEachOther) {
  EXPECT_THAT(JoinedLoops(RowSums({{"y", "i, j"}, {"y", "n - 1 - i, j"}})).Parts(), ElementsAre("S0", "S1"));
  EXPECT_THAT(JoinedLoops(RowSums({{"y", "j, i"}, {"y", "i, j"}})).Parts(), ElementsAre("S0", "S1"));
}

// What S0 still reads is not to be overwritten.
TEST(JoinedConsumers, NotWhereTheyOverwriteWhatIsRead) {
  EXPECT_THAT(JoinedLoops(RowSums({{"y", "i, j"}}, false, {"x", "i, j + 1"})).Parts(),
              ElementsAre("S0", "S1"));
  EXPECT_THAT(JoinedLoops(RowSums({{"y", "i, j"}}, false, {"x", "i, j"})).Parts(), ElementsAre("S0 S1"));
}

// Two recurrences, and a sum of both, which is in the one that it waits for last.
TEST(JoinedConsumers, OfSeveralProducersInTheLoopsOfOne) {
  const v1::Scop both = ScopBuilder("both", {"n"}, "n >= 4")
                            .Array("y", {"n", "n + 1"}, true)
                            .Array("w", {"n", "n + 1"}, true)
                            .Array("z", {"n", "n"})
                            .Begin("i", "0 <= i < n")
                            .Begin("j", "1 <= j < n")
                            .Assign({"y", "i, j"}, {{"y", "i, j"}, {"y", "i, j - 1"}}, Add(Read(0), Read(1)))
                            .End()
                            .End()
                            .Begin("i", "0 <= i < n")
                            .Begin("j", "0 <= j < n", /*decreasing=*/true)
                            .Assign({"w", "i, j"}, {{"w", "i, j"}, {"w", "i, j + 1"}}, Add(Read(0), Read(1)))
                            .End()
                            .End()
                            .Begin("i", "0 <= i < n")
                            .Begin("j", "1 <= j < n")
                            .Assign({"z", "i, j"}, {{"y", "i, j"}, {"w", "i, j"}}, Add(Read(0), Read(1)))
                            .End()
                            .End()
                            .Build();
  const JoinedLoops loops(both);
  ASSERT_EQ(loops.Parts().size(), 2u) << IslText(loops.joined);
  EXPECT_THAT(loops.Parts()[1], ::testing::AnyOf("S0 S2", "S1 S2"));
}

// Coefficients that are computed one after the other are one part before and after.
TEST(JoinedConsumers, OtherPartsStayWhole) {
  const v1::Scop rows = ScopBuilder("rows", {"n"}, "n >= 4")
                            .Array("a", {})
                            .Array("b", {})
                            .Array("y", {"n", "n"}, true)
                            .Array("z", {"n", "n"})
                            .Assign({"a", ""}, {}, testing::Literal("2.0"))
                            .Assign({"b", ""}, {{"a", ""}}, Read(0))
                            .Begin("i", "0 <= i < n")
                            .Begin("j", "1 <= j < n")
                            .Assign({"y", "i, j"}, {{"y", "i, j - 1"}, {"b", ""}}, Add(Read(0), Read(1)))
                            .End()
                            .End()
                            .Begin("i", "0 <= i < n")
                            .Begin("j", "1 <= j < n")
                            .Assign({"z", "i, j"}, {{"y", "i, j"}}, Read(0))
                            .End()
                            .End()
                            .Build();
  IslContext context;
  const auto scop_of = ParseScop(context, rows).value();
  const Dependences dependences = ComputeDependences(context, *scop_of).value();
  const isl::schedule apart = ComputeSchedule(context, *scop_of, dependences, {}).value();
  const isl::schedule ahead = SingleInstancesAhead(context, apart, dependences).value();
  const auto joined = JoinConsumers(context, ahead, *scop_of, dependences).value();
  ASSERT_TRUE(joined.has_value()) << IslText(ahead);
  const isl::schedule_node sequence = joined->root().child(0);
  ASSERT_EQ(sequence.n_children(), 2u) << IslText(*joined);
  EXPECT_EQ(JoinedLoops::Names(sequence.child(0).child(0)), "S0 S1");
  EXPECT_EQ(JoinedLoops::Names(sequence.child(1).child(0)), "S2 S3");
}

// What is parallel has nothing to wait for; what is a sum has no parallel loops alone.
TEST(JoinedConsumers, OthersStayAsTheyAre) {
  for (const v1::Scop& scop : {testing::GemmScop(), testing::Jacobi1dScop(), testing::TriangularScop()}) {
    const JoinedLoops loops(scop);
    EXPECT_EQ(IslText(loops.joined), IslText(loops.apart));
  }
}

}  // namespace
}  // namespace tune
