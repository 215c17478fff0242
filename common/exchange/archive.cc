#include "common/exchange/archive.h"

#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/io/gzip_stream.h>
#include <google/protobuf/io/zero_copy_stream_impl_lite.h>

#include "absl/strings/str_cat.h"
#include "common/exchange/archive_reader.h"

namespace tune {
namespace {

// What all studies that are held at once may take.
constexpr int64_t kMaxParsedBytes = int64_t{3} << 29;

}  // namespace

absl::Status CheckArchiveSize(int64_t bytes) {
  if (bytes < kMaxArchiveBytes) return absl::OkStatus();
  return absl::ResourceExhaustedError(
      absl::StrCat("the studies have more than ", kMaxArchiveBytes >> 20,
                   " MiB: exchange fewer at a time, or give up old texts with `tunectl gc`"));
}

absl::Status CheckStudyMemory(int64_t bytes) {
  if (bytes <= kMaxStudyMemory) return absl::OkStatus();
  return absl::ResourceExhaustedError(
      absl::StrCat("a study of the archive takes more than ", kMaxStudyMemory >> 20,
                   " MiB: give up its old texts with `tunectl gc`, or export it without texts"));
}

absl::Status TooManyStudies() {
  return absl::ResourceExhaustedError(
      absl::StrCat("the archive has more than ", kMaxArchiveStudies, " studies: exchange fewer at a time"));
}

absl::StatusOr<std::string> PrintArchive(const v1::Archive& archive) {
  if (archive.studies_size() > kMaxArchiveStudies) return TooManyStudies();
  for (const v1::ArchivedStudy& study : archive.studies())
    TUNE_RETURN_IF_ERROR(CheckStudyMemory(static_cast<int64_t>(study.ByteSizeLong())));
  TUNE_RETURN_IF_ERROR(CheckArchiveSize(static_cast<int64_t>(archive.ByteSizeLong())));
  std::string content;
  {
    google::protobuf::io::StringOutputStream raw(&content);
    google::protobuf::io::GzipOutputStream::Options options;
    options.format = google::protobuf::io::GzipOutputStream::GZIP;
    google::protobuf::io::GzipOutputStream zipped(&raw, options);
    if (!archive.SerializeToZeroCopyStream(&zipped) || !zipped.Close()) {
      return absl::InternalError("the archive cannot be compressed");
    }
  }
  TUNE_RETURN_IF_ERROR(CheckArchiveSize(static_cast<int64_t>(content.size())));  // what random bytes become
  return absl::StrCat(ArchiveHeader(content), content);
}

absl::StatusOr<v1::Archive> ParseArchive(absl::string_view file) {
  TUNE_ASSIGN_OR_RETURN(const std::unique_ptr<ArchiveReader> reader, ArchiveReader::Open(file));
  v1::Archive archive;
  int64_t memory = 0;
  v1::ArchivedStudy study;
  while (true) {
    TUNE_ASSIGN_OR_RETURN(const bool more, reader->Next(&study));
    if (!more) break;
    memory += reader->study_memory();
    if (memory > kMaxParsedBytes) return CheckArchiveSize(kMaxArchiveBytes);
    *archive.add_studies() = std::move(study);
    study.Clear();
  }
  archive.set_written_by(reader->header().written_by());
  archive.set_written_unix_ms(reader->header().written_unix_ms());
  return archive;
}

}  // namespace tune
