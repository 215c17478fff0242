// What a study gained over the user's program.
#pragma once

#include <string>

#include "tune/v1/study.pb.h"

namespace tune {

// The line with which a result begins: "7.78x (6.27x .. 8.75x) as fast as the original, with copies to the
// device and back", of the region's later executions where there are any, else of its first ones; "slower
// than ..." and "cannot be told apart from ..." where the interval says so. Empty when the programs were not
// compared.
std::string ProgramGain(const v1::Study& study);

// The programs were compared, and the tuned one is not faster with 95% confidence, neither in the region's
// first execution nor in later ones: its file is handed out only to who insists.
bool IsNotFaster(const v1::Study& study);

}  // namespace tune
