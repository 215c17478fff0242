// Threads for the work that calls make.
#pragma once

#include <asio/thread_pool.hpp>
#include <functional>

namespace tune {

// Thread safe. Its destructor waits for everything that was given to it.
class CallThreads {
 public:
  CallThreads();
  ~CallThreads();

  // Work that waits for nothing but locks and the store: that of workers and of those who watch. However busy
  // the other threads are, it goes on.
  void RunShort(std::function<void()> work);
  // Any work: it may wait for its caller's next bytes or for another process.
  void RunLong(std::function<void()> work);

 private:
  asio::thread_pool short_, long_;
};

}  // namespace tune
