// The HTTP server of the page and of the read API.
#pragma once

#include <memory>
#include <string>

#include "common/rpc/channel.h"
#include "server/access/authority.h"
#include "server/study/coordinator.h"

namespace tune {

struct DashboardOptions {
  std::string listen;                              // "host:port"; port 0: any free one
  const Authority* authority = nullptr;            // who may read; not owned, outlives the server
  absl::Duration request_wait = absl::Seconds(3);  // a connection that sends nothing for so long is closed
  // Pages that are told of changes at once; each has a thread. Others ask again at times.
  int most_streams = 64;
  absl::Duration change_interval = absl::Seconds(1);
  absl::Duration freshness = absl::Milliseconds(200);  // how old a list may be
};

// Serves from Start until Stop. It reads the coordinator and changes nothing. Thread safe.
class DashboardServer {
 public:
  // `coordinator` is not owned. PERMISSION_DENIED when the address can be reached from other machines and
  // no token is asked for; UNAVAILABLE when it is in use. Says what to do.
  static absl::StatusOr<std::unique_ptr<DashboardServer>> Start(const DashboardOptions& options,
                                                                Coordinator* coordinator);
  ~DashboardServer();  // Stop

  // "http://127.0.0.1:7411/", with the actual port.
  const std::string& url() const { return url_; }

  // Ends every stream and waits for the requests being answered, a few seconds at most.
  void Stop();

 private:
  struct Parts;
  explicit DashboardServer(std::unique_ptr<Parts> parts);

  std::unique_ptr<Parts> parts_;
  std::string url_;
};

}  // namespace tune
