#include "worker/check/reduction_check.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "absl/strings/match.h"
#include "tests/worker/check/sample_mapping.h"
#include "tests/worker/codegen/setting_chooser.h"

namespace tune {
namespace {

using testing::CopyOf;
using testing::Drop;
using ::testing::HasSubstr;
using testing::Mapping;

// The default, but for reductions, which neighbouring threads share out.
class ReductionChooser : public Chooser {
 public:
  absl::StatusOr<int> Choose(const DecisionPoint& point) override {
    return absl::EndsWith(point.key, ".reduction") ? 1 : point.default_option;
  }
};

// Sums that the threads of a block share out, with statements before and after each.
std::unique_ptr<Mapping> MakeSharedSums() {
  ReductionChooser chooser;
  auto mapping = Mapping::Make(testing::ScalarTempScop(), {{"n", 100}, {"m", 5000}}, chooser);
  EXPECT_GE(mapping->kernel().reduction_axis, 0);
  return mapping;
}

TEST(ReductionCheck, AcceptsAReductionOfABlock) {
  const absl::Status status = MakeSharedSums()->Check();
  EXPECT_TRUE(status.ok()) << status;
}

// A sum that four blocks share.
std::unique_ptr<Mapping> MakeSplitSum() {
  testing::SettingChooser chooser({{"schedule.parallel_reductions", "off"},
                                   {"k[S1].reduction", "x"},
                                   {"k[S1].reduction_blocks", "4"},
                                   {"k[S1].block_size_0", "32"}});
  auto mapping = Mapping::Make(testing::ZeroDimScop(), {{"n", 5000}}, chooser);
  mapping->Select("k[S1]");
  return mapping;
}

TEST(ReductionCheck, AcceptsAReductionOfSeveralBlocks) {
  const absl::Status status = MakeSplitSum()->Check();
  EXPECT_TRUE(status.ok()) << status;
}

TEST(ReductionCheck, FindsBlocksThatAccumulateWithoutAtomicOperations) {
  const auto mapping = MakeSplitSum();
  CopyOf(*mapping, CopyStatement::Kind::kAccumulate).atomic = false;
  EXPECT_THAT(mapping->Failure(), HasSubstr("several threads of a launch copy one element"));
}

TEST(ReductionCheck, FindsAReductionWithoutLicence) {
  const auto mapping = MakeSharedSums();
  mapping->kernel().relaxed.reset();
  EXPECT_THAT(mapping->Failure(), HasSubstr("S1["));
}

TEST(ReductionCheck, FindsPartialValuesThatAreNotAccumulated) {
  const auto mapping = MakeSharedSums();
  Drop(*mapping, CopyOf(*mapping, CopyStatement::Kind::kAccumulate));
  EXPECT_THAT(mapping->Failure(), HasSubstr("is never added after S1["));
}

TEST(ReductionCheck, FindsPartialValuesThatAreNotCombined) {
  const auto mapping = MakeSharedSums();
  Drop(*mapping, CopyOf(*mapping, CopyStatement::Kind::kCombine));
  EXPECT_THAT(mapping->Failure(), HasSubstr("is not combined before it is accumulated"));
}

TEST(ReductionCheck, FindsAnElementThatSeveralThreadsAccumulate) {
  testing::SettingChooser chooser({{"schedule.parallel_reductions", "off"}, {"k[S1].reduction", "x"}});
  const auto mapping = Mapping::Make(testing::ZeroDimScop(), {{"n", 5000}}, chooser);
  mapping->Select("k[S1]");
  CopyStatement& accumulate = CopyOf(*mapping, CopyStatement::Kind::kAccumulate);
  const auto everywhere = [](std::string* text, size_t begin) {
    const std::string condition = "tune_t0 = 0";
    text->replace(text->find(condition, begin), condition.size(), "0 <= tune_t0 <= 1");
  };
  for (isl::pw_multi_aff& place : accumulate.places) {
    std::string text = IslText(place);
    everywhere(&text, 0);
    place = isl::pw_multi_aff(place.ctx(), text);
  }
  std::string tree = IndentedText(mapping->kernel().thread);
  everywhere(&tree, tree.find(accumulate.name + "["));
  mapping->kernel().thread = isl::schedule(mapping->context().ctx(), tree);
  EXPECT_THAT(mapping->Failure(), HasSubstr("several threads of a launch copy one element"));
}

// The statements after the sums run in another thread than the one that adds these.
TEST(ReductionCheck, FindsASumThatIsUsedByAnotherThread) {
  const auto mapping = MakeSharedSums();
  std::string tree = IndentedText(mapping->kernel().thread);
  const std::string condition = "tune_t0 = 0";
  tree.replace(tree.find(condition, tree.rfind("S3[] : ")), condition.size(), "tune_t0 = 1");
  mapping->kernel().thread = isl::schedule(mapping->context().ctx(), tree);
  const ParsedScop& scop = mapping->plan.schedules->scop();
  const absl::Status status = mapping->context().Run("test", [&]() -> absl::Status {
    const isl::set values = ParameterValues(mapping->context(), {{"n", 100}, {"m", 5000}});
    isl::union_map pairs(mapping->context().ctx(), "{ S1[99, 4999] -> S3[] }");
    return CheckReducedElements(PlacementOf(mapping->kernel(), scop, CudaIds(), values), scop, values,
                                &pairs);
  });
  EXPECT_THAT(
      std::string(status.message()),
      HasSubstr("the thread that accumulates the element of a reduction is not that of a dependence"));
}

TEST(ReductionCheck, FindsAnUpdateByAnotherOperator) {
  const auto mapping = MakeSharedSums();
  for (LocalTile& tile : mapping->kernel().memory.tiles) tile.combined_by = v1::MAX;
  EXPECT_THAT(mapping->Failure(), HasSubstr("is no update by the operator that combines the tile's values"));
}

}  // namespace
}  // namespace tune
