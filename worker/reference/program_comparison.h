// The original and the tuned program, run in turns.
#pragma once

#include "tune/v1/study.pb.h"
#include "worker/reference/instrumented_program.h"

namespace tune {

// Whether `pairs` runs of both programs, which took `seconds` of wall time, are too few: up to 3 pairs
// always, up to 6, from which on an interval needs no distribution (PairedRatio), within 20 s, and up to 12,
// of which one may be wild, within 5 s.
bool WantsAnotherPair(int pairs, double seconds);

// Runs both programs in turns, the order within a pair alternating so that a slow drift of the machine hits
// both alike, and sets `fresh` and, where the region runs several times in each, `warm` from each run's
// median. An error is the tuned program's, or CANCELLED; where the original one fails, the message says so
// and there are no times.
absl::Status CompareInTurns(const InstrumentedProgram& original, const InstrumentedProgram& tuned,
                            v1::ProgramCheck* check);

}  // namespace tune
