// Programs for all sizes over tests/programs, on the simulated device at sizes that they were not made for:
// needs tune-extract.
#include "worker/codegen/symbolic_program.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <list>
#include <numeric>

#include "common/array/element_type.h"
#include "common/base/random.h"
#include "tests/common/testing/device_models.h"
#include "tests/common/testing/programs.h"
#include "tests/simt/simulator.h"
#include "tests/worker/codegen/region_library.h"
#include "worker/print/merged_kernel_printer.h"

namespace tune {
namespace {

using Sizes = std::map<std::string, int64_t>;

// The host's part of a program at known sizes.
class HostRun {
 public:
  // `sizes`: parameters and extents by name; `arrays`: parallel to the program's, addresses of their bytes.
  HostRun(const SymbolicProgram& program, simt::Simulator& simulator, Sizes sizes, std::vector<void*> arrays)
      : launched_(program.launched),
        program_(program.device),
        simulator_(simulator),
        values_(std::move(sizes)),
        arrays_(std::move(arrays)) {}

  absl::Status Run() { return Run(program_.host); }

 private:
  int64_t Value(const IndexExpression& expression) const {
    return Evaluate(expression, [&](const std::string& name) { return values_.at(name); });
  }

  absl::Status Run(const Block& block) {
    for (const Node& node : block) {
      if (const auto* const loop = node.As<Loop>()) {
        for (values_[loop->iterator] = Value(loop->first); Value(loop->condition) != 0;
             values_[loop->iterator] += Value(loop->step))
          TUNE_RETURN_IF_ERROR(Run(loop->body));
      } else if (const auto* const branch = node.As<Condition>()) {
        TUNE_RETURN_IF_ERROR(Run(Value(branch->condition) != 0 ? branch->then : branch->otherwise));
      } else if (const auto* const launch = node.As<Launch>()) {
        TUNE_RETURN_IF_ERROR(Run(*launch));
      } else if (const auto* const merged = node.As<MergedLaunch>()) {
        TUNE_RETURN_IF_ERROR(Run(*merged));
      } else {
        return absl::InternalError("a host has no such node");
      }
    }
    return absl::OkStatus();
  }

  absl::Status Run(const Launch& launch) {
    const DeviceKernel& kernel = program_.kernels[launch.kernel];
    std::vector<int64_t> numbers;  // of which kernels take the lower half where their integers are `int`
    for (const std::string& size : kernel.sizes) numbers.push_back(values_.at(size));
    for (const IndexExpression& value : launch.host) numbers.push_back(Value(value));
    for (size_t axis = 0; axis < launch.first.size(); ++axis)
      if (!kernel.axes[axis].first_is_constant) numbers.push_back(Value(launch.first[axis]));
    std::vector<const DeviceArray*> used;
    for (const KernelArray& one : kernel.arrays) used.push_back(&program_.arrays[one.array]);
    simt::Simulator::Launch run;
    for (size_t axis = 0; axis < launch.count.size(); ++axis) {
      const int64_t count = Value(launch.count[axis]);
      EXPECT_GE(count, 1);
      run.grid[axis] = static_cast<unsigned>(count);
    }
    for (int axis = 0; axis < 3; ++axis) run.block[axis] = static_cast<unsigned>(kernel.threads[axis]);
    run.dynamic_shared_bytes = kernel.given_shared_bytes;
    return Run(kernel.function, used, std::move(numbers), run);
  }

  absl::Status Run(const MergedLaunch& merged) {
    std::vector<int64_t> numbers;
    for (const std::string& size : MergedKernelSizes(program_, merged)) numbers.push_back(values_.at(size));
    for (const std::string& iterator : merged.iterators) numbers.push_back(values_.at(iterator));
    simt::Simulator::Launch run;
    run.grid[0] = merged.joined ? 0 : static_cast<unsigned>(merged.blocks);
    ForEachNode(merged.body, [&](const Node& node) {
      const auto* const turns = node.As<BlockTurns>();
      if (turns == nullptr) return;
      int64_t blocks = 1;
      for (const IndexExpression& count : turns->launch.count) blocks *= merged.joined ? Value(count) : 1;
      if (merged.joined) run.grid[0] += static_cast<unsigned>((blocks + turns->at_once - 1) / turns->at_once);
      run.dynamic_shared_bytes = std::max<int64_t>(run.dynamic_shared_bytes,
                                                   program_.kernels[turns->launch.kernel].given_shared_bytes);
    });
    run.block[0] = static_cast<unsigned>(merged.threads);
    return Run(merged.function, MergedKernelArrays(program_, merged), std::move(numbers), run);
  }

