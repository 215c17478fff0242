#include "server/service/server.h"

#include <grpcpp/server_builder.h>
#include <malloc.h>
#include <spdlog/spdlog.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <chrono>
#include <cstring>

#include "server/service/exchange_service.h"
#include "server/service/rpc_router.h"
#include "server/service/state_service.h"
#include "server/service/study_service.h"
#include "server/service/worker_service.h"

namespace tune {
namespace {

constexpr int kLargeAllocation = 1 << 19;

absl::Status CheckExposure(const ServerOptions& options, const Address& address) {
  if (options.certificate.empty() != options.private_key.empty()) {
    return absl::InvalidArgumentError("--tls-cert and --tls-key belong together: give both or none");
  }
  if (options.certificate.empty() && !options.client_authorities.empty()) {
    return absl::InvalidArgumentError("--tls-client-ca: callers' certificates need --tls-cert and --tls-key");
  }
  if (!options.authority->wants_token()) {
    if (address.IsLocal()) return absl::OkStatus();
    return absl::PermissionDeniedError(absl::StrCat(
        "refusing to listen on ", address.ToString(),
        ", which other machines can reach, without tokens: whoever reaches it can run programs on the "
        "workers. Leave out --no-token, or listen on 127.0.0.1 or unix:/path"));
  }
  if (options.certificate.empty() && !address.IsLocal()) {
    spdlog::warn("{}: tokens and all programs cross the network unencrypted; --tls-cert and --tls-key help",
                 address.ToString());
  }
  return absl::OkStatus();
}

// UNAVAILABLE when a server answers on the socket; a socket that nobody answers on is removed.
absl::Status ClearSocket(const std::string& path) {
  struct stat info;
  if (lstat(path.c_str(), &info) != 0) return absl::OkStatus();
  if (!S_ISSOCK(info.st_mode)) {
    return absl::UnavailableError(
        absl::StrCat(path, ": exists and is not a socket; remove it or listen on another path"));
  }
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::strncpy(address.sun_path, path.c_str(), sizeof(address.sun_path) - 1);
  const int probe = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const bool answered = connect(probe, reinterpret_cast<sockaddr*>(&address), sizeof(address)) == 0;
  close(probe);
  if (answered) {
    return absl::UnavailableError(
        absl::StrCat(path, ": another server listens there; end it or listen on another path"));
  }
  unlink(path.c_str());
  return absl::OkStatus();
}

std::shared_ptr<grpc::ServerCredentials> CredentialsOf(const ServerOptions& options) {
  if (options.certificate.empty()) return grpc::InsecureServerCredentials();
  // A caller without a certificate may show a token.
  grpc::SslServerCredentialsOptions ssl(options.client_authorities.empty()
                                            ? GRPC_SSL_DONT_REQUEST_CLIENT_CERTIFICATE
                                            : GRPC_SSL_REQUEST_CLIENT_CERTIFICATE_AND_VERIFY);
  ssl.pem_root_certs = options.client_authorities;
  ssl.pem_key_cert_pairs.push_back({options.private_key, options.certificate});
  return grpc::SslServerCredentials(ssl);
}

}  // namespace

struct Server::Services {
  Services(const Authority* authority, Coordinator* coordinator)
      : study(authority, coordinator),
        state(authority, coordinator),
        worker(authority, coordinator),
        exchange(authority, coordinator),
        router({&study, &state, &worker, &exchange}, &threads) {}

  StudyServiceImpl study;
  StateServiceImpl state;
  WorkerServiceImpl worker;
  ExchangeServiceImpl exchange;
  CallThreads threads;  // its work is the services'
  RpcRouter router;
};

Server::Server(std::unique_ptr<Services> services, const Address& address)
    : services_(std::move(services)), listen_(address) {}

absl::StatusOr<std::unique_ptr<Server>> Server::Start(const ServerOptions& options,
                                                      Coordinator* coordinator) {
  TUNE_ASSIGN_OR_RETURN(const Address address, ParseAddress(options.listen));
  TUNE_RETURN_IF_ERROR(CheckExposure(options, address));
  if (address.is_unix) TUNE_RETURN_IF_ERROR(ClearSocket(address.path));
  // Memory of programs goes back to the system when they are done with: left alone, the library would come to
  // keep some tens of megabytes for each thread that had one.
  mallopt(M_MMAP_THRESHOLD, kLargeAllocation);
  std::unique_ptr<Server> server(
      new Server(std::make_unique<Services>(options.authority, coordinator), address));
  grpc::ServerBuilder builder;
  SetServerArguments(builder);
  int port = -1;
  builder.AddListeningPort(address.ToString(), CredentialsOf(options), &port);
  builder.RegisterCallbackGenericService(&server->services_->router);
  server->server_ = builder.BuildAndStart();
  if (server->server_ == nullptr || port <= 0) {
    server->server_.reset();
    return absl::UnavailableError(absl::StrCat(
        "cannot listen on ", address.ToString(),
        ": the address is in use or not of this machine, or the certificate does not go with the key"));
  }
  if (!address.is_unix) server->listen_.port = port;
  server->address_ = server->listen_.ToString();
  return server;
}

void Server::Stop() {
  if (server_ == nullptr) return;
  server_->Shutdown(std::chrono::system_clock::now() + std::chrono::seconds(2));
  server_->Wait();
  server_.reset();
  if (listen_.is_unix) unlink(listen_.path.c_str());
}

Server::~Server() { Stop(); }

}  // namespace tune
