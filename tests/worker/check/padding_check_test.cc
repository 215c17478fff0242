#include "worker/check/padding_check.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/worker/check/sample_mapping.h"

namespace tune {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using testing::MakeGemm;

isl::union_set InstancesOfThread(const MappedKernel& kernel) {
  isl::union_set instances = isl::union_set::empty(kernel.thread.ctx());
  for (const TreeLeaf& leaf : FindLeaves(kernel.thread)) instances = instances.unite(leaf.instances());
  return instances;
}

// 1100 x 1201 elements in tiles of 64 x 64.
TEST(PaddingCheck, AcceptsFullTilesAtTheRim) {
  const auto mapping = MakeGemm();
  const isl::union_set rim(mapping->context().ctx(), "{ S1[1150, k, 1210] }");
  EXPECT_FALSE(InstancesOfThread(mapping->kernel()).intersect(rim).is_empty()) << "nothing was padded";
  EXPECT_EQ(mapping->Check(), absl::OkStatus());
}

TEST(PaddingCheck, FindsWhatReadsBeyondTheEndOfAnArray) {
  const auto mapping = MakeGemm();
  ASSERT_EQ(mapping->kernel().memory.references.erase({"S1", 1}), 1);
  EXPECT_THAT(mapping->Failure(),
              AllOf(HasSubstr("S1["), HasSubstr("is no instance of the region and touches array A")));
}

TEST(PaddingCheck, FindsWhatUsesARegisterThatIsStored) {
  const auto mapping = MakeGemm();
  MappedKernel& kernel = mapping->kernel();
  const ParsedScop& scop = mapping->plan.schedules->scop();
  const int target = scop.statement("S1").proto->target();
  kernel.memory.references.at({"S1", target}) =
      isl::pw_multi_aff(mapping->context().ctx(), "{ S1[i, k, j] -> C_registers[0, 0] }");
  const isl::set values = ParameterValues(mapping->context(), mapping->plan.schedules->parameter_values());
  const absl::Status status = CheckPadding(PlacementOf(kernel, scop, CudaIds(), values), scop, values);
  EXPECT_THAT(std::string(status.message()),
              HasSubstr("is no instance of the region and uses a register of one"));
}

}  // namespace
}  // namespace tune
