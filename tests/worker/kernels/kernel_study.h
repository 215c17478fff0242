// Hand-written kernels with the real compiler and runner, for tests.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <optional>

#include "common/base/file.h"
#include "tests/common/testing/matmul_definition.h"
#include "tune/v1/worker_service.pb.h"
#include "worker/build/host_compiler.h"
#include "worker/kernels/kernel_reference.h"

namespace tune {

inline std::string MatmulText() {
  return ReadFile(TUNE_SOURCE_DIR "/client/examples/kernels/matmul.c").value_or("");
}

inline v1::StudySetup SetupOf(const v1::StudySpec& spec) {
  v1::StudySetup setup;
  *setup.mutable_kernel() = spec.kernel();
  *setup.mutable_program() = spec.program();
  setup.set_target(v1::CPU);
  setup.mutable_limits()->set_reference_seconds(20);
  setup.mutable_limits()->set_evaluation_seconds(20);
  setup.mutable_limits()->set_compile_seconds(30);
  setup.mutable_limits()->set_memory_bytes(int64_t{1} << 30);
  setup.mutable_limits()->set_file_bytes(int64_t{1} << 30);
  setup.mutable_tolerance()->set_float_relative(1e-3);
  setup.mutable_tolerance()->set_double_relative(1e-8);
  setup.mutable_device()->set_cores(1);
  return setup;
}

class KernelStudyTest : public ::testing::Test {
 protected:
  void SetUp() override {
    setenv("TUNE_LIBEXEC", TUNE_BINARY_DIR "/bin", 1);
    folder_.emplace(*TemporaryFolder::Make());
    compiler_ = *HostCompiler::Make(folder_->path() + "/cache");
    runner_ = *ProcessRunner::Make();
  }
  void TearDown() override { unsetenv("TUNE_LIBEXEC"); }

  absl::StatusOr<ReferenceData> Reference() {
    return RunKernelReference(setup_, {compiler_.get(), runner_.get(), nullptr}, /*device=*/nullptr,
                              folder_->path() + "/reference", &log_);
  }
  // Of the reference: "in/A.bin".
  std::string Bytes(const std::string& name) const {
    return ReadFile(absl::StrCat(folder_->path(), "/reference/", name)).value_or("");
  }

  v1::StudySetup setup_ = SetupOf(testing::KernelSpec(testing::MatmulDefinition(32), MatmulText()));
  std::optional<TemporaryFolder> folder_;
  std::unique_ptr<HostCompiler> compiler_;
  std::unique_ptr<ProcessRunner> runner_;
  std::string log_;
};

}  // namespace tune
