#include "worker/ptx/ptx_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/worker/ptx/golden_kernels.h"

namespace tune {
namespace {

using ::testing::ElementsAre;
using testing::GoldenModule;
using ::testing::HasSubstr;
using testing::KernelOf;
using OperandKind = PtxOperand::Kind;

std::string Refusal(const std::string& instructions) {
  return std::string(ReadPtx(".version 9.0\n.visible .entry k() {\n" + instructions).status().message());
}

TEST(PtxReaderTest, TellsWhatAModuleHas) {
  const PtxModule module = GoldenModule("loops.ptx");
  EXPECT_EQ(module.version, "9.0");
  EXPECT_EQ(module.target, "sm_90");
  EXPECT_EQ(module.functions.size(), 12);
  const PtxFunction* const tree = module.Find("tree");
  ASSERT_NE(tree, nullptr);
  EXPECT_TRUE(tree->is_kernel);
  EXPECT_EQ(tree->shared_bytes, 1024);
  EXPECT_EQ(module.Find("guarded")->parameters,
            (std::vector<std::string>{"guarded_param_0", "guarded_param_1", "guarded_param_2"}));
  EXPECT_EQ(module.Find("trees"), nullptr);
}

TEST(PtxReaderTest, ReadsOperands) {
  const PtxModule module = KernelOf(
      "@!%p1 ld.global.v2.f32 {%f1, %f2}, [%rd1+-16];\n"
      "setp.lt.s32 %p1|%p2, %r1, 0xffffffff;\n"
      "mov.f32 %f3, 0f3F800000; tex.2d.v4.f32.f32 {%f4, %f5, %f6, %f7}, [texture, {%f1, %f2}];\n"
      "call.uni (retval0), f, (param0);\nret;\n");
  const PtxFunction& k = module.functions.at(0);
  ASSERT_EQ(k.instructions.size(), 6);
  const PtxInstruction& load = k.instructions[0];
  EXPECT_THAT(load.opcode, ElementsAre("ld", "global", "v2", "f32"));
  EXPECT_TRUE(load.guard_negated);
  EXPECT_EQ(k.names[load.guard], "%p1");
  EXPECT_EQ(load.line, 5);
  ASSERT_EQ(load.operands.size(), 2);
  EXPECT_EQ(load.operands[0].kind, OperandKind::kGroup);
  EXPECT_EQ(k.names[load.operands[0].parts[1].name], "%f2");
  EXPECT_EQ(load.operands[1].kind, OperandKind::kAddress);
  EXPECT_EQ(load.operands[1].value, -16);
  EXPECT_TRUE(load.operands[1].is_base_register);
  EXPECT_EQ(k.instructions[1].operands[0].parts.size(), 2);
  EXPECT_EQ(k.instructions[1].operands[2].value, 0xffffffff);
  EXPECT_EQ(k.instructions[2].operands[1].kind, OperandKind::kNumber);
  EXPECT_EQ(k.instructions[3].operands[1].parts[0].parts.size(), 2);
  EXPECT_EQ(k.instructions[4].operands[2].parts.size(), 1);
}

TEST(PtxReaderTest, ReadsDirectives) {
  const absl::StatusOr<PtxModule> module = ReadPtx(
      ".version 8.0\n.target sm_80, debug\n.address_size 64\n.file 1 \"k.cu\"\n"
      ".extern .func (.param .b32 r) vprintf (.param .b64 a);\n"
      ".extern .shared .align 16 .b8 dynamic[];\n.shared .align 4 .b8 everywhere[2][64];\n"
      ".global .align 4 .b8 table[4] = {1, 2, 3, 4};\n"
      ".weak .entry k(.param .align 8 .b8 k_param_0[16])\n.maxntid 128, 2, 1\n.minnctapersm 3\n{\n"
      "/* two\nlines */ .reg .pred p, q;\n.shared .align 8 .f64 tile[8], more[2];\n"
      ".loc 1 7 3, function_name $L__info, inlined_at 1 9 1\n"
      "@p bra $L1; // tune: trips 12.5\n$L1: { .reg .b32 t; add.s32 t, t, 1; }\n"
      "table2: .branchtargets $L1, $L2;\n$L2: brx.idx %r1, table2;\nret;\n}\n"
      ".section .debug_str { info: .b8 95, 0 }\n");
  ASSERT_TRUE(module.ok()) << module.status();
  EXPECT_EQ(module->shared_bytes, 128);
  ASSERT_EQ(module->functions.size(), 1);
  const PtxFunction& k = module->functions[0];
  EXPECT_EQ(k.max_threads, 256);
  EXPECT_EQ(k.min_blocks, 3);
  EXPECT_EQ(k.shared_bytes, 80);
  EXPECT_EQ(k.instructions[0].source_line, 7);
  EXPECT_EQ(k.instructions[0].source_file, 1);
  EXPECT_EQ(module->files.at(1), "k.cu");
  EXPECT_EQ(k.labels.size(), 2);
  EXPECT_EQ(k.branch_targets.size(), 1);
  ASSERT_EQ(k.trip_notes.size(), 1);
  EXPECT_EQ(k.trip_notes[0].instruction, 1);
  EXPECT_EQ(k.trip_notes[0].trips, 12.5);
  EXPECT_EQ(k.instructions[1].operands[0].kind, OperandKind::kRegister) << "declared, without %";
}

TEST(PtxReaderTest, OtherCommentsAreNoNotes) {
  const PtxModule module = KernelOf(
      "// tune: trips\n// tune: trips -3\n// tune: trips nan\n// tune: trips 1e300\n// trips 3\nret;\n");
  EXPECT_TRUE(module.functions.at(0).trip_notes.empty());
}

TEST(PtxReaderTest, SaysWhereATextIsWrong) {
  EXPECT_EQ(Refusal("add.s32 %r1, %r2, 1\n"), "PTX, line 4: expected an operand, found the end");
  EXPECT_EQ(Refusal("add.s32 %r1, ], 1;\n}"), "PTX, line 3: expected an operand, found \"]\"");
  EXPECT_EQ(Refusal("ld.global.f32 %f1, [%rd1;\n}"), "PTX, line 3: expected \",\", found \";\"");
  EXPECT_EQ(Refusal("$L1:\n$L1: ret;\n}"), "PTX, line 4: the label $L1 is there twice");
  EXPECT_EQ(Refusal("/* never"), "PTX, line 3: this comment has no end");
  EXPECT_EQ(Refusal("mov.u32 %r1, 12monkeys;\n}"), "PTX, line 3: \"12monkeys\" is no number");
  EXPECT_EQ(Refusal(".shared .b8 a[99999999999];}"), "PTX, line 3: too large an array");
  EXPECT_THAT(Refusal("\x01"), HasSubstr("begins no word"));
  EXPECT_THAT(Refusal(std::string(1000, '{')), HasSubstr("nested too deep"));
  EXPECT_THAT(Refusal("mov.u32 %r1, " + std::string(1000, '{')), HasSubstr("too many operands"));
  EXPECT_THAT(ReadPtx("int main() {}").status().message(), HasSubstr("expected a directive"));
}

TEST(PtxReaderTest, TooMuchIsRefused) {
  EXPECT_EQ(ReadPtx(std::string(kMostPtxBytes + 1, ' ')).status().code(),
            absl::StatusCode::kResourceExhausted);
  std::string many = ".visible .entry k() {";
  for (size_t i = 0; i <= kMostPtxInstructions; ++i) many += "ret;";
  EXPECT_EQ(ReadPtx(many + "}").status().code(), absl::StatusCode::kResourceExhausted);
}

}  // namespace
}  // namespace tune
