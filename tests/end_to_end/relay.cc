#include "tests/end_to_end/relay.h"

#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <vector>

namespace tune {
namespace {

constexpr int kLook = 5;  // ms between looks at what was asked for

sockaddr_un AddressOf(const std::string& path) {
  sockaddr_un address = {};
  address.sun_family = AF_UNIX;
  std::strncpy(address.sun_path, path.c_str(), sizeof(address.sun_path) - 1);
  return address;
}

int OpenSocket() { return socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0); }

struct Pair {
  int worker, server;
};

// False at the end of either side.
bool Forward(int from, int to) {
  char bytes[64 << 10];
  const ssize_t count = recv(from, bytes, sizeof(bytes), MSG_DONTWAIT);
  if (count < 0) return errno == EAGAIN || errno == EINTR;
  for (ssize_t sent = 0; sent < count;) {
    const ssize_t now = send(to, bytes + sent, count - sent, MSG_NOSIGNAL);
    if (now < 0) return false;
    sent += now;
  }
  return count > 0;
}

void Close(const Pair& pair) {
  close(pair.worker);
  close(pair.server);
}

}  // namespace

Relay::Relay(const std::string& listen_path, const std::string& server) : server_(server) {
  listener_ = OpenSocket();
  const sockaddr_un address = AddressOf(listen_path);
  unlink(listen_path.c_str());
  if (bind(listener_, reinterpret_cast<const sockaddr*>(&address), sizeof(address)) != 0) std::abort();
  if (listen(listener_, 16) != 0) std::abort();
  thread_ = std::thread([this] { Run(); });
}

Relay::~Relay() {
  end_ = true;
  thread_.join();
  close(listener_);
}

void Relay::Run() {
  std::vector<Pair> pairs;
  while (!end_) {
    if (break_.exchange(false)) {
      for (const Pair& pair : pairs) Close(pair);
      pairs.clear();
    }
    std::vector<pollfd> waited = {{listener_, POLLIN, 0}};
    for (const Pair& pair : pairs) {
      waited.push_back({pair.worker, POLLIN, 0});
      waited.push_back({pair.server, POLLIN, 0});
    }
    if (poll(waited.data(), waited.size(), kLook) <= 0) continue;
    if (cut_) {
      for (size_t i = 1; i < waited.size(); i += 2) holds_ = holds_ || (waited[i].revents & POLLIN) != 0;
      poll(nullptr, 0, kLook);  // what is held stays readable
      continue;
    }
    std::vector<Pair> open;
    for (size_t i = 0; i < pairs.size(); ++i) {
      const bool to_server = waited[1 + 2 * i].revents == 0 || Forward(pairs[i].worker, pairs[i].server);
      const bool to_worker = waited[2 + 2 * i].revents == 0 || Forward(pairs[i].server, pairs[i].worker);
      to_server&& to_worker ? open.push_back(pairs[i]) : Close(pairs[i]);
    }
    pairs = std::move(open);
    if (waited[0].revents == 0) continue;
    const Pair added{accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC), OpenSocket()};
    const sockaddr_un address = AddressOf(server_);
    const bool reached =
        connect(added.server, reinterpret_cast<const sockaddr*>(&address), sizeof(address)) == 0;
    reached ? pairs.push_back(added) : Close(added);
  }
  for (const Pair& pair : pairs) Close(pair);
}

}  // namespace tune
