// Programs for all sizes over tests/programs, on the simulated device at sizes that they were not made for:
// needs tune-extract.
#include "worker/codegen/symbolic_program.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <list>

#include "common/array/element_type.h"
#include "common/base/random.h"
#include "tests/common/testing/device_models.h"
#include "tests/common/testing/programs.h"
#include "tests/simt/simulator.h"
#include "tests/worker/codegen/region_library.h"

namespace tune {
namespace {

using Sizes = std::map<std::string, int64_t>;

// The host's part of a program at known sizes.
class HostRun {
 public:
  // `sizes`: parameters and extents by name; `arrays`: parallel to the program's, addresses of their bytes.
  HostRun(const DeviceProgram& program, simt::Simulator& simulator, Sizes sizes, std::vector<void*> arrays)
      : program_(program), simulator_(simulator), values_(std::move(sizes)), arrays_(std::move(arrays)) {}

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
    std::vector<void*> addresses = arrays_, arguments;
    for (const KernelArray& used : kernel.arrays) {
      const bool by_value = program_.arrays[used.array].by_value;
      arguments.push_back(by_value ? arrays_[used.array] : static_cast<void*>(&addresses[used.array]));
    }
    for (int64_t& number : numbers) arguments.push_back(&number);
    simt::Simulator::Launch run;
    run.kernel = launch.kernel;
    for (size_t axis = 0; axis < launch.count.size(); ++axis) {
      const int64_t count = Value(launch.count[axis]);
      EXPECT_GE(count, 1);
      run.grid[axis] = static_cast<unsigned>(count);
    }
    for (int axis = 0; axis < 3; ++axis) run.block[axis] = static_cast<unsigned>(kernel.threads[axis]);
    run.dynamic_shared_bytes = kernel.given_shared_bytes;
    run.arguments = arguments.data();
    return simulator_.Run(run, /*seed=*/++launches_);
  }

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

// A program of one scop on the simulated device.
class SymbolicRun {
 public:
  static absl::StatusOr<SymbolicRun> Make(const v1::Scop& scop, const CudaSpaceOptions& options,
                                          int64_t typical) {
    SymbolicRun made;
    made.scop_ = scop;
    TUNE_ASSIGN_OR_RETURN(auto programs, GenerateSymbolic(scop, options, {typical}, "program"));
    if (programs.size() != 1) return absl::InternalError("there is no program");
    made.program_ = std::move(programs[0]);
    std::vector<simt::Kernel> kernels;
    for (const DeviceKernel& kernel : made.program_.device.kernels)
      kernels.push_back({kernel.function, kernel.given_shared_bytes});
    TUNE_ASSIGN_OR_RETURN(made.simulator_, simt::Simulator::Compile(made.program_.kernels, kernels));
    return made;
  }

  const SymbolicProgram& program() const { return program_; }

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
    const absl::Status run = HostRun(program_.device, *simulator_, sizes, arrays).Run();
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

// Each parameter on its own, time steps aside.
Sizes Draw(const v1::Scop& scop, Random& random) {
  Sizes sizes = testing::ParameterValues(scop, 0);
  for (auto& [name, value] : sizes) value = value == 5 ? 5 : 4 + static_cast<int64_t>(random.Below(85));
  return sizes;
}

std::string BoundPath() { return TUNE_SOURCE_DIR "/tests/worker/codegen/programs/bound_by_quotient.c"; }

// 1000 times a parameter may leave `int`, also where all values of iterators and subscripts fit it.
TEST(SymbolicProgram, CountsInLongWherePartsOfConditionsNeedIt) {
  const auto type = [](const std::string& path) -> std::string {
    const auto scop = ReadScop(path);
    if (!scop.ok()) return scop.status().ToString();
    const auto programs = GenerateSymbolic(*scop, FewProcessors(), {2000}, "program");
    if (!programs.ok() || programs->size() != 1) return programs.status().ToString();
    return programs->at(0).device.kernels.at(0).index_type;
  };
  EXPECT_EQ(type(BoundPath()), "long long");
  EXPECT_EQ(type(TranspositionPath()), "int");
}

TEST(SymbolicProgram, OneThatCannotBeMadeLeavesTheOthers) {
  auto scop = ReadScop(BoundPath());
  ASSERT_TRUE(scop.ok()) << scop.status();
  scop->set_context("[n, m] -> { : n >= 0 and m >= 0 and n + m <= 3000 }");
  const auto none = GenerateSymbolic(*scop, FewProcessors(), {2000}, "program");
  EXPECT_TRUE(absl::IsInvalidArgument(none.status())) << none.status();
  const auto programs = GenerateSymbolic(*scop, FewProcessors(), {2000, 500}, "program");
  ASSERT_TRUE(programs.ok()) << programs.status();
  ASSERT_EQ(programs->size(), 1);
  EXPECT_EQ(programs->at(0).device.kernels.at(0).function, "program0_kernel0");
}

class SymbolicPrograms : public ::testing::TestWithParam<std::string> {};

TEST_P(SymbolicPrograms, AreRightAtSizesThatNobodyNamed) {
  const std::string& name = GetParam();
  const auto scop = ReadScop(name == "transposition" ? TranspositionPath() : testing::ProgramPath(name));
  ASSERT_TRUE(scop.ok()) << scop.status();
  for (const int64_t typical : {2000, 100}) {
    SCOPED_TRACE(typical);
    auto run = SymbolicRun::Make(*scop, FewProcessors(), typical);
    ASSERT_TRUE(run.ok()) << run.status();
    Random random(24);
    for (int i = 0; i < 6 && !HasFailure(); ++i) run->Check(Draw(*scop, random));
  }
}

INSTANTIATE_TEST_SUITE_P(Five, SymbolicPrograms,
                         ::testing::Values("gemm", "syrk", "mvt", "2mm", "transposition"),
                         [](const auto& info) { return "P" + info.param; });

}  // namespace
}  // namespace tune
