// Studies that hold results of other tuners, without code.
#pragma once

#include "absl/strings/string_view.h"

namespace tune {

// Provenance.format of files of results.
inline constexpr char kT4Format[] = "T4";
inline constexpr char kKernelTunerFormat[] = "Kernel Tuner cache";
// What applications learnt: a study for each region, device and inputs, whose name, device's model and
// reference's parameters these are.
inline constexpr char kLibtuneFormat[] = "libtune wisdom";

// Whether studies of this provenance have neither scop nor kernels, nor code.
inline bool AreResultsAlone(absl::string_view format) {
  return format == kT4Format || format == kKernelTunerFormat || format == kLibtuneFormat;
}

}  // namespace tune
