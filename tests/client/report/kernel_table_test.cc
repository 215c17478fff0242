#include "client/report/kernel_table.h"

#include <google/protobuf/text_format.h>
#include <gtest/gtest.h>

#include "client/report/candidate_view.h"
#include "client/report/json.h"

namespace tune {
namespace {

v1::Evaluation TwoKernels() {
  v1::Evaluation evaluation;
  EXPECT_TRUE(google::protobuf::TextFormat::ParseFromString(
      R"pb(
        outcome: CORRECT
        device: "cuda:1"
        device_file: "__global__ void k();"
        kernels {
          name: "k[S0,S1]"
          function: "gemm_0"
          launches: 1
          seconds: 0.0000125
          threads_per_block: 256
          registers: 40
          shared_bytes: 8192
          blocks_per_multiprocessor: 6
          metrics { name: "achieved_occupancy" value: 0.75 normalised: 0.75 }
          metrics { name: "executed_ipc" value: 2.125 normalised: 0.53 }
        }
        kernels {
          name: "k[S2]"
          function: "gemm_1"
          launches: 1000
          seconds: 0.0000875
          threads_per_block: 32
          registers: 16
          local_bytes: 24
          blocks_per_multiprocessor: 32
          metrics { name: "executed_ipc" value: 0.5 normalised: 0.125 }
        })pb",
      &evaluation));
  return evaluation;
}

TEST(KernelTableTest, OneRowAKernel) {
  EXPECT_EQ(KernelTable(TwoKernels()),
            "kernel    function  launches     time  share  threads  registers   shared  local  blocks/mp\n"
            "k[S0,S1]  gemm_0           1  12.5 us  12.5%      256         40  8.0 KiB    0 B          6\n"
            "k[S2]     gemm_1        1000  87.5 us  87.5%       32         16      0 B   24 B         32\n"
            "\n"
            "function  achieved_occupancy  executed_ipc\n"
            "gemm_0            0.75 (75%)    2.12 (53%)\n"
            "gemm_1                     -     0.5 (12%)\n");
}

TEST(KernelTableTest, WithoutTimesAndMetrics) {
  v1::Evaluation evaluation;
  EXPECT_EQ(KernelTable(evaluation), "");
  evaluation.add_kernels()->set_name("k[S0]");
  evaluation.mutable_kernels(0)->set_function("f");
  evaluation.mutable_kernels(0)->set_launches(3);
  EXPECT_EQ(KernelTable(evaluation),
            "kernel  function  launches  time  share  threads  registers  shared  local  blocks/mp\n"
            "k[S0]   f                3     -      -        -          -     0 B    0 B          -\n");
}

TEST(KernelTableTest, IsPartOfACandidatesDetails) {
  v1::Candidate candidate;
  *candidate.mutable_evaluation() = TwoKernels();
  const std::string text = CandidateDetails("s1", candidate, {.configuration = false, .code = true});
  EXPECT_NE(text.find("  device        cuda:1\n"), std::string::npos) << text;
  EXPECT_NE(text.find("\nkernels\nkernel    function"), std::string::npos) << text;
  EXPECT_NE(text.find("\nCUDA file\n__global__ void k();\n"), std::string::npos) << text;
}

TEST(KernelTableTest, AsJson) {
  const Json json = ToJson(TwoKernels());
  EXPECT_EQ(json["device"], "cuda:1");
  EXPECT_EQ(json["device_file"], "__global__ void k();");
  ASSERT_EQ(json["kernels"].size(), 2u);
  EXPECT_EQ(json["kernels"][1]["launches"], 1000);
  EXPECT_EQ(json["kernels"][1]["seconds"], 0.0000875);
  EXPECT_EQ(json["kernels"][0]["metrics"][1]["name"], "executed_ipc");
  v1::Evaluation untimed;
  untimed.add_kernels();
  EXPECT_TRUE(ToJson(untimed)["kernels"][0]["seconds"].is_null());
}

}  // namespace
}  // namespace tune
