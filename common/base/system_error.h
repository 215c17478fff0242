// Why the operating system refused, as absl::Status.
#pragma once

#include <cerrno>
#include <cstring>
#include <string>

#include "absl/strings/str_cat.h"
#include "common/base/status.h"

namespace tune {

// Of errno: NOT_FOUND where `path` is not there, else UNAVAILABLE, with path and reason.
inline absl::Status SystemError(const std::string& path, int error) {
  const std::string text = absl::StrCat(path, ": ", std::strerror(error));
  return error == ENOENT ? absl::NotFoundError(text) : absl::UnavailableError(text);
}

}  // namespace tune
