// What a study found: the times that its result is told from, and whether they are a gain.
#pragma once

#include "tune/v1/study.pb.h"

namespace tune {

// The measurement that best times are told from: confirmed when there is one. Null when nothing is correct.
const v1::Measurement* BestMeasurement(const v1::Study& study);

// Times in seconds; 0: not known.
struct ResultTimes {
  v1::ComparedTimes compared;
  bool in_program = false;  // else of the region by itself, each measured alone
  bool later = false;       // of the region's later executions in the program, not its first one
  // Of the region, where IsTimedOnDevice: on the host, on the device, and there with copies.
  double host = 0, device = 0, device_with_copies = 0;

  bool known() const { return compared.ratio() > 0; }
};

// In the user's program where that was run with the tuned region, else of the region.
ResultTimes TimesOfResult(const v1::Study& study);

// Whether candidates' times are those of a GPU, without copies between it and the host. Those of regions that
// CPU and GPU share are of the user's program.
bool IsTimedOnDevice(const v1::Study& study);

// The program ran with the tuned region, and not as it should.
bool HasFailedInProgram(const v1::Study& study);

// The tuned program failed, or is not faster with 95% confidence, neither in the region's first execution nor
// in later ones (where that was not compared, the region by itself).
bool IsNotFaster(const v1::Study& study);

// Whether the result is no gain by the study's objective, so that its file is handed out only to who insists.
// By time: IsNotFaster. By another one, of which nothing is known of the original: the tuned program failed,
// or no candidate has a value of it.
bool IsNoGain(const v1::Study& study);

// Whether hand-written kernels are tuned, and no region of a program: what is tuned has a file, and no lines.
bool IsOfKernels(const v1::Study& study);

}  // namespace tune
