// What a study gained over the user's program.
#pragma once

#include <string>

#include "tune/v1/study.pb.h"

namespace tune {

// The line with which a result begins: "7.78x (6.27x .. 8.75x) as fast as the original, with copies to the
// device and back", of the region's later executions where there are any, else of its first ones; "slower
// than ..." and "cannot be told apart from ..." where the interval says so. Where the programs were not
// compared, as without a main, of the region by itself, and the line says so. Empty while nothing is known.
std::string ProgramGain(const v1::Study& study);

// The tuned program failed, or is not faster with 95% confidence, neither in the region's first execution nor
// in later ones (where that was not compared, the region by itself): its file is handed out only to who
// insists.
bool IsNotFaster(const v1::Study& study);

// What ProgramGain tells of. Times in seconds; 0: not known.
struct ResultTimes {
  v1::ComparedTimes compared;
  bool in_program = false;  // else of the region by itself
  // Of the region, where the device is a GPU: on the host, on the device, and there with copies.
  double host = 0, device = 0, device_with_copies = 0;
};
ResultTimes TimesOfResult(const v1::Study& study);

// "host 1.60 ms; device 170 us without copies, 15.6 ms with them"; empty unless the device is a GPU.
std::string HostAndDevice(const v1::Study& study);

}  // namespace tune
