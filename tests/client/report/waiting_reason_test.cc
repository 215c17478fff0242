#include "client/report/waiting_reason.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tune {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

v1::WorkerView Worker(v1::Target target, v1::WorkerView::State state = v1::WorkerView::IDLE) {
  v1::WorkerView worker;
  worker.set_state(state);
  worker.add_devices()->set_target(v1::CPU);
  worker.add_devices()->set_target(target);
  return worker;
}

TEST(WaitingReasonTest, NobodyThere) {
  EXPECT_EQ(WaitingReason(v1::TARGET_UNSPECIFIED, {}, "host:7410"),
            "no worker is connected: start `tune-worker --server host:7410`");
  EXPECT_THAT(WaitingReason(v1::CUDA, {}, "host:7410"), HasSubstr("no connected worker has a CUDA device"));
}

TEST(WaitingReasonTest, NoCudaDevice) {
  const std::vector<v1::WorkerView> workers = {Worker(v1::CPU), Worker(v1::CPU)};
  EXPECT_FALSE(HasDevice(workers, v1::CUDA));
  EXPECT_THAT(WaitingReason(v1::CUDA, workers, "host:7410"),
              AllOf(HasSubstr("no connected worker has a CUDA device"),
                    HasSubstr("tune-worker --server host:7410"), HasSubstr("--target cpu")));
  EXPECT_EQ(WaitingReason(v1::CPU, workers, "host:7410"), "");
  EXPECT_EQ(WaitingReason(v1::TARGET_UNSPECIFIED, workers, "host:7410"), "");
}

TEST(WaitingReasonTest, NoCudaDeviceOnThisMachine) {
  EXPECT_THAT(
      WaitingReason(v1::CUDA, {Worker(v1::CPU)}, ""),
      AllOf(HasSubstr("the worker on this machine has found no CUDA device"), HasSubstr("tunectl doctor")));
}

TEST(WaitingReasonTest, BusyIsNoReason) {
  EXPECT_EQ(WaitingReason(v1::CUDA, {Worker(v1::CPU), Worker(v1::CUDA, v1::WorkerView::BUSY)}, "a"), "");
}

TEST(WaitingReasonTest, DrainingOrQuarantined) {
  const std::vector<v1::WorkerView> workers = {Worker(v1::CPU), Worker(v1::CUDA, v1::WorkerView::DRAINING),
                                               Worker(v1::CUDA, v1::WorkerView::QUARANTINED)};
  EXPECT_TRUE(HasDevice(workers, v1::CUDA));
  EXPECT_THAT(WaitingReason(v1::CUDA, workers, "a"), HasSubstr("draining or quarantined"));
}

TEST(WaitingReasonTest, OnlyTheDeviceIsQuarantined) {
  v1::WorkerView worker = Worker(v1::CUDA, v1::WorkerView::BUSY);
  worker.add_devices()->set_target(v1::CUDA);
  worker.mutable_devices(1)->set_quarantine("broken");
  EXPECT_EQ(WaitingReason(v1::CUDA, {worker}, "a"), "");
  worker.mutable_devices(2)->set_quarantine("broken");
  EXPECT_THAT(WaitingReason(v1::CUDA, {worker}, "a"), HasSubstr("draining or quarantined"));
  EXPECT_EQ(WaitingReason(v1::CPU, {worker}, "a"), "");
}

}  // namespace
}  // namespace tune
