// Candidates run on the simulated device, beside the sequential program.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <optional>

#include "absl/strings/match.h"
#include "absl/strings/str_replace.h"
#include "common/array/element_type.h"
#include "tests/common/testing/device_models.h"
#include "tests/common/testing/sanitized.h"
#include "tests/simt/launch_sequence.h"
#include "tests/worker/codegen/region_library.h"
#include "tests/worker/cuda_programs/candidate.h"

namespace tune {

// Besides the default one. TUNE_CUDA_CONFIGURATIONS: another number, of which all are checked.
inline std::optional<int> GivenConfigurations() {
  const char* const given = std::getenv("TUNE_CUDA_CONFIGURATIONS");
  return given == nullptr ? std::nullopt : std::optional<int>(std::atoi(given));
}
inline int StandardConfigurations() { return GivenConfigurations().value_or(testing::kSanitized ? 1 : 6); }

// Every third mapping is checked, the default one among them: all are run, and what the check finds in wrong
// ones tests/worker/device_programs asks.
constexpr int kChecked = 3;

// A program whose random schedules are so hard that so many were given up is left with those that were not.
constexpr int kMostExhausted = 3;

// Candidates of one scop or several: their kernels compiled as one text, so that the compiler is started
// once. Each has arrays of its own on the simulated device.
class Simulation {
 public:
  static absl::StatusOr<std::unique_ptr<Simulation>> Make(const std::vector<Candidate>& candidates) {
    auto simulation = std::unique_ptr<Simulation>(new Simulation);
    std::string text;
    std::vector<simt::Kernel> kernels;
    for (size_t i = 0; i < candidates.size(); ++i) {
      const CudaProgram& program = candidates[i].program;
      std::vector<std::pair<std::string, std::string>> functions, numbers;
      for (size_t k = 0; k < program.facts.size(); ++k) {
        const std::string name = absl::StrCat(program.facts[k].function, "_of", i);
        functions.emplace_back(program.facts[k].function + "(", name + "(");
        numbers.emplace_back(absl::StrCat("one = {", k, ","), absl::StrCat("one = {", kernels.size(), ","));
        kernels.push_back({name, program.facts[k].dynamic_shared_bytes, program.facts[k].cooperative});
      }
      // A namespace for what is no kernel.
      absl::StrAppend(&text, "namespace of", i, " {\n", absl::StrReplaceAll(program.kernels, functions),
                      "}\n");
      for (const CudaKernelFacts& facts : program.facts)
        absl::StrAppend(&text, "using of", i, "::", facts.function, "_of", i, ";\n");
      TUNE_ASSIGN_OR_RETURN(std::unique_ptr<simt::LaunchSequence> sequence,
                            simt::LaunchSequence::Compile(absl::StrReplaceAll(program.launches, numbers)));
      simulation->programs_.push_back({std::move(sequence), {}});
    }
    if (kernels.empty()) return simulation;
    TUNE_ASSIGN_OR_RETURN(simulation->simulator_, simt::Simulator::Compile(text, kernels));
    for (size_t i = 0; i < candidates.size(); ++i)
      TUNE_RETURN_IF_ERROR(simulation->Allocate(candidates[i].program.arrays, &simulation->programs_[i]));
    return simulation;
  }

  // Runs one candidate on `memory`, whose arrays are those of the candidate that have the same names.
  absl::Status Run(size_t candidate, testing::Memory& memory) {
    if (simulator_ == nullptr) return absl::OkStatus();  // no kernel, nothing to do
    Program& program = programs_[candidate];
    std::vector<void*> pointers;
    for (Array& array : program.arrays) {
      std::fill(array.bytes.begin(), array.bytes.end(), std::byte{0xff});
      const auto given = memory.find(array.name);
      if (given != memory.end()) TUNE_RETURN_IF_ERROR(Copy(given->second.bytes, array.name, array.bytes));
      pointers.push_back(array.bytes.data());
    }
    const std::vector<const void*> host(pointers.begin(), pointers.end());
    pointers.insert(pointers.end(), host.size(), nullptr);
    std::copy_n(pointers.begin(), host.size(), pointers.begin() + host.size());  // texture objects
    TUNE_RETURN_IF_ERROR(program.sequence->Run(*simulator_, pointers, host, candidate + 1));
    for (const Array& array : program.arrays) {
      const auto taken = memory.find(array.name);
      if (taken != memory.end()) TUNE_RETURN_IF_ERROR(Copy(array.bytes, array.name, taken->second.bytes));
    }
    return absl::OkStatus();
  }

