#include "worker/build/instruction_mix.h"

#include <gtest/gtest.h>

namespace tune {
namespace {

constexpr char kPtx[] = R"(//
// Generated: .entry nothing(
.version 9.0
.target sm_90

	// .globl	first
.visible .entry first(
	.param .u64 first_param_0
)
.maxntid 256, 1, 1
{
	.reg .pred 	%p<57>;
	.shared .align 16 .b8 A_shared[8192];

	ld.param.u64 	%rd3, [first_param_0];
	cvta.to.global.u64 	%rd1, %rd4;
	mov.u32 	%r108, %tid.y;
	@%p1 bra 	$L__BB0_2;
	ld.global.nc.f32 	%f1, [%rd1];
	ld.global.v2.f32 	{%f1, %f2}, [%rd1];
	st.shared.f32 	[A_shared], %f1;
	bar.sync 	0;
	ld.shared.v4.f32 	{%f1, %f2, %f3, %f4}, [A_shared];
$L__BB0_2:
	fma.rn.f32 	%f3, %f1, %f2, %f3;
	mul.f32 	%f3, %f1, %f2;
	@!%p2 add.s32 	%r1, %r2, 1;
	shl.b32 	%r1, %r2, 4;
	st.global.f32 	[%rd1], %f3;
	ret;
}
.entry second(.param .u64 second_param_0) {
	tex.1d.v4.s32.s32 	{%r1, %r2, %r3, %r4}, [%rd1, {%r5}];
	red.global.add.f64 	[%rd1], %fd1;
	atom.global.exch.b32 	%r1, [%rd1], %r2;
	shfl.sync.bfly.b32 	%r1, %r2, 1, 31, -1;
	ld.local.f64 	%fd1, [%rd2];
	add.f64 	%fd1, %fd2, %fd3;
	ret;
}
)";

TEST(InstructionMix, KindsOfEachKernel) {
  const std::vector<InstructionMix> mixes = CountInstructions(kPtx);
  ASSERT_EQ(mixes.size(), 2u);
  EXPECT_EQ(mixes[0].kernel, "first");
  EXPECT_EQ(
      PrintInstructionMix(mixes[0]),
      "fp32 2, integer 2, global loads 2, global stores 1, shared loads 1, shared stores 1, branches 2, "
      "barriers and shuffles 1, moves 3");
  EXPECT_EQ(mixes[1].kernel, "second");
  EXPECT_EQ(PrintInstructionMix(mixes[1]),
            "fp64 1, local 1, textures 1, atomic 2, branches 1, barriers and shuffles 1");
}

TEST(InstructionMix, OfNoKernel) { EXPECT_TRUE(CountInstructions("// nothing\n").empty()); }

}  // namespace
}  // namespace tune
