// What tells studies and programs apart, on every server.
#pragma once

#include <string>

#include "tune/v1/archive.pb.h"
#include "tune/v1/kernel.pb.h"
#include "tune/v1/program.pb.h"

namespace tune {

// Of everything in the bundle: files, macros, flags, arguments, input, parameter values. The same program
// runs the region with the same parameter values.
std::string ProgramFingerprint(const v1::Program& program);

// Of macros, arguments, standard input and given parameter values alone: what people choose sizes with. The
// order of macros does not matter.
std::string SettingsFingerprint(const v1::Program& program);

// Of hand-written kernels, with all files that belong to them; what the definition asks of the search does
// not count. No region has it.
std::string KernelFingerprint(const v1::KernelDefinition& kernel, const v1::Program& program);

// The same for all sizes: those of the problem, counts and fills of arguments, and what outputs are compared
// with do not count.
std::string KernelShape(const v1::KernelDefinition& kernel, const v1::Program& program);

// Of what does not change once a study has ended: spec, owner, times, device and the candidates with their
// outcomes and samples; of what applications learnt also of name and inputs. Its id, texts, replays, extra
// samples and where it came from do not count, so that copies on several servers are known to be one.
std::string StudyFingerprint(const v1::ArchivedStudy& study);

}  // namespace tune
