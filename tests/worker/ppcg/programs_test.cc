// An installed PPCG on tests/programs, its kernels run on the CPU by the simulator: where PPCG finds a
// mapping, the result agrees with the sequential program. Skipped where there is no PPCG in TUNE_PPCG or
// PATH.
#include "tests/common/testing/programs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <iostream>

#include "absl/strings/match.h"
#include "absl/strings/str_replace.h"
#include "common/array/element_type.h"
#include "common/decision/configuration.h"
#include "tests/common/testing/random_chooser.h"
#include "tests/common/testing/sample_scops.h"
#include "tests/common/testing/sanitized.h"
#include "tests/simt/launch_sequence.h"
#include "tests/worker/codegen/region_library.h"
#include "tests/worker/codegen/setting_chooser.h"
#include "worker/ppcg/ppcg_generator.h"

namespace tune {
namespace {

// Besides PPCG's own and that with our schedule.
constexpr int kRandom = testing::kSanitized ? 0 : 3;

absl::StatusOr<PpcgProgram> FindPpcg() {
  const char* const path = std::getenv("TUNE_PPCG");
  return PpcgProgram::Find(path != nullptr ? path : "");
}

// With PPCG's own defaults these keep statements outside of all kernels.
const std::set<std::string> kLeftOnTheHost = {"adi",    "correlation", "deriche",    "durbin",
                                              "ludcmp", "scalar_temp", "decreasing", "norm"};

// The memory of one scop on the simulated device.
class Device {
 public:
  Device(const v1::Scop& scop, const std::vector<DeviceArray>& arrays) : scop_(scop), arrays_(arrays) {
    for (const DeviceArray& array : arrays) {
      size_t bytes = ElementSize(array.type);
      for (const int64_t extent : array.extents) bytes *= extent;
      memory_.emplace_back(bytes, std::byte{0xff});
    }
  }

  absl::Status Run(const CudaProgram& program, testing::Memory& values, int64_t* launches) {
    std::vector<simt::Kernel> kernels;
    for (const CudaKernelFacts& facts : program.facts)
      kernels.push_back({facts.function, facts.dynamic_shared_bytes});
    if (kernels.empty()) return absl::InternalError("no kernels");
    TUNE_ASSIGN_OR_RETURN(const auto simulator, simt::Simulator::Compile(program.kernels, kernels));
    TUNE_ASSIGN_OR_RETURN(const auto sequence, simt::LaunchSequence::Compile(program.launches));
    std::vector<void*> pointers;
    for (size_t i = 0; i < memory_.size(); ++i) {
      const auto value = values.find(scop_.arrays(static_cast<int>(i)).name());
      if (value != values.end()) memory_[i] = value->second.bytes;
      pointers.push_back(memory_[i].data());
      TUNE_RETURN_IF_ERROR(simulator->AddMemory(arrays_[i].name, memory_[i].data(), memory_[i].size()));
    }
    const std::vector<const void*> host(pointers.begin(), pointers.end());
    TUNE_RETURN_IF_ERROR(sequence->Run(*simulator, pointers, host, 1));
    *launches = simulator->counts().launches;
    for (size_t i = 0; i < memory_.size(); ++i) {
      const auto value = values.find(scop_.arrays(static_cast<int>(i)).name());
      if (value != values.end()) value->second.bytes = memory_[i];
    }
    return absl::OkStatus();
  }

 private:
  const v1::Scop& scop_;
  const std::vector<DeviceArray>& arrays_;
  std::vector<std::vector<std::byte>> memory_;
};

// One scop and its sequential result.
class Case {
 public:
  Case(const PpcgProgram& ppcg, const v1::Scop& scop, const std::map<std::string, int64_t>& values)
      : scop_(scop), reference_(testing::MakeReference(scop, values)) {
    inputs_ = testing::MakeInputs(scop, reference_, 5);
    auto expected = testing::RunSequentially(scop, reference_, inputs_);
    EXPECT_TRUE(expected.ok()) << expected.status();
    expected_ = *std::move(expected);
    auto generator = PpcgGenerator::Make(ppcg, scop, reference_, {});
    EXPECT_TRUE(generator.ok()) << generator.status();
    generator_ = *std::move(generator);
  }

