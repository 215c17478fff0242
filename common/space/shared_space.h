// The space of regions that CPU and GPU share: how the outermost loop is divided, and what each side runs it
// with.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "common/base/status.h"
#include "common/decision/chooser.h"
#include "tune/v1/configuration.pb.h"

namespace tune {

// Threads of a block and what one of them computes, of every kernel of the region.
struct SharedFormat {
  int64_t x = 1, y = 1;  // threads; a kernel with one axis has x*y along it
  int64_t points = 1;    // of a thread along x
  int64_t strip = 1;     // iterations of a loop whose data are read together
  // The kernels' own tables decide in each call; the numbers do not count.
  bool of_tables = true;
};

// A walk's result.
struct SharedPlan {
  // Platforms with their shares of the iterations, in the order of these: "cpu:20,gpu:80"; "original": the
  // region as it is written.
  std::string parts;
  bool on_cpu = false, on_gpu = false;  // whether some part is
  // The CPU's parts run on the host's threads over this.
  int64_t fewer_threads = 1;
  SharedFormat format;
};

// Asks `shared.division` (the original, or 1 to 4 parts whose platforms alternate, as of two neighbours on
// one nothing would be gained); of each part but the last `shared.share_N`, percent of what those before it
// leave; of the CPU's parts `shared.threads`; of the GPU's `shared.block` and, where that is not left to the
// kernels' tables, `shared.points` and `shared.strip`. The default is the GPU alone. Errors: the chooser's.
absl::StatusOr<SharedPlan> WalkShared(Chooser& chooser);

// Configurations that every search of this space is to try, whatever it believes: the original first, then
// the CPU alone and both with a half each; the GPU alone is the default.
std::vector<v1::Configuration> SharedSeeds();

// Whether a configuration is one of this space, by its first decision.
bool IsOfSharedSpace(const v1::Configuration& configuration);

}  // namespace tune
