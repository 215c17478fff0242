// Programs for all sizes over tests/programs, on the simulated device at sizes that they were not made for:
// needs tune-extract.
#include "worker/codegen/symbolic_program.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "common/base/random.h"
#include "tests/common/testing/device_models.h"
#include "tests/common/testing/programs.h"
#include "tests/worker/codegen/region_library.h"
#include "tests/worker/codegen/symbolic_run.h"
#include "worker/print/merged_kernel_printer.h"

namespace tune {
namespace {

using testing::RowDivisor;
using testing::Sizes;
using testing::SymbolicRun;

CudaSpaceOptions FewProcessors() {
  CudaSpaceOptions options = testing::H200Options();
  options.device.multiprocessors = 3;  // so that sums are not all shared among blocks
  return options;
}

absl::StatusOr<v1::Scop> ReadScop(const std::string& path) {
  TUNE_ASSIGN_OR_RETURN(const v1::Extraction extraction, testing::ExtractFile(path));
  return extraction.scops(0);
}

std::string TranspositionPath() { return TUNE_SOURCE_DIR "/tests/worker/cases/programs/transposition.c"; }

// Of floats, with sizes that are arguments.
std::string ArgumentsPath(const std::string& name) {
  return absl::StrCat(TUNE_SOURCE_DIR "/tests/bench/case_sizes/", name, ".c");
}

std::string PathOf(const std::string& name) {
  if (name == "transposition") return TranspositionPath();
  return name == "jacobi_2d" ? ArgumentsPath(name) : testing::ProgramPath(name);
}

// Each parameter on its own, time steps aside, multiples of a number.
Sizes Draw(const v1::Scop& scop, int64_t divisor, Random& random) {
  Sizes sizes = testing::ParameterValues(scop, 0);
  for (auto& [name, value] : sizes) {
    const int64_t drawn = 4 + static_cast<int64_t>(random.Below(85));
    value = value == 5 || name == "steps" ? 5 : (drawn + divisor - 1) / divisor * divisor;
  }
  return sizes;
}

absl::StatusOr<SymbolicPrograms> Generate(const v1::Scop& scop, const CudaSpaceOptions& options,
                                          const std::vector<int64_t>& sizes) {
  return GenerateSymbolic(scop, options, MakeSizeGrid(scop, sizes), "program");
}

std::string BoundPath() { return TUNE_SOURCE_DIR "/tests/worker/codegen/programs/bound_by_quotient.c"; }

// 1000 times a parameter may leave `int`, also where all values of iterators and subscripts fit it.
TEST(SymbolicProgram, CountsInLongWherePartsOfConditionsNeedIt) {
  const auto type = [](const std::string& path) -> std::string {
    const auto scop = ReadScop(path);
    if (!scop.ok()) return scop.status().ToString();
    const auto programs = Generate(*scop, FewProcessors(), {2000});
    if (!programs.ok() || programs->programs.size() != 1) return programs.status().ToString();
    return programs->programs.at(0).device.kernels.at(0).index_type;
  };
  EXPECT_EQ(type(BoundPath()), "long long");
  EXPECT_EQ(type(TranspositionPath()), "int");
}

TEST(SymbolicProgram, OneThatCannotBeMadeLeavesTheOthers) {
  auto scop = ReadScop(BoundPath());
  ASSERT_TRUE(scop.ok()) << scop.status();
  scop->set_context("[n, m] -> { : n >= 0 and m >= 0 and n + m <= 3000 }");
  const auto none = Generate(*scop, FewProcessors(), {2000});
  EXPECT_TRUE(absl::IsInvalidArgument(none.status())) << none.status();
  const auto programs = Generate(*scop, FewProcessors(), {500, 2000});
  ASSERT_TRUE(programs.ok()) << programs.status();
  ASSERT_FALSE(programs->programs.empty());
  EXPECT_EQ(programs->programs.at(0).device.kernels.at(0).function, "program0_kernel0");
}

class SymbolicPrograms : public ::testing::TestWithParam<std::string> {};

TEST_P(SymbolicPrograms, AreRightAtSizesThatNobodyNamed) {
  const std::string& name = GetParam();
  const auto scop = ReadScop(PathOf(name));
  ASSERT_TRUE(scop.ok()) << scop.status();
  for (const int64_t typical : {2000, 100}) {
    SCOPED_TRACE(typical);
    auto programs = Generate(*scop, FewProcessors(), {typical});
    ASSERT_TRUE(programs.ok()) << programs.status();
    ASSERT_FALSE(programs->programs.empty());
    for (SymbolicProgram& program : programs->programs) {
      const int64_t divisor = RowDivisor(program);
      SCOPED_TRACE(divisor);
      auto run = SymbolicRun::Make(*scop, std::move(program));
      ASSERT_TRUE(run.ok()) << run.status();
      Random random(24);
      for (int i = 0; i < 6 && !HasFailure(); ++i) run->Check(Draw(*scop, divisor, random));
    }
  }
}

// Pieces of 16 bytes need rows of whole pieces: so do the addresses, and the requirement on the sizes.
TEST(SymbolicProgram, WholeRowsAreLoadedInPieces) {
  const auto scop = ReadScop(testing::ProgramPath("gemm"));
  ASSERT_TRUE(scop.ok()) << scop.status();
  const auto programs = Generate(*scop, testing::H200Options(), {2000});
  ASSERT_TRUE(programs.ok()) << programs.status();
  ASSERT_EQ(programs->programs.size(), 2);
  const SymbolicProgram &whole = programs->programs.at(0), &any = programs->programs.at(1);
  EXPECT_EQ(RowDivisor(any), 1);
  EXPECT_GT(RowDivisor(whole), 1);
  EXPECT_GT(*std::max_element(whole.alignments.begin(), whole.alignments.end()),
            *std::max_element(any.alignments.begin(), any.alignments.end()));
  const auto allows = [&](const SymbolicProgram& program, int64_t columns) {
    const Sizes sizes = {{"ni", 1001}, {"nj", columns}, {"nk", 1000}};
    return Evaluate(program.requirement, [&](const std::string& name) { return sizes.at(name); }) != 0;
  };
  EXPECT_TRUE(allows(whole, 1004));
  EXPECT_FALSE(allows(whole, 1003));
  EXPECT_TRUE(allows(any, 1003));
}

INSTANTIATE_TEST_SUITE_P(Six, SymbolicPrograms,
                         ::testing::Values("gemm", "syrk", "mvt", "2mm", "transposition", "jacobi_2d"),
                         [](const auto& info) { return "P" + info.param; });

// What the host of the only program launches.
std::vector<const MergedLaunch*> LaunchesOfSeveral(const std::string& name, int64_t typical,
                                                   std::vector<SymbolicProgram>* programs) {
  const auto scop = ReadScop(ArgumentsPath(name));
  if (!scop.ok()) return {};
  auto made = Generate(*scop, testing::H200Options(), {typical});
  if (!made.ok() || made->programs.empty()) return {};
  *programs = std::move(made->programs);
  return MergedLaunchesOf(programs->back().device);
}

TEST(SymbolicProgram, IndependentKernelsAreOneLaunch) {
  std::vector<SymbolicProgram> programs;
  const auto launches = LaunchesOfSeveral("mvt", 2000, &programs);
  ASSERT_EQ(launches.size(), 1);
  EXPECT_TRUE(launches[0]->joined);
  EXPECT_EQ(programs.back().launched.size(), 1);
  auto run = SymbolicRun::Make(ReadScop(ArgumentsPath("mvt")).value(), std::move(programs.back()));
  ASSERT_TRUE(run.ok()) << run.status();
  for (const int64_t n : {4, 37, 130}) run->Check({{"n", n}});
}

// Defaults of small sizes have blocks of several sizes, which do not fit into one launch: what has one goes
// on.
TEST(SymbolicProgram, FewerLaunchesRunAtSmallSizesToo) {
  const auto scop = ReadScop(ArgumentsPath("mvt"));
  ASSERT_TRUE(scop.ok()) << scop.status();
  auto programs = Generate(*scop, testing::H200Options(), {104, 300, 1040, 2080});
  ASSERT_TRUE(programs.ok()) << programs.status();
  ASSERT_FALSE(programs->programs.empty());
  for (const SymbolicProgram& program : programs->programs)
    EXPECT_EQ(MergedLaunchesOf(program.device).size(), 1);
  auto run = SymbolicRun::Make(*scop, std::move(programs->programs.back()));
  ASSERT_TRUE(run.ok()) << run.status();
  for (const int64_t n : {4, 17, 75}) run->Check({{"n", n}});
}

// A step of few points is not worth a launch.
TEST(SymbolicProgram, OneBlockRunsTheStepsOfSmallSizes) {
  std::vector<SymbolicProgram> programs;
  EXPECT_TRUE(LaunchesOfSeveral("jacobi_2d", 1000, &programs).empty());
  EXPECT_EQ(programs.size(), 1);
  const auto launches = LaunchesOfSeveral("jacobi_2d", 100, &programs);
  ASSERT_EQ(launches.size(), 1);
  EXPECT_FALSE(launches[0]->joined);
  EXPECT_EQ(launches[0]->blocks, 1);
}

}  // namespace
}  // namespace tune
