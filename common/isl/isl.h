// The one include of isl, and the guard that turns its errors into absl::Status.
#pragma once

#include <isl/ast.h>
#include <isl/ast_build.h>
#include <isl/constraint.h>
#include <isl/cpp.h>
#include <isl/flow.h>
#include <isl/options.h>
#include <isl/schedule.h>
#include <isl/schedule_node.h>

#include <cstdint>
#include <memory>
#include <sstream>
#include <string>
#include <utility>

#include "absl/time/time.h"
#include "common/base/status.h"

namespace tune {

// An isl context with limits on the work done in it. isl is not thread safe: one context, and every
// object made in it, belongs to one thread at a time. Must outlive all of its objects.
class IslContext {
 public:
  struct Limits {
    uint64_t operations = 50'000'000;  // isl's own count, about a million a second; 0: no limit
    // Of the thread that calls Run, so that a busy machine decides nothing about the code that is made.
    absl::Duration processor_time = absl::Seconds(120);
  };
  IslContext() : IslContext(Limits()) {}
  explicit IslContext(const Limits& limits);
  ~IslContext();
  IslContext(const IslContext&) = delete;
  IslContext& operator=(const IslContext&) = delete;

  isl::ctx ctx() const { return isl::ctx(ctx_); }
  isl_ctx* get() const { return ctx_; }
  const Limits& limits() const { return limits_; }
  // For what is begun from now on. Not within Run.
  void set_limits(const Limits& limits) { limits_ = limits; }
  // Within Run: isl may do no more than this from where it began, until the outermost Run ends.
  void LowerOperations(uint64_t operations) { isl_ctx_set_max_operations(ctx_, operations); }
  // Within Run: whether the last error was that a limit is reached.
  bool at_limit() const;
  // Within Run: for a body that catches an isl::exception and goes on.
  void ForgetError() { isl_ctx_reset_error(ctx_); }

  // Runs `body` under the limits and returns its StatusOr (or Status). isl's exceptions become INTERNAL with
  // isl's message and `what` before it; a limit that was reached becomes RESOURCE_EXHAUSTED that says which
  // one, for what, and what to do. Calls may nest; the outermost one's limits count, the innermost one's
  // `what` is reported. The context stays usable after any error.
  template <typename Body>
  auto Run(const char* what, Body&& body) -> decltype(body()) {
    Scope scope(this);
    try {
      auto result = body();
      if (!absl::IsResourceExhausted(StatusOf(result)) && scope.exhausted()) return scope.LimitError(what);
      return result;
    } catch (const isl::exception& error) {
      if (scope.exhausted()) return scope.LimitError(what);
      return scope.IslError(what, error);
    }
  }

 private:
  class Scope {
   public:
    explicit Scope(IslContext* context);
    ~Scope();
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;
    bool exhausted() const;
    absl::Status LimitError(const char* what) const;
    absl::Status IslError(const char* what, const isl::exception& error) const;

   private:
    IslContext* context_;
  };

  static const absl::Status& StatusOf(const absl::Status& status) { return status; }
  template <typename T>
  static const absl::Status& StatusOf(const absl::StatusOr<T>& result) {
    return result.status();
  }

  isl_ctx* ctx_;
  Limits limits_;
  class Watchdog;
  std::unique_ptr<Watchdog> watchdog_;  // aborts isl's work when the wall time is over
  int depth_ = 0;                       // of nested Run calls
};

// isl's text of an object. Call inside IslContext::Run, as everything that makes isl allocate.
template <typename T>
std::string IslText(const T& object) {
  std::ostringstream out;
  out << object;
  return out.str();
}

// A schedule tree in isl's indented form, lines, which isl::schedule reads back. Throws isl::exception.
std::string IndentedText(const isl::schedule& tree);

}  // namespace tune
