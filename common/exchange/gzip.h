// Files that may be compressed, as gzip does it.
#pragma once

#include <string>

#include "absl/strings/string_view.h"
#include "common/base/status.h"

namespace tune {

// The most bytes that are taken of what is decompressed: a small file can hold any number.
inline constexpr size_t kLargestDecompressed = size_t{4} << 30;

// Whether a file is to be compressed, by its name: "space.json.gz".
bool IsGzipName(absl::string_view path);

// By the first bytes.
bool IsGzip(absl::string_view content);

// The same bytes for the same text.
std::string Gzip(absl::string_view text);

// What was compressed, of several parts one after another. DATA_LOSS: damaged or cut off;
// RESOURCE_EXHAUSTED: more than `most` bytes.
absl::StatusOr<std::string> Gunzip(absl::string_view content, size_t most = kLargestDecompressed);

// The whole of a file, decompressed where it is compressed, whatever its name. Errors, with the path, as
// ReadFile and Gunzip.
absl::StatusOr<std::string> ReadGzipFile(const std::string& path);

}  // namespace tune
