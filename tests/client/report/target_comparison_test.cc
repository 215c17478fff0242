#include "client/report/target_comparison.h"

#include <google/protobuf/text_format.h>
#include <gtest/gtest.h>

namespace tune {
namespace {

v1::Study Study(const std::string& id, v1::Target target, double ratio, double seconds) {
  v1::Study study;
  study.set_id(id);
  study.set_name(target == v1::CPU ? "gemm on cpu" : "gemm on cuda");
  study.set_target(target);
  study.mutable_device()->set_target(target);
  study.mutable_confirmation()->mutable_check()->set_outcome(v1::CORRECT);
  v1::ComparedTimes* times = study.mutable_confirmation()->mutable_check()->mutable_fresh();
  times->set_ratio(ratio);
  times->set_ratio_low(ratio * 0.9);
  times->set_ratio_high(ratio * 1.1);
  times->set_tuned_seconds(seconds);
  times->set_original_seconds(seconds * ratio);
  return study;
}

TEST(TargetComparison, BothSideBySide) {
  const v1::Study host = Study("s1", v1::CPU, 4, 0.001), gpu = Study("s2", v1::CUDA, 2, 0.002);
  EXPECT_EQ(
      CompareTargets(host, gpu, {"s1"}),
      "target  study                 time  over your program\n"
      "cpu     s1 (gemm on cpu)   1.00 ms  4.00x (3.60x .. 4.40x) as fast as the original\n"
      "cuda    s2 (gemm on cuda)  2.00 ms  2.00x (1.80x .. 2.20x) as fast as the original, with copies to "
      "the device and back\n"
      "Fastest: cpu, s1");
}

TEST(TargetComparison, OneWithoutResultAndNoneTaken) {
  const v1::Study host = Study("s1", v1::CPU, 0.5, 0.002);
  v1::Study gpu;
  gpu.set_id("s2");
  gpu.set_target(v1::CUDA);
  gpu.set_best_index(-1);
  EXPECT_EQ(CompareTargets(host, gpu, {}),
            "target  study                time  over your program\n"
            "cpu     s1 (gemm on cpu)  2.00 ms  slower than the original, 0.500x (0.450x .. 0.550x): 1.00 ms "
            "there, "
            "2.00 ms here\n"
            "cuda    s2 (s2)                 -  no candidate was correct\n"
            "Fastest: neither, your program stays as it is");
}

}  // namespace
}  // namespace tune
