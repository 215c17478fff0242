// The objects that tune.h names, and how its functions answer.
#pragma once

#include <cxxabi.h>

#include <memory>
#include <mutex>
#include <new>
#include <string>
#include <vector>

#include "libtune/runtime/context.h"
#include "libtune/runtime/variant_runner.h"

struct tune_region {
  explicit tune_region(libtune::Region* of) : region(of), runner(of) {}

  libtune::Region* const region;
  libtune::VariantRunner runner;
};

struct tune_context {
  explicit tune_context(const tune_options& options) : context(options) {}

  libtune::Context context;
  std::mutex mutex;
  std::vector<std::unique_ptr<tune_region>> regions;
};

namespace libtune {

// Keeps the text for tune_last_error.
tune_status Answer(const Status& status);
tune_status Answer(tune_status code, const char* text);

// What a context of the parent process answers to all that would wait for a lock or a file.
inline Status InChild() {
  return WrongState("this context is of the process before fork(); make one of this process");
}

// What `function` returns, as a code; no exception leaves it but the one that cancels the thread.
template <typename Function>
tune_status Guarded(Function function) {
  try {
    return Answer(function());
  } catch (abi::__forced_unwind&) {
    throw;
  } catch (const std::bad_alloc&) {
    return Answer(TUNE_OUT_OF_MEMORY, "there is no memory left");
  } catch (...) {
    return Answer(TUNE_FAILED, "a function of the program threw an exception through libtune");
  }
}

}  // namespace libtune
