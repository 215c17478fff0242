// Every time-out and limit of the worker protocol.
#pragma once

#include "absl/time/time.h"
#include "server/dispatch/worker_trust.h"

namespace tune {

struct DispatchOptions {
  absl::Duration lease = absl::Minutes(1);  // a lease not renewed for so long is lost
  // Beyond the time that a study allows for a task: fetching its program, walking, generating.
  absl::Duration lease_slack = absl::Minutes(10);
  absl::Duration worker_silence = absl::Minutes(1);  // a worker silent for so long is forgotten
  absl::Duration longest_wait = absl::Minutes(2);    // of one long poll of an idle worker
  absl::Duration busy_interval = absl::Seconds(10);  // a worker with leases calls at least so often
  absl::Duration idle_interval = absl::Seconds(2);   // next call of an idle worker that does not long-poll
  absl::Duration quarantined_interval = absl::Seconds(30);

  // A worker that waits while there are tasks looks so often by itself: whom they are for may have changed.
  absl::Duration second_look = absl::Seconds(5);

  absl::Duration shortest_pause = absl::Seconds(5);  // of the server itself, that is forgiven to workers

  int attempts = 3;        // a task lost so often is given up
  int poison_workers = 2;  // a task that lost so many different workers is given up

  // A worker with so many failed candidates in a row on its devices of one kind is handed a candidate that is
  // known to be good; those devices are quarantined when that fails there too, as many times as there are
  // devices. The number doubles with each probe that succeeds. One that is only slow decides nothing.
  int suspicious_failures = 5;

  TrustOptions trust;  // how workers with devices of one kind are compared

  // Studies of one owner that run at once on one device model. The others wait for their reference run.
  int active_studies = 8;
  // Leases given out in one answer.
  int leases_per_call = 64;
  // Workers that are known at once.
  size_t most_workers = 16'384;
};

}  // namespace tune
