// Code generation over tests/programs: needs tune-extract.
#include "tests/common/testing/programs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "common/decision/configuration.h"
#include "common/space/cpu_space.h"
#include "tests/common/testing/device_models.h"
#include "tests/common/testing/random_chooser.h"
#include "tests/worker/codegen/printed_trees.h"
#include "tests/worker/codegen/region_library.h"
#include "worker/codegen/code_generator.h"
#include "worker/codegen/openmp_generator.h"
#include "worker/mapping/cpu_mapper.h"
#include "worker/print/region_function.h"

namespace tune {
namespace {

constexpr int kProgramThreads = 4;
constexpr int kRandomConfigurations = 3;

void ExpectSame(const testing::Memory& found, const testing::Memory& expected) {
  for (const auto& [name, memory] : expected)
    EXPECT_TRUE(testing::SameNumbers(found.at(name), memory)) << name;
}

// Functions of one scop: the sequential one, then the default configuration and some random ones.
struct ProgramFunctions {
  std::vector<std::string> texts;
  std::vector<std::string> names;  // the configuration, printed
};

absl::Status AddFunction(CpuSpace& space, const v1::Reference& reference, Chooser& chooser,
                         ProgramFunctions& functions) {
  RecordingChooser recording(&chooser);
  TUNE_ASSIGN_OR_RETURN(const CpuPlan plan, space.Walk(recording));
  TUNE_ASSIGN_OR_RETURN(const isl::schedule mapped,
                        MapCpuPlan(space.context(), plan, space.parameter_values()));
  TUNE_ASSIGN_OR_RETURN(const std::string code,
                        PrintOpenMpBlock(space.context(), mapped, space.scop(), space.parameter_values()));
  TUNE_ASSIGN_OR_RETURN(std::string text, PrintRegionFunction(space.scop().proto, reference, code));
  functions.texts.push_back(std::move(text));
  functions.names.push_back(PrintConfiguration(recording.configuration()));
  return absl::OkStatus();
}

absl::StatusOr<ProgramFunctions> MakeFunctions(const v1::Scop& scop,
                                               const std::map<std::string, int64_t>& values,
                                               const v1::Reference& reference) {
  TUNE_ASSIGN_OR_RETURN(const GeneratedProgram sequential, GenerateSequential(scop, reference));
  TUNE_ASSIGN_OR_RETURN(std::string text, PrintRegionFunction(scop, reference, sequential.code));
  ProgramFunctions functions{{std::move(text)}, {"sequential"}};
  CpuSpaceOptions options;
  options.hardware_threads = kProgramThreads;
  IslContext::Limits limits;
  limits.processor_time = absl::Seconds(60);
  TUNE_ASSIGN_OR_RETURN(const std::unique_ptr<CpuSpace> space,
                        CpuSpace::Make(WithParameterFacts(scop, values), values, options, limits));
  DefaultChooser standard;
  TUNE_RETURN_IF_ERROR(AddFunction(*space, reference, standard, functions));
  for (int seed = 1; seed <= kRandomConfigurations; ++seed) {
    testing::RandomChooser random(seed);
    const absl::Status added = AddFunction(*space, reference, random, functions);
    // A schedule that takes too long to compute is a candidate's outcome, not a fault.
    if (!added.ok() && !absl::IsResourceExhausted(added)) return added;
  }
  return functions;
}

void CheckScop(const v1::Scop& scop) {
  const std::map<std::string, int64_t> values = testing::ParameterValues(scop, 37);
  const v1::Reference reference = testing::MakeReference(scop, values);
  const auto functions = MakeFunctions(scop, values, reference);
  ASSERT_TRUE(functions.ok()) << functions.status();
  const auto library = testing::RegionLibrary::Compile(functions->texts);
  ASSERT_TRUE(library.ok()) << library.status();
  const testing::Memory inputs = testing::MakeInputs(scop, reference, 5);
  testing::Memory expected = inputs;
  library->Run(0, scop, expected);
  for (size_t i = 1; i < functions->texts.size(); ++i) {
    SCOPED_TRACE(functions->names[i]);
    testing::Memory found = inputs;
    library->Run(static_cast<int>(i), scop, found);
    ExpectSame(found, expected);
  }
}

class ProgramsTest : public ::testing::TestWithParam<std::string> {};

TEST_P(ProgramsTest, ConfigurationsAgreeWithTheSequentialProgram) {
  const auto extraction = testing::ExtractProgram(GetParam());
  ASSERT_TRUE(extraction.ok()) << extraction.status();
  ASSERT_GT(extraction->scops_size(), 0);
  for (const v1::Scop& scop : extraction->scops()) CheckScop(scop);
}

std::string TestName(const ::testing::TestParamInfo<std::string>& info) {
  std::string name = info.param;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(All, ProgramsTest, ::testing::ValuesIn(testing::ProgramNames()), TestName);

class GivenTreesProgramsTest : public ::testing::TestWithParam<std::string> {};

TEST_P(GivenTreesProgramsTest, AllStagesGoOnFromTheirPrintedTrees) {
  const auto extraction = testing::ExtractProgram(GetParam());
  ASSERT_TRUE(extraction.ok()) << extraction.status();
  const v1::Scop& scop = extraction->scops(0);
  const std::map<std::string, int64_t> values = testing::ParameterValues(scop, 201);
  const v1::Reference reference = testing::MakeReference(scop, values);
  const auto space = CudaSpace::Make(WithParameterFacts(scop, values), values, testing::H200Options());
  ASSERT_TRUE(space.ok()) << space.status();
  DefaultChooser chooser;
  const auto plan = (*space)->Walk(chooser);
  ASSERT_TRUE(plan.ok()) << plan.status();
  const auto trees = testing::PrintedTrees(*plan, (*space)->options(), reference, testing::MappingStages());
  ASSERT_TRUE(trees.ok()) << trees.status();
  EXPECT_FALSE(trees->empty());
  const auto made = GenerateCuda(*plan, (*space)->options(), reference);
  ASSERT_TRUE(made.ok()) << made.status();
  const auto again = GenerateCuda(*plan, (*space)->options(), reference, *trees);
  ASSERT_TRUE(again.ok()) << again.status();
  EXPECT_EQ(again->kernels, made->kernels);
  EXPECT_EQ(again->launches, made->launches);
}

// Tiles in shared memory and registers, padded and not; reductions; host loops.
INSTANTIATE_TEST_SUITE_P(Some, GivenTreesProgramsTest,
                         ::testing::Values("2mm", "atax", "correlation", "gemm", "jacobi-2d", "lu", "symm"),
                         TestName);

}  // namespace
}  // namespace tune
