// All launches of one execution of a region, recorded once and handed to the device in one call.
#pragma once

#include <functional>

#include "worker/cuda/device_session.h"

namespace tune {

// A CUDA graph. Destroyed with this object; `session` outlives it.
class LaunchGraph {
 public:
  // Records what `enqueue` puts on the session's stream, none of which runs; values of arguments are those
  // of now. `enqueue` returns the first error. Errors: that one, or those of the driver.
  static absl::StatusOr<LaunchGraph> Record(const DeviceSession& session,
                                            const std::function<CUresult()>& enqueue);
  ~LaunchGraph();
  LaunchGraph(LaunchGraph&& other) noexcept;
  LaunchGraph& operator=(LaunchGraph&& other) noexcept;

  // Puts all of it on the stream.
  CUresult Launch() const;

 private:
  explicit LaunchGraph(const DeviceSession& session) : session_(&session) {}
  absl::Status Instantiate(CUgraph graph);

  const DeviceSession* session_ = nullptr;
  CUgraphExec executable_ = nullptr;
};

}  // namespace tune
