// Why a runner process ended, in words.
#pragma once

#include <string>

#include "common/base/subprocess.h"
#include "tune/v1/runner.pb.h"
#include "worker/run/run_report.h"

namespace tune {

v1::RunnerVerdict MakeVerdict(v1::Outcome outcome, std::string message);

// Verdict on the candidate that was running when the process ended without a complete result.
v1::RunnerVerdict JudgeProcessEnd(const v1::RunnerJob& job, const SubprocessResult& process,
                                  const RunReport& report);

}  // namespace tune
