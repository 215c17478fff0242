#include "worker/check/dependence_check.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/isl/schedule_node.h"
#include "common/transform/registers/registers.h"
#include "common/transform/shared_memory/shared_memory.h"
#include "tests/worker/check/sample_mapping.h"

namespace tune {
namespace {

using ::testing::AllOf;
using testing::Changed;
using ::testing::HasSubstr;
using testing::Mapping;

// A kernel whose serial member is given out to threads as if it carried no dependences.
std::unique_ptr<Mapping> MakeWithParallelSum(int64_t tile, int64_t block) {
  auto mapping = Mapping::MakeDefault(testing::GemmScop(), {{"ni", 20}, {"nj", 30}, {"nk", 40}});
  auto scheduled = std::make_shared<ScheduledScop>(*mapping->plan.scheduled);
  int serial = -1;
  for (int m = 0; m < scheduled->kernels.at(0).bands[0].member_count(); ++m) {
    if (!scheduled->kernels[0].bands[0].coincident[m]) serial = m;
    scheduled->kernels[0].bands[0].coincident[m] = true;
  }
  EXPECT_GE(serial, 0);
  mapping->plan.scheduled = scheduled;
  mapping->plan.kernels.at(0).threads.axes.clear();
  CudaAxis axis;
  axis.member = serial;
  axis.tile = tile;
  axis.block = block;
  mapping->plan.kernels[0].threads.axes = {axis};
  mapping->plan.kernels[0].Set(SharedTiles{});
  mapping->plan.kernels[0].Set(RegisterTiles{});
  mapping->Map();
  return mapping;
}

TEST(DependenceCheck, FindsADependenceBetweenBlocks) {
  EXPECT_THAT(MakeWithParallelSum(16, 16)->Failure(),
              AllOf(HasSubstr("kernel k[S0,S1]: a dependence connects different blocks of one launch: S1["),
                    HasSubstr("block [1]")));
}

TEST(DependenceCheck, FindsADependenceBetweenThreads) {
  EXPECT_THAT(MakeWithParallelSum(64, 64)->Failure(),
              AllOf(HasSubstr("no barrier orders a dependence between threads of one block: S"),
                    HasSubstr("block [0], thread [")));
}

TEST(DependenceCheck, RelaxesOnlyUpdatesOfPartialValues) {
  const auto mapping = MakeWithParallelSum(64, 64);
  mapping->kernel().relaxed = mapping->plan.schedules->dependences().validity();
  EXPECT_THAT(mapping->Failure(), HasSubstr("no barrier orders a dependence between threads of one block"));
}

// A kernel of threads that meet at the copies called Fill0, Fill1: nothing but barriers.
std::unique_ptr<Mapping> MakeWithBarriers(const std::string& tree, int barriers) {
  auto mapping = Mapping::MakeDefault(testing::Jacobi1dScop(), {{"steps", 5}, {"n", 34}});
  isl::ctx ctx = mapping->context().ctx();
  MappedKernel kernel;
  auto facts = std::make_shared<ScheduledScop>(*mapping->plan.scheduled);
  facts->kernels = {Kernel()};
  facts->kernels[0].name = "k[S0,S1]";
  mapping->plan.scheduled = facts;
  kernel.kernel = &facts->kernels[0];
  kernel.launches = isl::set(ctx, "{ K0[] }");
  kernel.first_block = kernel.last_block = {isl::pw_aff(ctx, "{ K0[] -> [(0)] }")};
  kernel.threads = {32, 1, 1};
  kernel.context = isl::set(ctx, "[tune_b0, tune_t0] -> { : tune_b0 = 0 and 0 <= tune_t0 <= 31 }");
  kernel.thread = isl::schedule(ctx, tree);
  for (int i = 0; i < barriers; ++i) {
    CopyStatement barrier;
    barrier.kind = CopyStatement::Kind::kFillShared;
    barrier.name = absl::StrCat("Fill", i);
    kernel.memory.copies.push_back(barrier);
  }
  mapping->program.kernels = {kernel};
  mapping->program.host = isl::schedule(ctx, "{ domain: \"{ K0[] }\" }");
  return mapping;
}

constexpr char kThreadsDomain[] = R"(
domain: "[tune_t0] -> { S0[t, i] : 0 <= t <= 4 and i = tune_t0 + 1; S1[t, i] : 0 <= t <= 4 and i = tune_t0 + 1 }"
child:
  schedule: "[{ S0[t, i] -> [t]; S1[t, i] -> [t] }]"
  child:
)";

TEST(DependenceCheck, AcceptsDependencesThatBarriersOrder) {
  const absl::Status status = MakeWithBarriers(absl::StrCat(kThreadsDomain, R"(
    extension: "{ [t] -> Fill0[t] : 0 <= t <= 4; [t] -> Fill1[t] : 0 <= t <= 4 }"
    child:
      sequence:
      - filter: "{ S0[t, i] }"
      - filter: "{ Fill0[t] }"
      - filter: "{ S1[t, i] }"
      - filter: "{ Fill1[t] }"
)"),
                                               2)
                                  ->Check();
  EXPECT_TRUE(status.ok()) << status;
}

TEST(DependenceCheck, FindsAMissingBarrier) {
  EXPECT_THAT(MakeWithBarriers(absl::StrCat(kThreadsDomain, R"(
    extension: "{ [t] -> Fill0[t] : 0 <= t <= 4 }"
    child:
      sequence:
      - filter: "{ S0[t, i] }"
      - filter: "{ Fill0[t] }"
      - filter: "{ S1[t, i] }"
)"),
                               1)
                  ->Failure(),
              HasSubstr("no barrier orders a dependence between threads of one block: S1["));
}

TEST(DependenceCheck, FindsABarrierThatIsMissingInOneIteration) {
  EXPECT_THAT(MakeWithBarriers(absl::StrCat(kThreadsDomain, R"(
    extension: "{ [t] -> Fill0[t] : 0 <= t <= 4 and t != 3; [t] -> Fill1[t] : 0 <= t <= 4 }"
    child:
      sequence:
      - filter: "{ S0[t, i] }"
      - filter: "{ Fill0[t] }"
      - filter: "{ S1[t, i] }"
      - filter: "{ Fill1[t] }"
)"),
                               2)
                  ->Failure(),
              HasSubstr("no barrier orders a dependence between threads of one block: S0[3, "));
}

TEST(DependenceCheck, FindsLaunchesInTheWrongOrder) {
  const auto mapping = Mapping::MakeDefault(testing::Jacobi1dScop(), {{"steps", 5}, {"n", 100}});
  ASSERT_EQ(mapping->program.kernels.size(), 2);
  mapping->program.host = isl::schedule(mapping->context().ctx(), R"(
domain: "{ K0[t] : 0 <= t <= 4; K1[t] : 0 <= t <= 4 }"
child:
  schedule: "[{ K0[t] -> [t]; K1[t] -> [t] }]"
  child:
    sequence:
    - filter: "{ K1[t] }"
    - filter: "{ K0[t] }"
)");
  EXPECT_THAT(mapping->Failure(),
              AllOf(HasSubstr("the host tree launches a dependence from kernel k[S0]@1 to k[S1]@1 backward"),
                    HasSubstr("in a sequence: S0[")));
}

TEST(DependenceCheck, FindsATimeLoopThatRunsBackward) {
  const auto mapping = Mapping::MakeDefault(testing::Jacobi1dScop(), {{"steps", 5}, {"n", 100}});
  mapping->program.host = isl::schedule(mapping->context().ctx(), R"(
domain: "{ K0[t] : 0 <= t <= 4; K1[t] : 0 <= t <= 4 }"
child:
  schedule: "[{ K0[t] -> [-t]; K1[t] -> [-t] }]"
  child:
    sequence:
    - filter: "{ K0[t] }"
    - filter: "{ K1[t] }"
)");
  EXPECT_THAT(mapping->Failure(), HasSubstr("backward at the band"));
}

TEST(DependenceCheck, FindsAThreadsLoopThatRunsBackward) {
  const auto mapping = Mapping::MakeDefault(testing::GemmScop(), {{"ni", 20}, {"nj", 30}, {"nk", 40}});
  mapping->plan.kernels.at(0).Set(SharedTiles{});
  mapping->Map();
  mapping->kernel().thread = Changed(mapping->kernel().thread, [](const isl::schedule_node& node) {
    if (!node.isa<isl::schedule_node_band>()) return node;
    const auto times = node.as<isl::schedule_node_band>().partial_schedule();
    return WithoutNode(node).insert_partial_schedule(times.neg());
  });
  EXPECT_THAT(mapping->Failure(), HasSubstr("a thread runs a dependence backward at the band"));
}

}  // namespace
}  // namespace tune
