// The archive file: studies with a version and a checksum.
#pragma once

#include <cstdint>
#include <string>

#include "common/base/status.h"
#include "tune/v1/archive.pb.h"

namespace tune {

// Of the format; a reader takes its own and older ones.
inline constexpr int kArchiveVersion = 1;
// Files and contents that are read or written have fewer bytes.
inline constexpr int64_t kMaxArchiveBytes = int64_t{1} << 30;
// What one study may take in memory; a few bytes of an archive can be a message of hundreds.
inline constexpr int64_t kMaxStudyMemory = int64_t{512} << 20;
inline constexpr int kMaxArchiveStudies = 100'000;

// RESOURCE_EXHAUSTED says that there are too many and what to do.
absl::Status CheckArchiveSize(int64_t bytes);
// The same of one study.
absl::Status CheckStudyMemory(int64_t bytes);
absl::Status TooManyStudies();

// The file: one line "tune-archive VERSION CHECKSUM BYTES" and so many bytes, the message compressed by gzip;
// CHECKSUM is their Fingerprint. RESOURCE_EXHAUSTED when it, or a study, would be too large.
absl::StatusOr<std::string> PrintArchive(const v1::Archive& archive);

// Inverse. INVALID_ARGUMENT: not an archive, or of a newer version; DATA_LOSS: cut off or changed on the way,
// or a study's fingerprint is not that of its content; RESOURCE_EXHAUSTED: unzipped or in memory it, or a
// study, would be too large. Says what was found and what to do. Who needs not all at once takes
// archive_reader.h.
absl::StatusOr<v1::Archive> ParseArchive(absl::string_view file);

// Whether the file begins as an archive does.
bool LooksLikeArchive(absl::string_view file);

// The first line of the file with this content.
std::string ArchiveHeader(absl::string_view content);

}  // namespace tune
