// Files that a program of somebody else may have made: read without waiting, and no more than is good.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "absl/strings/string_view.h"
#include "common/base/status.h"

namespace tune {

// Passes the content on in pieces of at most 64 KiB. FAILED_PRECONDITION when the path is anything but a
// regular file (a link, a pipe, a device); NOT_FOUND or UNAVAILABLE with path and reason.
absl::Status ReadUntrustedFile(const std::string& path,
                               const std::function<void(absl::string_view piece)>& take);

// The whole content. RESOURCE_EXHAUSTED when that is more than `limit` bytes.
absl::StatusOr<std::string> ReadUntrustedFile(const std::string& path, int64_t limit);

// FAILED_PRECONDITION names what is below `folder`, or the folder itself, and neither a folder nor a regular
// file.
absl::Status CheckPlainFiles(const std::string& folder);

}  // namespace tune
