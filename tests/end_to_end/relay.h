// What lies between a worker and its server: bytes go both ways until the way is cut.
#pragma once

#include <sys/types.h>

#include <atomic>
#include <string>
#include <thread>

namespace tune {

// Listens on one unix socket and forwards each connection to another one, on a thread of its own.
class Relay {
 public:
  Relay(const std::string& listen, const std::string& server);
  ~Relay();
  Relay(const Relay&) = delete;
  Relay& operator=(const Relay&) = delete;

  // Nothing is forwarded, and nobody is told, until Mend.
  void Cut() { cut_ = true; }
  // Whether the worker has sent something since the way was cut.
  bool HoldsSomething() const { return holds_; }
  // Also ends all connections and what they hold.
  void Break() { break_ = true; }
  void Mend() { cut_ = holds_ = false; }

 private:
  void Run();

  const std::string server_;
  int listener_ = -1;
  std::atomic<bool> cut_ = false, holds_ = false, break_ = false, end_ = false;
  std::thread thread_;
};

}  // namespace tune
