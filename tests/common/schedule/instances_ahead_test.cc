#include "common/schedule/instances_ahead.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "common/isl/schedule_node.h"
#include "common/isl/tuple_name.h"
#include "common/schedule/legality.h"
#include "common/schedule/original_schedule.h"
#include "tests/common/testing/sample_scops.h"

namespace tune {
namespace {

using testing::Add;
using ::testing::ElementsAre;
using testing::Literal;
using testing::Multiply;
using testing::Read;
using testing::ScopBuilder;

struct Moved {
  explicit Moved(const v1::Scop& proto) : scop(ParseScop(context, proto).value()) {
    const Dependences dependences = ComputeDependences(context, *scop).value();
    original = OriginalSchedule(context, *scop, dependences);
    schedule = SingleInstancesAhead(context, original, dependences).value();
    EXPECT_EQ(CheckLegal(context, schedule, *scop, dependences), absl::OkStatus()) << IslText(schedule);
  }

  // Of the outermost sequence: { S } each.
  std::vector<std::string> Parts() const { return PartsBelow(schedule.root().child(0)); }
  static std::vector<std::string> PartsBelow(const isl::schedule_node& node) {
    std::vector<std::string> parts;
    for (unsigned i = 0; i < node.n_children(); ++i) {
      std::string names;
      NodeDomain(node.child(static_cast<int>(i)).child(0)).foreach_set([&](const isl::set& set) {
        absl::StrAppend(&names, names.empty() ? "" : " ", TupleName(set));
      });
      parts.push_back(names);
    }
    return parts;
  }

  IslContext context;
  std::shared_ptr<const ParsedScop> scop;
  isl::schedule original, schedule;
};

// x[i] = a x[i], b = 2, y[i] = b c y[i] where c = b.
TEST(InstancesAhead, ComeBeforeTheLoopsInTheirOrder) {
  const Moved moved(ScopBuilder("filter", {"n"}, "n >= 2")
                        .Array("a", {})
                        .Array("b", {})
                        .Array("c", {})
                        .Array("x", {"n"})
                        .Array("y", {"n"})
                        .Begin("i", "0 <= i < n")
                        .Assign({"x", "i"}, {{"a", ""}, {"x", "i"}}, Multiply(Read(0), Read(1)))
                        .End()
                        .Assign({"b", ""}, {}, Literal("2.0"))
                        .Assign({"c", ""}, {{"b", ""}}, Read(0))
                        .Begin("i", "0 <= i < n")
                        .Assign({"y", "i"}, {{"b", ""}, {"c", ""}, {"y", "i"}},
                                Multiply(Multiply(Read(0), Read(1)), Read(2)))
                        .End()
                        .Build());
  ASSERT_EQ(moved.Parts().size(), 3u);
  const isl::schedule_node first = moved.schedule.root().child(0).child(0).child(0);
  ASSERT_TRUE(first.isa<isl::schedule_node_sequence>()) << IslText(moved.schedule);
  EXPECT_THAT(Moved::PartsBelow(first), ElementsAre("S1", "S2"));
  EXPECT_EQ(moved.Parts()[1], "S0");
  EXPECT_EQ(moved.Parts()[2], "S3");
}

// The sum is read behind the loop that makes it; what begins it is before it as it was.
TEST(InstancesAhead, NotOfWhatWaitsForALoop) {
  const Moved norm(testing::ZeroDimScop());
  EXPECT_THAT(norm.Parts(), ElementsAre("S0", "S1", "S2"));
}

// a is read by the loop before it is written: an anti-dependence, and one that depends on it.
TEST(InstancesAhead, NotOfWhatOverwritesWhatALoopReads) {
  const Moved moved(ScopBuilder("overwritten", {"n"}, "n >= 2")
                        .Array("a", {})
                        .Array("b", {})
                        .Array("x", {"n"})
                        .Begin("i", "0 <= i < n")
                        .Assign({"x", "i"}, {{"a", ""}, {"x", "i"}}, Add(Read(0), Read(1)))
                        .End()
                        .Assign({"a", ""}, {}, Literal("2.0"))
                        .Assign({"b", ""}, {{"a", ""}}, Read(0))
                        .Build());
  EXPECT_THAT(moved.Parts(), ElementsAre("S0", "S1", "S2"));
}

TEST(InstancesAhead, LoopsAloneStayAsTheyAre) {
  const Moved moved(testing::GemmScop());
  EXPECT_EQ(IslText(moved.schedule), IslText(moved.original));
}

}  // namespace
}  // namespace tune
