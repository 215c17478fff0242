#include "server/service/call_threads.h"

#include <asio/post.hpp>

namespace tune {
namespace {

// The store takes one writer at a time, so more would wait for each other.
constexpr int kShort = 8;
// Transfers of programs and archives to slow callers, mostly.
constexpr int kLong = 64;

}  // namespace

CallThreads::CallThreads() : short_(kShort), long_(kLong) {}

CallThreads::~CallThreads() {
  long_.join();
  short_.join();
}

void CallThreads::RunShort(std::function<void()> work) { asio::post(short_, std::move(work)); }

void CallThreads::RunLong(std::function<void()> work) { asio::post(long_, std::move(work)); }

}  // namespace tune