 private:
  struct Array {
    std::string name;  // the user's
    std::vector<std::byte> bytes;
  };
  struct Program {
    std::unique_ptr<simt::LaunchSequence> sequence;
    std::vector<Array> arrays;  // parallel to the candidate's; neither they nor their bytes move
  };

  Simulation() = default;

  static absl::Status Copy(const std::vector<std::byte>& from, const std::string& name,
                           std::vector<std::byte>& to) {
    if (from.size() != to.size()) {
      return absl::InternalError(absl::StrCat("array ", name, " has ", from.size(), " bytes on one side and ",
                                              to.size(), " on the other"));
    }
    std::copy(from.begin(), from.end(), to.begin());
    return absl::OkStatus();
  }

  absl::Status Allocate(const std::vector<DeviceArray>& arrays, Program* program) {
    for (const DeviceArray& array : arrays) {
      size_t bytes = ElementSize(array.type);
      for (const int64_t extent : array.extents) bytes *= extent;
      program->arrays.push_back({array.scop_name, std::vector<std::byte>(bytes)});
    }
    // Filling a tile may read elements that nobody needs, so local arrays, too, count as defined; they start
    // as NaN, which shows in the results when it is used.
    for (Array& array : program->arrays)
      TUNE_RETURN_IF_ERROR(simulator_->AddMemory(array.name, array.bytes.data(), array.bytes.size()));
    return absl::OkStatus();
  }

  std::unique_ptr<simt::Simulator> simulator_;
  std::vector<Program> programs_;  // parallel to the candidates
};

// The default configuration and random ones of the scop at these sizes leave what the sequential program
// leaves, and the simulator finds no fault in them. `exact`: sums keep their order.
inline void CheckScop(const v1::Scop& scop, const std::map<std::string, int64_t>& values,
                      ScheduleLevel level = ScheduleLevel::kO1, int configurations = StandardConfigurations(),
                      bool exact = false) {
  const v1::Reference reference = testing::MakeReference(scop, values);
  const testing::Memory inputs = testing::MakeInputs(scop, reference, 5);
  const auto expected = testing::RunSequentially(scop, reference, inputs);
  ASSERT_TRUE(expected.ok()) << expected.status();

  CudaSpaceOptions options = testing::H200Options();
  options.device.multiprocessors = 3;  // as many blocks are simulated together
  options.level = level;
  options.exact = exact;
  options.device.shared_bytes_per_block_optin = 2 * options.device.shared_bytes_per_block;
  const auto space = CudaSpace::Make(WithParameterFacts(scop, values), values, options, LittleWork());
  ASSERT_TRUE(space.ok()) << space.status();
  std::vector<Candidate> candidates;
  int exhausted = 0;
  for (int seed = 0; seed <= configurations && exhausted < kMostExhausted; ++seed) {
    const bool check = seed % kChecked == 0 || GivenConfigurations().has_value();
    auto candidate = MakeCandidate(**space, reference, seed, check);
    if (seed > 0 && absl::IsResourceExhausted(candidate.status())) {
      ++exhausted;
      continue;
    }
    if (seed > 0 && absl::IsInvalidArgument(candidate.status())) continue;  // not of the device
    ASSERT_TRUE(candidate.ok()) << candidate.status();
    candidates.push_back(*std::move(candidate));
  }
  const auto simulation = Simulation::Make(candidates);
  ASSERT_TRUE(simulation.ok()) << simulation.status();
  for (size_t i = 0; i < candidates.size(); ++i) {
    SCOPED_TRACE(candidates[i].configuration);
    testing::Memory found = inputs;
    const absl::Status run = (*simulation)->Run(i, found);
    ASSERT_TRUE(run.ok()) << run << "\n" << candidates[i].program.kernels << candidates[i].program.launches;
    // Threads that share a reduction add up in another order.
    const bool shares = absl::StrContains(candidates[i].configuration, ".reduction = x") ||
                        absl::StrContains(candidates[i].configuration, ".reduction = y");
    for (const auto& [name, memory] : *expected) {
      EXPECT_TRUE(shares ? testing::CloseNumbers(found.at(name), memory)
                         : testing::SameNumbers(found.at(name), memory))
          << name << "\n"
          << candidates[i].program.kernels;
    }
  }
}

}  // namespace tune
