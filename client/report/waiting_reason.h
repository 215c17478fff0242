// Why a study is not taken by any worker.
#pragma once

#include <string>
#include <vector>

#include "tune/v1/state_service.pb.h"

namespace tune {

// Whether one of the workers has a device of the target, whatever the worker's state.
bool HasDevice(const std::vector<v1::WorkerView>& workers, v1::Target target);

// One line for a QUEUED study of `target` that no worker of the server at `address` can take: what is missing
// and what to do. Empty when some worker can take it. TARGET_UNSPECIFIED: any device will do. `address` is
// empty for a private server, whose only worker is this machine's.
std::string WaitingReason(v1::Target target, const std::vector<v1::WorkerView>& workers,
                          const std::string& address);

}  // namespace tune
