// Peak rates of the worker's devices, measured once and kept.
#pragma once

#include <functional>
#include <string>

#include "common/base/status.h"
#include "tune/v1/device.pb.h"
#include "worker/build/compiler.h"

namespace tune {

// Sets device->peaks from a file in `folder`, or by `measure` and writes that file. Files are named after
// what the rates depend on: device, driver, compiler, number of cores. One process at a time measures; others
// wait for it. When measuring fails, peaks stay unset, which one line of the log says: results then show no
// bound.
void FindPeaks(const std::string& folder, const std::function<absl::StatusOr<v1::PeakRates>()>& measure,
               v1::Device* device);

// How a device is measured: the host by a program that `compiler` builds, a GPU by tune-cuda-runner.
absl::StatusOr<v1::PeakRates> MeasurePeaks(const v1::Device& device, Compiler* compiler);

}  // namespace tune
