// Arguments that hold data sets of HDF5 files.
#pragma once

#include <string>

#include "common/base/status.h"
#include "tune/v1/kernel.pb.h"
#include "tune/v1/program.pb.h"

namespace tune {

// Reads the data sets that the definition names, by paths relative to `folder`, and adds them to the program
// as files of raw bytes, which take their place in the definition: servers and workers, which get files of
// strangers, read none of HDF5. Errors as ReadHdf5, with the argument in front.
absl::Status TakeHdf5Fills(const std::string& folder, v1::KernelDefinition* definition, v1::Program* program);

}  // namespace tune
