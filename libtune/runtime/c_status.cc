// Errors of tune.h.
#include <cstdio>

#include "libtune/runtime/c_objects.h"

namespace libtune {
namespace {

// An array: what has a destructor for each thread would keep the library from being closed.
thread_local char last_error[1024];

}  // namespace

tune_status Answer(tune_status code, const char* text) {
  if (code != TUNE_OK) std::snprintf(last_error, sizeof(last_error), "%s", text);
  return code;
}

tune_status Answer(const Status& status) { return Answer(status.code(), status.text().c_str()); }

}  // namespace libtune

const char* tune_version(void) { return "0.2.0"; }

const char* tune_status_name(tune_status status) {
  static const char* const kNames[] = {
      "TUNE_OK",          "TUNE_INVALID_ARGUMENT", "TUNE_NOT_FOUND", "TUNE_ALREADY_EXISTS",
      "TUNE_WRONG_STATE", "TUNE_REFUSED_FILE",     "TUNE_IO",        "TUNE_OUT_OF_MEMORY",
      "TUNE_FAILED"};
  const int code = static_cast<int>(status);
  return code >= 0 && code <= TUNE_FAILED ? kNames[code] : "?";
}

const char* tune_last_error(void) { return libtune::last_error; }
