// The studies of an archive file, one after the other: no more than one is in memory.
#pragma once

#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/io/gzip_stream.h>
#include <google/protobuf/io/zero_copy_stream_impl_lite.h>

#include <cstdint>
#include <memory>

#include "absl/strings/string_view.h"
#include "common/base/status.h"
#include "tune/v1/archive.pb.h"

namespace tune {

// One thread.
class ArchiveReader {
 public:
  // Looks at the first line and the checksum. `file` must outlive the reader. Errors are those of
  // ParseArchive.
  static absl::StatusOr<std::unique_ptr<ArchiveReader>> Open(absl::string_view file);

  // The next study, its fingerprint checked; false at the end. Errors are those of ParseArchive: also when
  // the study alone would take more than kMaxStudyMemory, which is told before it is parsed. Nothing can be
  // read after an error.
  absl::StatusOr<bool> Next(v1::ArchivedStudy* study);

  // Memory that the study read last takes, rather too much.
  int64_t study_memory() const { return study_memory_; }
  // What else the archive tells; complete at its end.
  const v1::Archive& header() const { return header_; }

 private:
  explicit ArchiveReader(absl::string_view content);
  absl::Status ReadStudy(v1::ArchivedStudy* study);
  // The next field of this many bytes.
  absl::StatusOr<std::string> ReadBytes();

  google::protobuf::io::ArrayInputStream raw_;
  google::protobuf::io::GzipInputStream unzipped_;
  google::protobuf::io::CodedInputStream stream_;
  v1::Archive header_;
  int64_t study_memory_ = 0;
  int studies_ = 0;
};

}  // namespace tune
