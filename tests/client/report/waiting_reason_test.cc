#include "client/report/waiting_reason.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tune {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

v1::WorkerView Worker(v1::Target target, v1::WorkerView::State state = v1::WorkerView::IDLE) {
  v1::WorkerView worker;
  worker.set_state(state);
  worker.add_devices()->set_target(v1::CPU);
  worker.add_devices()->set_target(target);
  return worker;
}

TEST(WaitingReasonTest, NobodyThere) {
  EXPECT_EQ(WaitingReason({v1::TARGET_UNSPECIFIED}, {}, "host:7410"),
            "no worker is connected: start `tune-worker --server host:7410`");
  EXPECT_THAT(WaitingReason({v1::CUDA}, {}, "host:7410"), HasSubstr("no connected worker has a CUDA device"));
}

TEST(WaitingReasonTest, NoCudaDevice) {
  const std::vector<v1::WorkerView> workers = {Worker(v1::CPU), Worker(v1::CPU)};
  EXPECT_FALSE(HasDevice(workers, v1::CUDA));
  EXPECT_THAT(WaitingReason({v1::CUDA}, workers, "host:7410"),
              AllOf(HasSubstr("no connected worker has a CUDA device"),
                    HasSubstr("tune-worker --server host:7410"), HasSubstr("--target cpu")));
  EXPECT_EQ(WaitingReason({v1::CPU}, workers, "host:7410"), "");
  EXPECT_EQ(WaitingReason({v1::TARGET_UNSPECIFIED}, workers, "host:7410"), "");
}

TEST(WaitingReasonTest, NoHostWithADeviceToShareARegionWith) {
  v1::StudySpec spec;
  spec.set_target(v1::CUDA);
  spec.set_generator("cpu+cuda");
  EXPECT_THAT(
      WaitingReason(NeedsOf(spec), {Worker(v1::CPU)}, "host:7410"),
      HasSubstr("no connected worker has a CUDA device: start `tune-worker --server host:7410` on a host "
                "with an NVIDIA GPU, its driver and nvcc"));
}

TEST(WaitingReasonTest, NoCudaDeviceOnThisMachine) {
  EXPECT_THAT(
      WaitingReason({v1::CUDA}, {Worker(v1::CPU)}, ""),
      AllOf(HasSubstr("the worker on this machine has found no CUDA device"), HasSubstr("tunectl doctor")));
}

// What can run on a GPU alone is not sent elsewhere.
TEST(WaitingReasonTest, NoOtherTargetWouldDo) {
  v1::StudySpec kernel, energy;
  for (v1::StudySpec* spec : {&kernel, &energy}) spec->set_target(v1::CUDA);
  EXPECT_THAT(WaitingReason(NeedsOf(kernel), {}, "host:7410"), HasSubstr("--target cpu"));
  kernel.mutable_kernel()->set_file("a.cu");
  energy.mutable_search()->set_objective("edp");
  v1::Study of_kernel, of_energy;
  for (v1::Study* study : {&of_kernel, &of_energy}) study->set_target(v1::CUDA);
  of_kernel.mutable_region()->set_file("a.cu");
  of_energy.mutable_search()->set_energy(true);
  EXPECT_TRUE(NeedsOf(of_kernel).gpu_alone);
  for (const StudyNeeds& needs : {NeedsOf(kernel), NeedsOf(energy), NeedsOf(of_kernel), NeedsOf(of_energy)}) {
    for (const char* address : {"host:7410", ""}) {
      const std::string reason = WaitingReason(needs, {Worker(v1::CPU)}, address);
      EXPECT_THAT(reason, HasSubstr("CUDA device"));
      EXPECT_THAT(reason, Not(HasSubstr("--target")));
    }
  }
  energy.mutable_search()->set_objective("gflops");
  EXPECT_FALSE(NeedsOf(energy).gpu_alone);
}

TEST(WaitingReasonTest, BusyIsNoReason) {
  EXPECT_EQ(WaitingReason({v1::CUDA}, {Worker(v1::CPU), Worker(v1::CUDA, v1::WorkerView::BUSY)}, "a"), "");
}

TEST(WaitingReasonTest, DrainingOrQuarantined) {
  const std::vector<v1::WorkerView> workers = {Worker(v1::CPU), Worker(v1::CUDA, v1::WorkerView::DRAINING),
                                               Worker(v1::CUDA, v1::WorkerView::QUARANTINED)};
  EXPECT_TRUE(HasDevice(workers, v1::CUDA));
  EXPECT_THAT(WaitingReason({v1::CUDA}, workers, "a"), HasSubstr("draining or quarantined"));
}

TEST(WaitingReasonTest, OnlyTheDeviceIsQuarantined) {
  v1::WorkerView worker = Worker(v1::CUDA, v1::WorkerView::BUSY);
  worker.add_devices()->set_target(v1::CUDA);
  worker.mutable_devices(1)->set_quarantine("broken");
  EXPECT_EQ(WaitingReason({v1::CUDA}, {worker}, "a"), "");
  worker.mutable_devices(2)->set_quarantine("broken");
  EXPECT_THAT(WaitingReason({v1::CUDA}, {worker}, "a"), HasSubstr("draining or quarantined"));
  EXPECT_EQ(WaitingReason({v1::CPU}, {worker}, "a"), "");
}

TEST(WaitingReasonTest, NoPpcg) {
  v1::Study study;
  study.set_target(v1::CUDA);
  study.set_generator("ppcg");
  const StudyNeeds needs = NeedsOf(study);
  std::vector<v1::WorkerView> workers = {Worker(v1::CUDA)};
  EXPECT_FALSE(HasPpcg(workers));
  EXPECT_THAT(WaitingReason(needs, workers, "host:7410"),
              AllOf(HasSubstr("no connected worker has ppcg: install PPCG 0.09"),
                    HasSubstr("`tune-worker --ppcg PROGRAM`"), HasSubstr("--generator builtin")));
  EXPECT_THAT(WaitingReason(needs, workers, ""),
              AllOf(HasSubstr("no worker has ppcg"), HasSubstr("on this machine"), HasSubstr("TUNE_PPCG")));
  EXPECT_THAT(WaitingReason(needs, {}, "host:7410"), HasSubstr("its driver and PPCG 0.09"));
  // Nobody else needs it.
  study.set_generator("");
  EXPECT_EQ(WaitingReason(NeedsOf(study), workers, "host:7410"), "");
  workers[0].mutable_devices(1)->set_ppcg("ppcg-0.09");
  EXPECT_TRUE(HasPpcg(workers));
  EXPECT_EQ(WaitingReason(needs, workers, "host:7410"), "");
  workers[0].set_state(v1::WorkerView::DRAINING);
  EXPECT_THAT(WaitingReason(needs, workers, "host:7410"), HasSubstr("every worker with ppcg is draining"));
}

}  // namespace
}  // namespace tune
