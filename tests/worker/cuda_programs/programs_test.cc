// The generated CUDA of tests/programs, run on the CPU by the simulator: many configurations of every program
// agree with the sequential program, and the simulator finds no fault in them.
#include "tests/common/testing/programs.h"

#include <gtest/gtest.h>

#include <set>

#include "absl/strings/str_replace.h"
#include "tests/worker/cuda_programs/simulation.h"

namespace tune {
namespace {

class CudaProgramsTest : public ::testing::TestWithParam<std::string> {};

TEST_P(CudaProgramsTest, ConfigurationsAgreeWithTheSequentialProgram) {
  const std::set<std::string> few = {"gemm", "atax", "jacobi-2d"};
  if (testing::kSanitizedThreads && few.count(GetParam()) == 0)
    GTEST_SKIP() << "the simulator has one thread";
  const auto extraction = testing::ExtractFile(testing::ProgramPath(GetParam()), testing::OddSizes());
  ASSERT_TRUE(extraction.ok()) << extraction.status();
  for (const v1::Scop& scop : extraction->scops()) CheckScop(scop, testing::ParameterValues(scop, 33));
}

INSTANTIATE_TEST_SUITE_P(All, CudaProgramsTest, ::testing::ValuesIn(testing::ProgramNames()),
                         [](const auto& info) {
                           return absl::StrReplaceAll(info.param, {{"-", "_"}});
                         });

}  // namespace
}  // namespace tune
