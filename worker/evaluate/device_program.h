// The user's program with a candidate's CUDA file.
#pragma once

#include <string>

#include "tune/v1/worker_service.pb.h"
#include "worker/build/compiler.h"
#include "worker/build/cuda_tools.h"
#include "worker/reference/tuned_program.h"

namespace tune {

// The CUDA file `text` as an object beside it in `folder`, made by nvcc for the study's device.
absl::StatusOr<CompileResult> CompileDeviceFile(const std::string& nvcc, const std::string& text,
                                                const v1::StudySetup& setup, const std::string& folder,
                                                const CompileLimits& limits);

// `code` in the region's place, linked with the file `object` and the libraries of the toolkit that nvcc
// belongs to; without `prepare`. Errors as ReadUntrustedFile.
absl::StatusOr<TunedProgram> ProgramWithDevice(const std::string& nvcc, const std::string& code,
                                               const std::string& object);

// TunedProgram::prepare with which CUDA starts on the device before the clock does.
std::string StartDevice(int ordinal);

// CheckTunedProgram on one of the host's devices, which is started before the region's clock, and has other
// work while the original program runs; CANCELLED where none became free.
v1::ProgramCheck CheckOnDevice(const v1::StudySetup& setup, const CudaTools& tools,
                               const ReferenceData& reference, TunedProgram tuned,
                               Cancellation* cancellation);

// A check that ended before there was a program to run.
v1::ProgramCheck NotRun(v1::Outcome outcome, absl::string_view why);

}  // namespace tune
