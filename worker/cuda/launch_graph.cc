#include "worker/cuda/launch_graph.h"

#include <utility>

namespace tune {

absl::StatusOr<LaunchGraph> LaunchGraph::Record(const DeviceSession& session,
                                                const std::function<CUresult()>& enqueue) {
  const DriverApi& driver = session.driver();
  TUNE_RETURN_IF_ERROR(
      session.Check(driver.cuStreamBeginCapture(session.stream(), CU_STREAM_CAPTURE_MODE_THREAD_LOCAL),
                    "cuStreamBeginCapture"));
  const CUresult enqueued = enqueue();
  CUgraph graph = nullptr;
  // Also after an error: the stream would go on recording.
  const CUresult ended = driver.cuStreamEndCapture(session.stream(), &graph);
  absl::Status status = session.Check(enqueued, "recording the launches");
  if (status.ok()) status = session.Check(ended, "cuStreamEndCapture");
  LaunchGraph recorded(session);
  if (status.ok()) status = recorded.Instantiate(graph);
  if (graph != nullptr) driver.cuGraphDestroy(graph);
  TUNE_RETURN_IF_ERROR(status);
  return recorded;
}

absl::Status LaunchGraph::Instantiate(CUgraph graph) {
  const DriverApi& driver = session_->driver();
  TUNE_RETURN_IF_ERROR(
      session_->Check(driver.cuGraphInstantiateWithFlags(&executable_, graph, 0), "cuGraphInstantiate"));
  return session_->Check(driver.cuGraphUpload(executable_, session_->stream()), "cuGraphUpload");
}

LaunchGraph::~LaunchGraph() {
  if (executable_ != nullptr) session_->driver().cuGraphExecDestroy(executable_);
}

LaunchGraph::LaunchGraph(LaunchGraph&& other) noexcept { *this = std::move(other); }

LaunchGraph& LaunchGraph::operator=(LaunchGraph&& other) noexcept {
  std::swap(session_, other.session_);
  std::swap(executable_, other.executable_);
  return *this;
}

CUresult LaunchGraph::Launch() const {
  return session_->driver().cuGraphLaunch(executable_, session_->stream());
}

}  // namespace tune
