// Programs for all sizes on the simulated device.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <list>
#include <map>
#include <memory>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "common/array/element_type.h"
#include "tests/simt/simulator.h"
#include "tests/worker/codegen/region_library.h"
#include "worker/codegen/symbolic_program.h"
#include "worker/print/merged_kernel_printer.h"

namespace tune::testing {

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

  // It leaves what the sequential program leaves, up to the order of sums. `original`: the scop that has this
  // program where that is another form of it; null: the same.
  void Check(const Sizes& values, const v1::Scop* original = nullptr) {
    SCOPED_TRACE(::testing::PrintToString(values));
    EXPECT_NE(Evaluate(program_.requirement, [&](const std::string& name) { return values.at(name); }), 0);
    const v1::Reference reference = MakeReference(scop_, values);
    Memory inputs = MakeInputs(scop_, reference, 5);
    const auto expected = original == nullptr
                              ? RunSequentially(scop_, reference, inputs)
                              : RunSequentially(*original, MakeReference(*original, values), inputs);
    ASSERT_TRUE(expected.ok()) << expected.status();
    const Memory& found = memories_.emplace_back(std::move(inputs));
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
    for (const v1::Array& array : (original == nullptr ? scop_ : *original).arrays()) {
      const std::string& name = array.name();
      if (expected->count(name) == 0) continue;
      EXPECT_TRUE(CloseNumbers(found.at(name), expected->at(name))) << name << "\n" << program_.kernels;
    }
  }

 private:
  v1::Scop scop_;
  SymbolicProgram program_;
  std::unique_ptr<simt::Simulator> simulator_;
  // On the device; neither these nor their bytes move.
  std::list<Memory> memories_;
  std::list<std::vector<std::byte>> locals_;
};

// What the arrays' rows are multiples of.
inline int64_t RowDivisor(const SymbolicProgram& program) {
  int64_t divisor = 1;
  for (const DeviceArray& array : program.device.arrays)
    for (const int64_t extent : array.extents) divisor = std::lcm(divisor, extent);
  return divisor;
}

}  // namespace tune::testing
