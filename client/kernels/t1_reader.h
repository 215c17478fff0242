// Definitions of kernels in the format T1 of the autotuning community (JSON), in the dialects of KTT
// (GlobalSize with GlobalSizeType) and of Kernel Tuner (ProblemSize with GridDivX).
#pragma once

#include <string>
#include <vector>

#include "client/report/json.h"
#include "common/parameters/parameter_space.h"
#include "tune/v1/kernel.pb.h"

namespace tune {

struct T1Reading {
  v1::KernelDefinition definition;
  // A line for each field that is not taken, with its path and the reason, and for each that was mended.
  std::vector<std::string> notes;
};

// Every field of the published schema is taken, refused or noted. Where both dialects are there and disagree,
// Kernel Tuner's counts; defaults that are no values, or make no valid configuration, are mended. Random
// numbers are those of KTT: uniform from 0 to FillValue. INVALID_ARGUMENT: a line for each fault, that begins
// with the field's path, and those of CheckDefinition.
absl::StatusOr<T1Reading> ReadT1(const Json& json, const ParameterSpaceLimits& limits = {});

}  // namespace tune