  // One configuration; its line of the table. A failure of PPCG's is a result; one of the program it made is
  // not.
  std::string Check(Chooser& chooser) {
    RecordingChooser recording(&chooser);
    auto plan = generator_->Walk(recording);
    if (!plan.ok()) return Reason(plan.status());
    SCOPED_TRACE(PrintConfiguration(recording.configuration()));
    int64_t launches = 0;
    absl::StatusOr<size_t> kernels = Run(*plan, &launches);
    if (!plan->shared_memory || !ReadsWholeBox(kernels.status())) return Outcome(kernels, launches, "");
    // PPCG fills shared memory with whole boxes, also with elements that it does not use and other blocks
    // write. That this is all there is to it shows without shared memory.
    plan->shared_memory = false;
    kernels = Run(*plan, &launches);
    return Outcome(kernels, launches, " without shared memory, which reads what other blocks write");
  }

 private:
  static bool ReadsWholeBox(const absl::Status& status) {
    return absl::IsFailedPrecondition(status) &&
           absl::StrContains(status.message(), "races with a read of block");
  }

  std::string Outcome(const absl::StatusOr<size_t>& kernels, int64_t launches, const std::string& how) {
    if (!kernels.ok()) return Reason(kernels.status());
    return absl::StrCat(*kernels, " kernels, ", launches, " launches, ok", how);
  }

  // The number of kernels.
  absl::StatusOr<size_t> Run(const PpcgPlan& plan, int64_t* launches) {
    TUNE_ASSIGN_OR_RETURN(const CudaProgram program, generator_->Generate(plan));
    testing::Memory found = inputs_;
    TUNE_RETURN_IF_ERROR(Annotate(Device(scop_, program.arrays).Run(program, found, launches),
                                  program.kernels + program.launches));
    for (const auto& [name, memory] : expected_)
      EXPECT_TRUE(testing::SameNumbers(found.at(name), memory)) << name << "\n" << program.kernels;
    return program.facts.size();
  }

  std::string Reason(const absl::Status& status) {
    const bool own_failure = absl::IsInternal(status) && absl::StartsWith(status.message(), "ppcg exited");
    EXPECT_TRUE(absl::IsInvalidArgument(status) || own_failure || absl::IsResourceExhausted(status))
        << status;
    return status.ToString();
  }

  const v1::Scop scop_;
  const v1::Reference reference_;
  testing::Memory inputs_, expected_;
  std::unique_ptr<PpcgGenerator> generator_;
};

void CheckAll(const std::string& name, Case& one) {
  DefaultChooser chooser;
  const std::string standard = one.Check(chooser);
  std::cout << name << ": " << standard << "\n";
  EXPECT_THAT(standard, ::testing::HasSubstr(kLeftOnTheHost.count(name) > 0 ? "on the host, outside of"
                                                                            : " launches, ok"));
  // PPCG's own default decisions, except that it loads our schedule.
  const std::map<std::string, std::string> loads = {{"ppcg.schedule", "builtin"}};
  testing::SettingChooser builtin(loads);
  std::cout << name << ", builtin schedule: " << one.Check(builtin) << "\n";
  for (int seed = 1; seed <= kRandom; ++seed) {
    testing::RandomChooser random(seed);
    std::cout << name << ", seed " << seed << ": " << one.Check(random) << "\n";
  }
}

class PpcgProgramsTest : public ::testing::TestWithParam<std::string> {};

TEST_P(PpcgProgramsTest, AgreesWithTheSequentialProgram) {
  const auto ppcg = FindPpcg();
  if (!ppcg.ok()) GTEST_SKIP() << ppcg.status().message();
  const auto extraction = testing::ExtractFile(testing::ProgramPath(GetParam()), testing::OddSizes());
  ASSERT_TRUE(extraction.ok()) << extraction.status();
  for (const v1::Scop& scop : extraction->scops()) {
    Case one(*ppcg, scop, testing::ParameterValues(scop, 33));
    CheckAll(GetParam(), one);
  }
}

INSTANTIATE_TEST_SUITE_P(All, PpcgProgramsTest, ::testing::ValuesIn(testing::ProgramNames()),
                         [](const auto& info) {
                           return absl::StrReplaceAll(info.param, {{"-", "_"}});
                         });

TEST(PpcgSamples, AgreeWithTheSequentialProgram) {
  const auto ppcg = FindPpcg();
  if (!ppcg.ok()) GTEST_SKIP() << ppcg.status().message();
  for (const testing::SampleScop& sample : testing::SampleScops()) {
    SCOPED_TRACE(sample.name);
    const v1::Scop scop = sample.make();
    Case one(*ppcg, scop, testing::ParameterValues(scop, 33));
    CheckAll(sample.name, one);
  }
}

}  // namespace
}  // namespace tune
