// Why a candidate's process ended, in words.
#pragma once

#include <string>

#include "absl/strings/string_view.h"
#include "tune/v1/runner.pb.h"

namespace tune {

v1::RunnerVerdict MakeVerdict(v1::Outcome outcome, std::string message);

// `printed`: what it, or one that ran in turns with it, wrote to standard error.
v1::RunnerVerdict JudgeProcessEnd(const v1::RunnerJob& job, const v1::CandidateEnd& end,
                                  absl::string_view printed);

}  // namespace tune
