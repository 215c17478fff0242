// What is linked with a measured program: it samples where the program is, and has the counters of its nests.
#pragma once

namespace tune {

// Text of a C file. It is compiled with the macros
//   TUNE_PROFILE_SAMPLES  literal: file that samples are written to (ParseSamples)
//   TUNE_PROFILE_CALLS    literal: file of TUNE_PROFILE_THREADS x TUNE_PROFILE_STRIDE counters of 64 bits
//   TUNE_PROFILE_THREADS  threads that have counters of their own; further ones share these
//   TUNE_PROFILE_STRIDE   counters of a thread, at least as many as nests
// Samples come each time that all threads together have used another tick of processor time, and tell the
// stack of the thread that used it. They and counters are in their files at once, however the program ends.
// Of processes that the program forks nothing is sampled.
extern const char kProfileRuntime[];

}  // namespace tune
