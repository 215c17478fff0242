// What a study gained over the user's program, for people (common/evaluation/study_result.h).
#pragma once

#include <string>

#include "tune/v1/study.pb.h"

namespace tune {

// The line with which a result begins: "7.78x (6.27x .. 8.75x) as fast as the original, with copies to the
// device and back", of the region's later executions where there are any, else of its first ones; "slower
// than ..." and "cannot be told apart from ..." where the interval says so. Where the programs were not
// compared, as without a main, of the region by itself, and the line says so. By another objective than time
// it is GainOfObjective. Empty while nothing is known.
std::string ProgramGain(const v1::Study& study);

// The same in time, whatever the objective.
std::string ProgramGainInTime(const v1::Study& study);

// "8.13x (7.91x .. 8.40x)".
std::string RatioText(const v1::ComparedTimes& times);

// "host 1.60 ms; device 170 us without copies, 15.6 ms with them"; empty unless the device is a GPU.
std::string HostAndDevice(const v1::Study& study);

}  // namespace tune
