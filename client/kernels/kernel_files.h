// The files of hand-written kernels, for those who compile them elsewhere.
#pragma once

#include <string>
#include <vector>

#include "common/base/status.h"
#include "tune/v1/kernel.pb.h"
#include "tune/v1/program.pb.h"

namespace tune {

// Every file that the definition names, those of HDF5 excepted (hdf5_fills.h), and those of `with`, further
// sources; all lie in `folder` or below, and their paths are relative to it. With them the headers there that
// they include in quotes, directly or not; what is not found is the compiler's to tell. INVALID_ARGUMENT for
// a path that leads out of the folder, NOT_FOUND for a file that is not there.
absl::StatusOr<v1::Program> ReadKernelFiles(const v1::KernelDefinition& definition, const std::string& folder,
                                            const std::vector<std::string>& with,
                                            const std::vector<std::string>& include_directories);

}  // namespace tune