  absl::Status Run(const std::string& function, const std::vector<const DeviceArray*>& used,
                   std::vector<int64_t> numbers, simt::Simulator::Launch run) {
    const auto launched = std::find_if(launched_.begin(), launched_.end(),
                                       [&](const CudaKernelFacts& one) { return one.function == function; });
    if (launched == launched_.end()) return absl::InternalError("the host launches an unknown function");
    run.kernel = static_cast<int>(launched - launched_.begin());
    std::vector<void*> addresses = arrays_, arguments;
    for (const DeviceArray* const array : used)
      arguments.push_back(array->by_value ? arrays_[array->index]
                                          : static_cast<void*>(&addresses[array->index]));
    for (int64_t& number : numbers) arguments.push_back(&number);
    run.arguments = arguments.data();
    return simulator_.Run(run, /*seed=*/++launches_);
  }

  const std::vector<CudaKernelFacts>& launched_;
  const DeviceProgram& program_;
  simt::Simulator& simulator_;
  Sizes values_;
  std::vector<void*> arrays_;
  uint64_t launches_ = 0;
};

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

// A program of one scop on the simulated device.
class SymbolicRun {
 public:
  static absl::StatusOr<SymbolicRun> Make(const v1::Scop& scop, SymbolicProgram program) {
    SymbolicRun made;
    made.scop_ = scop;
    made.program_ = std::move(program);
    std::vector<simt::Kernel> kernels;
    for (const CudaKernelFacts& launched : made.program_.launched)
      kernels.push_back({launched.function, launched.dynamic_shared_bytes});
    TUNE_ASSIGN_OR_RETURN(made.simulator_, simt::Simulator::Compile(made.program_.kernels, kernels));
    return made;
  }

  // It leaves what the sequential program leaves, up to the order of sums.
  void Check(const Sizes& values) {
    SCOPED_TRACE(::testing::PrintToString(values));
    EXPECT_NE(Evaluate(program_.requirement, [&](const std::string& name) { return values.at(name); }), 0);
    const v1::Reference reference = testing::MakeReference(scop_, values);
    testing::Memory inputs = testing::MakeInputs(scop_, reference, 5);
    const auto expected = testing::RunSequentially(scop_, reference, inputs);
    ASSERT_TRUE(expected.ok()) << expected.status();
    const testing::Memory& found = memories_.emplace_back(std::move(inputs));
    Sizes sizes = values;
    std::vector<void*> arrays;
    for (const DeviceArray& array : program_.device.arrays) {
      for (size_t i = 0; i < array.extent_names.size(); ++i)
        sizes[array.extent_names[i]] = memories_.back().at(array.scop_name).extents[i];
      std::vector<std::byte>* bytes = array.local ? &locals_.emplace_back(ElementSize(array.type))
                                                  : &memories_.back().at(array.scop_name).bytes;
      arrays.push_back(bytes->data());
      if (array.by_value) continue;
      const absl::Status added = simulator_->AddMemory(array.scop_name, bytes->data(), bytes->size());
      ASSERT_TRUE(added.ok()) << added;
    }
    const absl::Status run = HostRun(program_, *simulator_, sizes, arrays).Run();
    ASSERT_TRUE(run.ok()) << run << "\n" << program_.kernels;
    for (const auto& [name, memory] : *expected)
      EXPECT_TRUE(testing::CloseNumbers(found.at(name), memory)) << name << "\n" << program_.kernels;
  }

 private:
  v1::Scop scop_;
  SymbolicProgram program_;
  std::unique_ptr<simt::Simulator> simulator_;
  // On the device; neither these nor their bytes move.
  std::list<testing::Memory> memories_;
  std::list<std::vector<std::byte>> locals_;
};

// What the arrays' rows are multiples of.
int64_t RowDivisor(const SymbolicProgram& program) {
  int64_t divisor = 1;
  for (const DeviceArray& array : program.device.arrays)
    for (const int64_t extent : array.extents) divisor = std::lcm(divisor, extent);
  return divisor;
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
