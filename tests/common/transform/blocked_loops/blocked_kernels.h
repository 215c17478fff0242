// The kernels of scops whose loops are in blocks.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "common/kernel/kernel.h"
#include "common/schedule/original_schedule.h"
#include "tests/common/transform/expansion/expansion_check.h"

namespace tune::testing {

// Those of the tree that the blocked scop brings with it.
inline std::vector<std::string> BlockedKernelNames(const v1::Scop& blocked, const Values& values) {
  const auto analysis = Analysis::Make(blocked, values).value();
  const isl::schedule schedule = OriginalSchedule(analysis->context, *analysis->scop, analysis->dependences);
  const auto scheduled = SelectKernels(analysis->context, schedule, *analysis->scop, analysis->dependences,
                                       values, InnerReductions::kAreKernels);
  EXPECT_TRUE(scheduled.ok()) << scheduled.status();
  std::vector<std::string> names;
  for (const Kernel& kernel : (*scheduled)->kernels) names.push_back(kernel.name);
  return names;
}

}  // namespace tune::testing
