// Data sets of HDF5 files, where this program was built with HDF5's library (Debian: libhdf5-dev).
#pragma once

#include <cstdint>
#include <string>

#include "common/base/status.h"
#include "tune/v1/kernel.pb.h"

namespace tune {

// Whether the library was there when this program was built.
bool ReadsHdf5();

// So many numbers of a data set ("input", "/group/input") as they lie in memory, in the order of the file,
// which must hold as many, of this type: nothing is converted but the order of bytes. UNIMPLEMENTED without
// the library, and for types that HDF5 has no name for (half, custom); INVALID_ARGUMENT: what the data set
// has instead; NOT_FOUND: no such file or data set. All say what to do.
absl::StatusOr<std::string> ReadHdf5(const std::string& path, const std::string& dataset, v1::NumberType type,
                                     int64_t numbers);

}  // namespace tune
