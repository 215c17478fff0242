#include "server/dashboard/dashboard_server.h"

#include <spdlog/spdlog.h>
#include <sys/socket.h>

#include <atomic>
#include <cerrno>
#include <cstring>

#include "absl/time/clock.h"
#include "server/dashboard/connection_threads.h"
#include "server/dashboard/request_handler.h"

namespace tune {
namespace {

constexpr int kMostConnections = 4096;  // at once; more wait
constexpr int kWriteSeconds = 5;
constexpr size_t kLargestRequest = 64 << 10;

absl::Status CheckHttpExposure(const DashboardOptions& options, const Address& address) {
  if (address.is_unix) {
    return absl::InvalidArgumentError("--http takes host:port, or none to serve no page");
  }
  if (address.IsLocal()) return absl::OkStatus();
  if (!options.authority->wants_token()) {
    return absl::PermissionDeniedError(
        absl::StrCat("refusing to serve the page on ", address.ToString(),
                     ", which other machines can reach, without a token: programs and results would be "
                     "everybody's to read. Leave out --no-token, or give --http 127.0.0.1:",
                     address.port, " and `ssh -L` from elsewhere"));
  }
  spdlog::warn(
      "{}: the page's token and all it shows cross the network unencrypted; `ssh -L` or a proxy with "
      "TLS help",
      address.ToString());
  return absl::OkStatus();
}

// Without SO_REUSEPORT, which would let two servers share a port.
void SetSocketOptions(socket_t socket) {
  const int yes = 1;
  setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof(yes));
}

void Configure(const DashboardOptions& options, const RequestHandler* handler, httplib::Server* http) {
  http->new_task_queue = [] { return new ConnectionThreads(kMostConnections); };
  http->set_socket_options(SetSocketOptions);
  http->set_tcp_nodelay(true);
  http->set_payload_max_length(kLargestRequest);
  http->set_read_timeout(absl::ToInt64Seconds(options.request_wait));
  http->set_write_timeout(kWriteSeconds);
  // A connection that waits for its next request wakes its thread every ten milliseconds.
  http->set_keep_alive_max_count(1);
  http->set_pre_routing_handler([handler](const httplib::Request& request, httplib::Response& response) {
    handler->Handle(request, response);
    return httplib::Server::HandlerResponse::Handled;
  });
}

}  // namespace

struct DashboardServer::Parts {
  Parts(const DashboardOptions& options, Coordinator* coordinator)
      : access(options.authority),
        index(coordinator, options.freshness),
        tables(coordinator, options.freshness),
        explanations(coordinator),
        feed(coordinator, &index, {options.change_interval, options.most_streams}),
        api({coordinator, &index, &tables, &explanations}),
        metrics(coordinator, &index, &feed),
        handler({coordinator, &access, &api, &feed, &metrics}) {}

  Access access;
  StudyIndex index;
  CandidateTables tables;
  Explanations explanations;
  ChangeFeed feed;
  ReadApi api;
  ServerMetrics metrics;
  RequestHandler handler;
  httplib::Server http;
  std::atomic<bool> ended{false};  // the thread no longer listens
  std::thread thread;
};

DashboardServer::DashboardServer(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}

absl::StatusOr<std::unique_ptr<DashboardServer>> DashboardServer::Start(const DashboardOptions& options,
                                                                        Coordinator* coordinator) {
  TUNE_ASSIGN_OR_RETURN(Address address, ParseAddress(options.listen));
  TUNE_RETURN_IF_ERROR(CheckHttpExposure(options, address));
  std::unique_ptr<DashboardServer> server(new DashboardServer(std::make_unique<Parts>(options, coordinator)));
  httplib::Server& http = server->parts_->http;
  Configure(options, &server->parts_->handler, &http);
  errno = 0;
  const int port = address.port == 0 ? http.bind_to_any_port(address.host)
                                     : (http.bind_to_port(address.host, address.port) ? address.port : -1);
  if (port <= 0) {
    return absl::UnavailableError(absl::StrCat("cannot serve the page on ", address.ToString(),
                                               errno != 0 ? absl::StrCat(" (", strerror(errno), ")") : "",
                                               ": the address is in use or not of this machine; give another "
                                               "with --http HOST:PORT (port 0: any free "
                                               "one), or --http none to serve no page"));
  }
  address.port = port;
  server->url_ = absl::StrCat("http://", address.ToString(), "/");
  server->parts_->thread = std::thread([parts = server->parts_.get()] {
    parts->http.listen_after_bind();
    parts->ended = true;
  });
  return server;
}

void DashboardServer::Stop() {
  if (parts_ == nullptr || !parts_->thread.joinable()) return;
  parts_->feed.Shutdown();
  // stop() does nothing before the server's thread has begun to listen.
  while (!parts_->http.is_running() && !parts_->ended) absl::SleepFor(absl::Milliseconds(1));
  parts_->http.stop();
  parts_->thread.join();
}

DashboardServer::~DashboardServer() { Stop(); }

}  // namespace tune
