// Why a study is not taken by any worker.
#pragma once

#include <string>
#include <vector>

#include "tune/v1/state_service.pb.h"

namespace tune {

// Whether one of the workers has a device of the target, whatever the worker's state.
bool HasDevice(const std::vector<v1::WorkerView>& workers, v1::Target target);

// Whether one of the workers has PPCG for a device, whatever the worker's state.
bool HasPpcg(const std::vector<v1::WorkerView>& workers);

// What a study asks of a worker.
struct StudyNeeds {
  v1::Target target = v1::TARGET_UNSPECIFIED;  // unspecified: any device will do
  bool ppcg = false;
  bool gpu_alone = false;  // no other target would do: CUDA kernels, or an objective that needs energy
  bool shared = false;     // a region that CPU and GPU share: nvcc builds it there
};
StudyNeeds NeedsOf(const v1::Study& study);
StudyNeeds NeedsOf(const v1::StudySpec& spec);

// One line for a QUEUED study with these needs that no worker of the server at `address` can take: what is
// missing and what to do. Empty when some worker can take it. `address` is empty for a private server, whose
// only worker is this machine's.
std::string WaitingReason(const StudyNeeds& needs, const std::vector<v1::WorkerView>& workers,
                          const std::string& address);

}  // namespace tune
