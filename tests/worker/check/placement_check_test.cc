#include "worker/check/placement_check.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/isl/functions.h"
#include "common/isl/schedule.h"
#include "common/isl/schedule_node.h"
#include "common/mapping/part_mark.h"
#include "tests/worker/check/sample_mapping.h"
#include "tests/worker/codegen/setting_chooser.h"

namespace tune {
namespace {

using ::testing::AllOf;
using testing::Changed;
using ::testing::HasSubstr;
using testing::IsFilterWith;
using testing::MakeGemm;
using testing::Mapping;

TEST(PlacementCheck, FindsAnInstanceThatNoThreadRuns) {
  const auto mapping = MakeGemm();
  const isl::union_set one(mapping->context().ctx(), "{ S1[5, 6, 7] }");
  mapping->kernel().thread =
      IntersectDomain(mapping->kernel().thread, mapping->kernel().thread.domain().subtract(one));
  EXPECT_THAT(mapping->Failure(), HasSubstr("no thread of any launch runs S1[5, 6, 7]"));
}

TEST(PlacementCheck, FindsAnInstanceOfSeveralThreads) {
  const auto mapping = Mapping::MakeDefault(testing::Jacobi1dScop(), {{"steps", 5}, {"n", 100}});
  mapping->kernel().thread = Changed(mapping->kernel().thread, [](const isl::schedule_node& node) {
    const bool selects = IsFilterWith(node, "tune_t0") && !node.parent().isa<isl::schedule_node_sequence>();
    return selects ? WithoutNode(node) : node;
  });
  EXPECT_THAT(mapping->Failure(), HasSubstr("runs on several threads"));
}

TEST(PlacementCheck, FindsAThreadOutsideOfTheBlock) {
  const auto mapping = MakeGemm();
  mapping->kernel().threads[1] = 15;
  EXPECT_THAT(mapping->Failure(),
              AllOf(HasSubstr("is outside of the grid"), HasSubstr("16 x 15 x 1 threads")));
}

TEST(PlacementCheck, FindsABlockOutsideOfTheGrid) {
  const auto mapping = MakeGemm();
  isl::pw_aff& last = mapping->kernel().last_block[0];
  last = last.sub(ConstantOn(last.domain(), isl::val::one(last.ctx())));
  EXPECT_THAT(mapping->Failure(), HasSubstr("is outside of the grid"));
}

TEST(PlacementCheck, FindsAContextThatExcludesThreads) {
  const auto mapping = MakeGemm();
  mapping->kernel().context = mapping->kernel().context.intersect(
      isl::set(mapping->context().ctx(), "[tune_t0] -> { : tune_t0 > 0 }"));
  EXPECT_THAT(mapping->Failure(), HasSubstr("its context excludes threads that run"));
}

TEST(PlacementCheck, FindsFullBlocksThatRunWhatIsOfTheOthers) {
  const std::map<std::string, std::string> settings = {{"k[S0]@1.tile_size_0", "64"},
                                                       {"k[S0]@1.block_size_0", "32"}};
  testing::SettingChooser chooser(settings);
  const auto mapping = Mapping::Make(testing::Jacobi1dScop(), {{"steps", 3}, {"n", 230}}, chooser);
  EXPECT_EQ(mapping->Check(), absl::OkStatus());
  bool found = false;
  mapping->kernel().thread = Changed(mapping->kernel().thread, [&](const isl::schedule_node& node) {
    if (!PartBelow(node)) return node;
    found = true;
    return WithoutNode(node);
  });
  ASSERT_TRUE(found) << "all blocks are full";
  EXPECT_THAT(mapping->Failure(), HasSubstr("twice, at two leaves of its tree"));
}

TEST(PlacementCheck, FindsAKernelThatRunsTwice) {
  const auto mapping = MakeGemm();
  mapping->program.kernels.push_back(mapping->kernel());
  EXPECT_THAT(mapping->Failure(), HasSubstr("as a kernel before it does"));
}

TEST(PlacementCheck, FindsALaunchThatDoesNotTakePlace) {
  const auto mapping = Mapping::MakeDefault(testing::Jacobi1dScop(), {{"steps", 5}, {"n", 100}});
  const isl::union_set last(mapping->context().ctx(), "{ K1[4] }");
  mapping->program.host =
      IntersectDomain(mapping->program.host, mapping->program.host.domain().subtract(last));
  EXPECT_THAT(mapping->Failure(), HasSubstr("the host tree never launches K1[4]"));
}

}  // namespace
}  // namespace tune
