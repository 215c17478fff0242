// The gRPC server with its services.
#pragma once

#include <grpcpp/server.h>

#include <memory>
#include <string>

#include "common/rpc/channel.h"
#include "server/access/authority.h"
#include "server/study/coordinator.h"

namespace tune {

struct ServerOptions {
  std::string listen;                    // "unix:/path" or "host:port"; port 0: any free one
  const Authority* authority = nullptr;  // who may call; not owned, outlives the server
  std::string certificate;               // PEM; empty: no TLS
  std::string private_key;               // PEM
  // Authorities that may have signed callers' certificates, PEM; empty: callers are not asked for one.
  std::string client_authorities = {};
};

// Serves from Start until Stop. Thread safe.
class Server {
 public:
  // `coordinator` is not owned. PERMISSION_DENIED when the address can be reached from other machines and no
  // token is asked for; UNAVAILABLE when it is in use. Says what to do.
  static absl::StatusOr<std::unique_ptr<Server>> Start(const ServerOptions& options,
                                                       Coordinator* coordinator);
  ~Server();  // Stop

  // What clients dial, with the actual port.
  const std::string& address() const { return address_; }

  // Ends every call and removes the socket. The coordinator's waiting calls should have been ended before.
  void Stop();

 private:
  struct Services;
  Server(std::unique_ptr<Services> services, const Address& address);

  std::unique_ptr<Services> services_;  // outlives server_
  std::unique_ptr<grpc::Server> server_;
  Address listen_;
  std::string address_;
};

}  // namespace tune
