// A text in PTX, all its kernels analysed for a launch.
#include "common/device/compute_capability.h"
#include "tests/fuzz/targets.h"
#include "worker/ptx/kernel_analysis.h"
#include "worker/ptx/ptx_reader.h"

namespace tune::testing {
namespace {

constexpr size_t kMostKernels = 4;  // of one input, so that it takes little time

void FuzzPtx(absl::string_view input) {
  const absl::StatusOr<PtxModule> module = ReadPtx(input);
  if (!module.ok()) return;
  PtxLaunch launch;
  launch.grid[0] = 7;
  launch.block[0] = 64;
  launch.parameters = {std::nullopt, 1000};
  for (size_t i = 0; i < std::min(module->functions.size(), kMostKernels); ++i) {
    const auto analysis =
        AnalyseKernel(*module, module->functions[i].name, launch, 1, {32, 0}, FactsOfComputeCapability(9, 0));
    if (analysis.ok() && !(analysis->metrics.instructions >= 0 && analysis->metrics.regions >= 1))
      std::abort();
  }
}

std::vector<std::string> PtxSeeds() {
  const std::string head = ".version 9.0\n.target sm_90\n.address_size 64\n";
  return {
      head +
          ".visible .entry k(\n.param .u64 k_param_0,\n.param .u32 k_param_1\n)\n.maxntid 64, 1, 1\n{\n"
          ".reg .pred %p<3>;\n.reg .b32 %r<9>;\n.reg .b64 %rd<4>;\n.shared .align 4 .b8 tile[1024];\n"
          "ld.param.u64 %rd1, [k_param_0];\nld.param.u32 %r1, [k_param_1];\nmov.u32 %r2, %tid.x;\n"
          "mul.wide.s32 %rd2, %r2, 4;\nadd.s64 %rd3, %rd1, %rd2;\nsetp.ge.s32 %p1, %r2, %r1;\n"
          "@%p1 bra $end;\n$loop:\nld.global.f32 %f1, [%rd3+-16];\nst.shared.f32 [tile], %f1;\n"
          "bar.sync 0;\nadd.s64 %rd3, %rd3, 256;\nadd.s32 %r2, %r2, 64;\nsetp.lt.s32 %p2, %r2, %r1;\n"
          "@%p2 bra $loop;\n$end:\nret;\n}\n",
      head +
          ".entry k(.param .u64 a, .param .u32 n) {\n{ .reg .b32 t; mov.u32 t, 128; }\nmov.u32 %r1, 128;\n"
          "$A: // tune: trips 4\n.loc 1 7 3\nshr.u32 %r1, %r1, 1;\nmov.u32 %r2, 0;\n"
          "$B: mad.lo.s32 %r3, %r1, %r2, %r3;\nadd.s32 %r2, %r2, 3;\nsetp.lt.and.s32 %p1|%p2, %r2, %r1, "
          "%p3;\n"
          "@!%p2 bra $B;\nsetp.ne.s32 %p3, %r1, 0;\n@%p3 bra $A;\n@%p1 ret;\nts: .branchtargets $A, $C;\n"
          "brx.idx %r1, ts;\n$C: cp.async.ca.shared.global [%r1], [%rd1], 16;\ncall.uni f, (n);\nexit;\n}\n"};
}

}  // namespace

FuzzTarget PtxTarget() { return {"ptx", FuzzPtx, PtxSeeds}; }

}  // namespace tune::testing
