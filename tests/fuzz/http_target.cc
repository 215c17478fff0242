// The page's server, which reads from a connection what is written to it.
#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdlib>

#include "absl/strings/numbers.h"
#include "server/dashboard/dashboard_server.h"
#include "tests/fuzz/targets.h"
#include "tests/server/study/harness.h"

namespace tune::testing {
namespace {

// Never ended: the process is.
class Page {
 public:
  Page() {
    v1::Study study;
    study.set_name("a study");
    study.set_state(v1::DONE);
    study.set_best_index(-1);
    if (!store_->AddStudy(study, SyntheticSpec(), "").ok()) std::abort();
    coordinator_ =
        Coordinator::Start(TestOptions(), store_.get(), &Clock::Real(), SyntheticFactory({2})).value();
    DashboardOptions options;
    options.listen = "127.0.0.1:0";
    options.authority = authority_.get();
    server_ = DashboardServer::Start(options, coordinator_.get()).value().release();
    const std::string& url = server_->url();  // "http://127.0.0.1:7411/"
    const size_t colon = url.rfind(':');
    if (!absl::SimpleAtoi(url.substr(colon + 1, url.size() - colon - 2), &port_)) std::abort();
  }

  int Connect() const {
    const int connection = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<uint16_t>(port_));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (connect(connection, reinterpret_cast<sockaddr*>(&address), sizeof(address)) != 0) std::abort();
    return connection;
  }

 private:
  const std::unique_ptr<Authority> authority_ = Authority::Trusting({Role::kAdmin, "fuzz"});
  const std::unique_ptr<Store> store_ = MakeMemoryStore(IdentityOfText);
  std::unique_ptr<Coordinator> coordinator_;
  DashboardServer* server_ = nullptr;
  int port_ = 0;
};

void FuzzHttp(absl::string_view input) {
  static const Page* const page = new Page;
  const int connection = page->Connect();
  send(connection, input.data(), input.size(), MSG_NOSIGNAL);
  shutdown(connection, SHUT_WR);
  char buffer[65536];
  pollfd polled = {connection, POLLIN, 0};
  // Streams have no end.
  for (int i = 0; i < 20 && poll(&polled, 1, 200) > 0 && read(connection, buffer, sizeof(buffer)) > 0; ++i) {
  }
  close(connection);
}

std::vector<std::string> HttpSeeds() {
  std::vector<std::string> seeds;
  for (const char* path :
       {"/", "/studies/s1", "/api/v1/server", "/api/v1/studies?limit=2&offset=1", "/api/v1/studies/s1",
        "/api/v1/studies/s1/archive", "/api/v1/studies/s1/candidates", "/api/v1/workers", "/metrics",
        "/healthz", "/readyz", "/lib/uPlot.iife.min.js", "/?token=x"}) {
    seeds.push_back(absl::StrCat("GET ", path, " HTTP/1.1\r\nHost: localhost\r\nAccept: */*\r\n\r\n"));
  }
  seeds.push_back("POST /api/v1/studies HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc");
  seeds.push_back(
      "GET / HTTP/1.1\r\nHost: [::1]:80\r\nTransfer-Encoding: chunked\r\nRange: "
      "bytes=1-2,3-\r\n\r\n5\r\nabcde\r\n0\r\n\r\n");
  return seeds;
}

}  // namespace

FuzzTarget HttpTarget() { return {"http", FuzzHttp, HttpSeeds}; }

}  // namespace tune::testing
