// The region as the user wrote it, built as the user builds it: what candidates are compared with.
#pragma once

#include <string>

#include "common/base/status.h"
#include "tune/v1/worker_service.pb.h"
#include "worker/build/compiler.h"
#include "worker/reference/reference_data.h"

namespace tune {

// A shared object for tune-runner, in the user's file and with the user's flags, and with the memory, extents
// and parameter values of `reference`. It lies in `folder`, which is made, and works as long as that is
// there. A text that needs more of its function than the scop holds does not compile: the result says so.
absl::StatusOr<CompileResult> CompileOriginalRegion(const v1::StudySetup& setup,
                                                    const v1::Reference& reference, Compiler* compiler,
                                                    const std::string& folder, const CompileLimits& limits);

// The same in any case: as extracted, where the user's text does not compile outside of its function. The
// path of a shared object; `log` gets what the compiler said of one that is INTERNAL. CANCELLED.
absl::StatusOr<std::string> CompileRegionAlone(const v1::StudySetup& setup, const ReferenceTools& tools,
                                               const v1::Reference& reference, const std::string& folder,
                                               std::string* log);

}  // namespace tune
