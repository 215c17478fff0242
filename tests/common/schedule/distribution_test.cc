#include "common/schedule/distribution.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/isl/schedule_node.h"
#include "common/isl/tuple_name.h"
#include "common/schedule/legality.h"
#include "tests/common/testing/sample_scops.h"

namespace tune {
namespace {

using ::testing::ElementsAre;

TEST(Distribution, IsLegal) {
  for (const testing::SampleScop& sample : testing::SampleScops()) {
    SCOPED_TRACE(sample.name);
    IslContext context;
    const auto scop = ParseScop(context, WithParameterFacts(sample.make(), sample.small)).value();
    const Dependences dependences = ComputeDependences(context, *scop).value();
    const isl::schedule schedule = DistributedSchedule(context, *scop, dependences);
    const absl::Status legal = CheckLegal(context, schedule, *scop, dependences);
    EXPECT_TRUE(legal.ok()) << legal;
    EXPECT_TRUE(schedule.domain().is_subset(scop->domain));
  }
}

// Of each outermost part: "S0 11, permutable".
std::vector<std::string> Parts(const v1::Scop& program, const std::map<std::string, int64_t>& values) {
  IslContext context;
  const auto scop = ParseScop(context, WithParameterFacts(program, values)).value();
  const Dependences dependences = ComputeDependences(context, *scop).value();
  const isl::schedule_node node = DistributedSchedule(context, *scop, dependences).root().child(0);
  std::vector<std::string> parts;
  const auto describe = [&](const isl::schedule_node& part) {
    std::string text;
    const isl::union_set domain = NodeDomain(part);
    domain.foreach_set([&](const isl::set& set) { absl::StrAppend(&text, TupleName(set), " "); });
    if (part.isa<isl::schedule_node_band>()) {
      const auto band = part.as<isl::schedule_node_band>();
      for (unsigned i = 0; i < band.n_member(); ++i)
        absl::StrAppend(&text, static_cast<int>(band.member_get_coincident(static_cast<int>(i))));
      if (band.permutable()) absl::StrAppend(&text, ", permutable");
    }
    parts.push_back(text);
  };
  if (!node.isa<isl::schedule_node_sequence>()) {
    describe(node);
    return parts;
  }
  for (unsigned i = 0; i < node.n_children(); ++i) describe(node.child(static_cast<int>(i)).child(0));
  return parts;
}

TEST(Distribution, EachComponentHasItsLoops) {
  EXPECT_THAT(Parts(testing::GemmScop(), {{"ni", 20}, {"nj", 30}, {"nk", 40}}),
              ElementsAre("S0 11, permutable", "S1 101, permutable"));
}

// Both statements of the time loop depend on each other.
TEST(Distribution, AComponentStaysTogether) {
  EXPECT_THAT(Parts(testing::Jacobi1dScop(), {{"steps", 5}, {"n", 20}}), ::testing::SizeIs(1));
}

// What is written after it is read in the text, and needed by it, comes first.
TEST(Distribution, DependencesDecideTheOrder) {
  const v1::Scop program = testing::ScopBuilder("f", {"n"}, "n >= 1")
                               .Array("A", {"n + 1"})
                               .Array("B", {"n + 1"})
                               .Begin("i", "1 <= i < n")
                               .Assign({"B", "i"}, {{"A", "i - 1"}}, testing::Read(0))
                               .Assign({"A", "i"}, {}, testing::Literal("1.0"))
                               .End()
                               .Build();
  EXPECT_THAT(Parts(program, {{"n", 10}}), ElementsAre("S1 1, permutable", "S0 1, permutable"));
}

}  // namespace
}  // namespace tune
