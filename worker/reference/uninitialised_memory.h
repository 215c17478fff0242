// Whether a program gives an element its value before the region, or the region finds what lay in memory.
#pragma once

#include <cstdint>
#include <string>

#include "common/base/status.h"
#include "tune/v1/study.pb.h"
#include "worker/reference/reference_data.h"

namespace tune {

// For the compiler: local variables without a value have one byte everywhere (gcc from 12 on: 0xFE).
inline constexpr char kFillLocalsFlag[] = "-ftrivial-auto-var-init=pattern";

// For the program: what is freed has the byte 0xA5 everywhere, and what malloc makes anew the inverse (glibc;
// blocks of a thread's cache would stay as they are).
inline constexpr char kFillAllocations[] =
    "GLIBC_TUNABLES=glibc.malloc.perturb=165:glibc.malloc.tcache_count=0";

struct ArrayElement {
  std::string array;
  int64_t index = 0;  // among the array's elements, row by row
  size_t bytes = 0;   // of an element
};

// Runs the program of the study once more with new memory that has one of these bytes everywhere, and looks
// whether the region's first execution finds nothing else in the element. False also where the program does
// not build or run so. CANCELLED as RunReference.
absl::StatusOr<bool> IsUninitialised(const v1::StudySetup& setup, const ReferenceTools& tools,
                                     const ArrayElement& element);

}  // namespace tune
