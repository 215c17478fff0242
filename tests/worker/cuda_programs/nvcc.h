// Generated CUDA and NVIDIA's compiler.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "common/base/cuda_toolkit.h"
#include "common/base/file.h"
#include "common/base/subprocess.h"

namespace tune {

// Expects that nvcc, of this path, accepts the text without a warning.
inline void CompileWithNvcc(const std::string& nvcc, const std::string& text) {
  const TemporaryFolder folder = TemporaryFolder::Make().value();
  const std::string file = folder.path() + "/kernels.cu";
  ASSERT_TRUE(WriteFile(file, text).ok());
  SubprocessOptions options;
  options.wall_limit = absl::Minutes(3);
  const auto result = RunSubprocess({nvcc, "-arch=sm_90", "-cubin", "-Werror", "all-warnings", "-o",
                                     folder.path() + "/kernels.cubin", file},
                                    options);
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_TRUE(result->ok()) << "nvcc " << result->Describe() << "\n"
                            << result->standard_output << result->standard_error << text;
}

}  // namespace tune
