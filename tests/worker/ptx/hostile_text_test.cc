// Texts of strangers end in numbers or in an error, soon.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "common/device/compute_capability.h"
#include "tests/worker/ptx/golden_kernels.h"
#include "worker/ptx/kernel_analysis.h"

namespace tune {
namespace {

using testing::GoldenText;
using testing::KernelOf;

// False where it was refused.
bool IsAnalysed(const PtxModule& module, const std::string& kernel) {
  PtxLaunch launch;
  launch.grid[0] = 1 << 20;
  launch.block[0] = launch.block[1] = 16;
  launch.parameters = {4096, std::nullopt, INT64_MAX, INT64_MIN};
  const absl::StatusOr<KernelAnalysis> analysis =
      AnalyseKernel(module, kernel, launch, 1, {32, 0}, FactsOfComputeCapability(9, 0));
  if (!analysis.ok()) return false;
  EXPECT_TRUE(std::isfinite(analysis->metrics.instructions));
  EXPECT_GE(analysis->metrics.instructions, 0);
  EXPECT_GE(analysis->metrics.regions, 1);
  EXPECT_TRUE(std::isfinite(analysis->metrics.moved_bytes));
  return true;
}

TEST(HostileTextTest, ChangedTextsAreAnalysedOrRefused) {
  const std::string good = GoldenText("loops.ptx");
  const std::vector<std::string> pieces = {"bra $L__BB3_1;",
                                           "{",
                                           "}",
                                           ";",
                                           "%r1",
                                           "-1",
                                           "9223372036854775807",
                                           "@%p1 ",
                                           "bar.sync 0;",
                                           "setp.ne.s32 %p1, %r1, %r1;",
                                           "0x",
                                           "[",
                                           "shl.b32 "};
  std::mt19937 random(7);
  int analysed = 0, refused = 0;
  for (int round = 0; round < 100; ++round) {
    std::string text = good;
    for (int change = 0; change < 4; ++change) {
      const size_t at = random() % text.size();
      switch (random() % 4) {
        case 0:
          text[at] = static_cast<char>(random());
          break;
        case 1:
          text.erase(at, random() % 40);
          break;
        case 2:
          text.insert(at, pieces[random() % pieces.size()]);
          break;
        default:
          text.insert(at, text.substr(random() % text.size(), random() % 200));
      }
    }
    const absl::StatusOr<PtxModule> module = ReadPtx(text);
    if (!module.ok()) {
      ++refused;
      continue;
    }
    for (const PtxFunction& function : module->functions)
      ++(IsAnalysed(*module, function.name) ? analysed : refused);
  }
  EXPECT_GT(analysed, 50);
  EXPECT_GT(refused, 20);
}

// Random instructions over few registers and labels: loops of all forms, most of them nonsense.
TEST(HostileTextTest, RandomProgramsAreAnalysedOrRefused) {
  const std::vector<std::string> operations = {"add.s32", "sub.s32",    "mul.lo.s32", "shl.b32",
                                               "shr.u32", "div.s32",    "rem.u32",    "min.s32",
                                               "and.b32", "mad.lo.s32", "selp.b32",   "xor.b32"};
  std::mt19937 random(8);
  int analysed = 0;
  for (int round = 0; round < 120; ++round) {
    const int size = 5 + static_cast<int>(random() % 60);
    const auto value = [&] {
      switch (random() % 5) {
        case 0:
          return absl::StrCat(static_cast<int>(random() % 9) - 4);
        case 1:
          return std::string("%tid.x");
        default:
          return absl::StrCat("%r", random() % 6);
      }
    };
    std::string text = "ld.param.u32 %r0, [p0];\n";
    for (int i = 0; i < size; ++i) {
      absl::StrAppend(&text, "$L", i, ": ");
      switch (random() % 6) {
        case 0:
          absl::StrAppend(&text, "@%p1 bra $L", random() % size, ";\n");
          break;
        case 1:
          absl::StrAppend(&text, "setp.", random() % 2 == 0 ? "lt" : "ne", ".s32 %p1, ", value(), ", ",
                          value(), ";\n");
          break;
        case 2:
          absl::StrAppend(&text, "ld.global.f32 %f1, [%r", random() % 6, "+4];\nst.global.f32 [%r1], %f1;\n");
          break;
        default: {
          const std::string& operation = operations[random() % operations.size()];
          const std::string third = operation == "mad.lo.s32" ? ", " + value()
                                    : operation == "selp.b32" ? ", %p1"
                                                              : "";
          absl::StrAppend(&text, operation, " %r", random() % 6, ", ", value(), ", ", value(), third, ";\n");
        }
      }
    }
    analysed += IsAnalysed(KernelOf(text + "ret;\n"), "k");
  }
  EXPECT_GT(analysed, 100);
}

TEST(HostileTextTest, LongChainsAndManyLoopsEnd) {
  std::string chain;
  for (int i = 1; i < 150'000; ++i)
    absl::StrAppend(&chain, "mul.lo.s32 %r", i, ", %r", i - 1, ", %r", i - 1, ";\n");
  EXPECT_TRUE(IsAnalysed(KernelOf(chain + "ret;\n"), "k"));
  std::string loops = "ld.param.u32 %n, [p0];\n";
  for (int i = 0; i < 2000; ++i)
    absl::StrAppend(&loops, "$L", i,
                    ": shr.u32 %n, %n, 1;\nxor.b32 %n, %n, 5;\nsetp.ne.s32 %p1, %n, 0;\n@%p1 bra $L", i,
                    ";\n");
  EXPECT_TRUE(IsAnalysed(KernelOf(loops + "ret;\n"), "k"));
  std::string rotated = "$top: ";
  for (int i = 0; i < 3000; ++i) absl::StrAppend(&rotated, "mov.u32 %q", i, ", %q", i + 1, ";\n");
  EXPECT_TRUE(IsAnalysed(KernelOf(rotated + "mov.u32 %q3000, %tid.x;\n@%p1 bra $top;\nret;\n"), "k"));
}

TEST(HostileTextTest, EndlessLoopsEnd) {
  EXPECT_TRUE(IsAnalysed(KernelOf("$top: bra $top;\n"), "k"));
  EXPECT_TRUE(IsAnalysed(KernelOf("$top: setp.eq.s32 %p1, 1, 1;\n@%p1 bra $top;\nret;\n"), "k"));
  EXPECT_TRUE(IsAnalysed(KernelOf(""), "k"));
}

}  // namespace
}  // namespace tune
