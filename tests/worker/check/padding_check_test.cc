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
TEST(PaddingCheck, AcceptsFullBoundaryTiles) {
  const auto mapping = MakeGemm();
  const isl::union_set boundary(mapping->context().ctx(), "{ S1[1150, k, 1210] }");
  EXPECT_FALSE(InstancesOfThread(mapping->kernel()).intersect(boundary).is_empty()) << "nothing was padded";
  EXPECT_EQ(mapping->Check(), absl::OkStatus());
}

// C is scaled everywhere, and added to above the diagonal alone: what would be added below it is stored.
TEST(PaddingCheck, NoStatementIsPaddedOntoThePointsOfAnother) {
  const v1::Scop scop = testing::ScopBuilder("upper", {"ni", "nj", "nk"}, "ni >= 0 and nj >= 0 and nk >= 0")
                            .Array("beta", {})
                            .Array("C", {"ni", "nj"})
                            .Array("A", {"ni", "nk"})
                            .Array("B", {"nk", "nj"})
                            .Begin("i", "0 <= i < ni")
                            .Begin("j", "0 <= j < nj")
                            .Update(v1::MULTIPLY, {"C", "i, j"}, {{"beta", ""}}, testing::Read(0))
                            .End()
                            .Begin("k", "0 <= k < nk")
                            .Begin("j", "i <= j < nj")
                            .Update(v1::ADD, {"C", "i, j"}, {{"A", "i, k"}, {"B", "k, j"}},
                                    testing::Multiply(testing::Read(0), testing::Read(1)))
                            .End()
                            .End()
                            .End()
                            .Build();
  const auto mapping = testing::Mapping::MakeDefault(scop, {{"ni", 1100}, {"nj", 1201}, {"nk", 1302}});
  ASSERT_EQ(mapping->program.kernels.size(), 1) << "two kernels have nothing to do with each other";
  const isl::union_set below(mapping->context().ctx(), "{ S1[20, k, 10] }");
  EXPECT_TRUE(InstancesOfThread(mapping->kernel()).intersect(below).is_empty());
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
