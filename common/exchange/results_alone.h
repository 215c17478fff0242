// Studies that hold results of other tuners, without code.
#pragma once

#include "absl/strings/string_view.h"

namespace tune {

// Provenance.format of files of results.
inline constexpr char kT4Format[] = "T4";
inline constexpr char kKernelTunerFormat[] = "Kernel Tuner cache";

// Whether studies of this provenance have neither scop nor kernels, nor code.
inline bool AreResultsAlone(absl::string_view format) {
  return format == kT4Format || format == kKernelTunerFormat;
}

}  // namespace tune
