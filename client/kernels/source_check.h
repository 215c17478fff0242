// A definition against the files that it names.
#pragma once

#include <string>

#include "client/kernels/source_scan.h"
#include "common/kernel_definition/fault_list.h"
#include "tune/v1/kernel.pb.h"

namespace tune {

// Kernels that the source does not have, with those that it has; arguments whose number or type is not that
// of the parameters; template arguments; symbols. A type that the scan does not know fits anything.
void CheckAgainstSource(const v1::KernelDefinition& definition, const SourceScan& source, FaultList* faults);

// Files that arguments, outputs and references are read from: that they are there, below `folder` where the
// path is relative, and that raw ones have as many bytes as there are elements.
void CheckFilesOf(const v1::KernelDefinition& definition, const std::string& folder, FaultList* faults);

}  // namespace tune
