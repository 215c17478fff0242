// The examples of the paper as C programs.
#pragma once

#include <gtest/gtest.h>

#include "tests/common/testing/programs.h"
#include "worker/cases/parametric_kernel.h"

namespace tune {

inline v1::Scop ExampleScop(const std::string& name) {
  const auto extraction =
      testing::ExtractFile(absl::StrCat(TUNE_SOURCE_DIR "/tests/worker/cases/programs/", name, ".c"));
  EXPECT_TRUE(extraction.ok()) << extraction.status();
  return extraction.ok() ? extraction->scops(0) : v1::Scop();
}

inline ParametricRegion ExampleRegion(const std::string& name) {
  const auto region = MakeParametricRegion(ExampleScop(name));
  EXPECT_TRUE(region.ok()) << region.status();
  return region.ok() ? *region : ParametricRegion();
}

}  // namespace tune
