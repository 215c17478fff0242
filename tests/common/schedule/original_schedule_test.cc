#include "common/schedule/original_schedule.h"

#include <gtest/gtest.h>

#include "common/schedule/legality.h"
#include "tests/common/testing/sample_scops.h"

namespace tune {
namespace {

TEST(OriginalSchedule, IsLegal) {
  for (const testing::SampleScop& sample : testing::SampleScops()) {
    SCOPED_TRACE(sample.name);
    IslContext context;
    const auto scop = ParseScop(context, WithParameterFacts(sample.make(), sample.small)).value();
    const Dependences dependences = ComputeDependences(context, *scop).value();
    const isl::schedule schedule = OriginalSchedule(context, *scop, dependences);
    const absl::Status legal = CheckLegal(context, schedule, *scop, dependences);
    EXPECT_TRUE(legal.ok()) << legal;
  }
}

// "11, permutable" of the outermost band of a program of two loops.
std::string OutermostBand(const std::string& read) {
  const v1::Scop program = testing::ScopBuilder("f", {"n"}, "n >= 0")
                               .Array("A", {"n", "n"})
                               .Begin("i", "1 <= i < n")
                               .Begin("j", "1 <= j < n - 1")
                               .Assign({"A", "i, j"}, {{"A", read}}, testing::Read(0))
                               .End()
                               .End()
                               .Build();
  IslContext context;
  const auto scop = ParseScop(context, WithParameterFacts(program, {{"n", 10}})).value();
  const Dependences dependences = ComputeDependences(context, *scop).value();
  const isl::schedule schedule = OriginalSchedule(context, *scop, dependences);
  const auto band = schedule.root().child(0).as<isl::schedule_node_band>();
  std::string text;
  for (unsigned i = 0; i < band.n_member(); ++i)
    absl::StrAppend(&text, static_cast<int>(band.member_get_coincident(static_cast<int>(i))));
  return text + (band.permutable() ? ", permutable" : "");
}

TEST(OriginalSchedule, LoopsAreParallelWhereDependencesSaySo) {
  EXPECT_EQ(OutermostBand("i, j"), "11, permutable");
  EXPECT_EQ(OutermostBand("i, j - 1"), "10, permutable");
  EXPECT_EQ(OutermostBand("i - 1, j - 1"), "00, permutable");
}

// The inner loop goes back on what the outer one carries, so they are two bands.
TEST(OriginalSchedule, LoopsThatMustStayInOrderAreNotOneBand) {
  EXPECT_EQ(OutermostBand("i - 1, j + 1"), "0, permutable");
}

}  // namespace
}  // namespace tune
