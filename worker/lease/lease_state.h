// The worker's half of the protocol as a state machine, without network, threads or clock.
#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "absl/time/time.h"
#include "common/base/random.h"
#include "common/base/status.h"
#include "tune/v1/worker_service.pb.h"

namespace tune {

struct WorkerIdentity {
  std::string name;     // stable over restarts
  std::string session;  // made anew at each start
  std::string version;
  std::vector<v1::Device> devices;
  int slots = 1;  // leases that it works on at once
  // Called before each request, sets Device.quarantine of those that no lease can be worked on with any more;
  // null: there are never any. Thread safe.
  std::function<void(std::vector<v1::Device>*)> mark_devices = nullptr;
  std::string secret = {};  // of WorkerSecret, kept over restarts
};

// What must be done after an answer of the server.
struct LeaseActions {
  std::vector<v1::Lease> start;
  std::vector<std::string> cancel;  // leases whose work must be stopped
};

// Holds at most WorkerIdentity::slots leases at a time. One thread at a time.
class LeaseState {
 public:
  LeaseState(WorkerIdentity identity, uint64_t jitter_seed);

  // The request that tells everything the server must know now. One whose answer was lost is made again and
  // says the same.
  v1::SynchronizeRequest MakeRequest();

  // An answer to `request`.
  LeaseActions OnResponse(const v1::SynchronizeRequest& request, const v1::SynchronizeResponse& response,
                          absl::Time now);

  // No answer: everything is kept, and the next try waits longer with every failure, 2 s at most.
  void OnFailure(absl::Time now);

  void OnStage(const std::string& lease_id, const std::string& stage);
  // The work on a lease has ended, with a result (unless it was cancelled meanwhile, this is sent at once) or
  // without.
  void OnFinished(const v1::LeaseResult& result, absl::Time now);
  void OnDropped(const std::string& lease_id, absl::Time now);

  // From now on no new lease is taken. Drain: what is held is finished. Stop: it is given back; the
  // returned leases' work must be stopped.
  void Drain(absl::Time now);
  std::vector<std::string> Stop(absl::Time now);

  // When the next request is due.
  absl::Time next() const { return next_; }
  bool busy() const { return !active_.empty(); }
  // Something has happened that no request has told yet.
  bool news() const { return news_; }
  // The server has answered a request that said that this worker leaves.
  bool told() const { return told_; }
  // Draining or stopped, nothing is held, and the server knows all it must.
  bool done() const { return told_ && active_.empty() && results_.empty() && returned_.empty(); }
  int failures() const { return failures_; }
  const std::string& quarantine() const { return quarantine_; }

 private:
  struct Active {
    std::string stage;
    bool cancelled = false;  // work goes on until it notices
  };

  const WorkerIdentity identity_;
  Random random_;
  std::map<std::string, Active> active_;
  std::map<std::string, v1::LeaseResult> results_;  // not acknowledged yet
  std::set<std::string> returned_;
  absl::Time next_ = absl::InfinitePast();
  int failures_ = 0;
  bool news_ = false;
  bool draining_ = false;
  bool told_ = false;  // the server has answered a request that said draining
  std::string quarantine_;
};

}  // namespace tune
