#include "common/exchange/archive.h"

#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/io/gzip_stream.h>
#include <google/protobuf/io/zero_copy_stream_impl_lite.h>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_split.h"
#include "common/base/fingerprint.h"
#include "common/exchange/study_identity.h"

namespace tune {
namespace {

constexpr char kMagic[] = "tune-archive ";
constexpr size_t kLongestHeader = 200;

absl::Status TooLarge() {
  return absl::ResourceExhaustedError(
      absl::StrCat("the studies have more than ", kMaxArchiveBytes >> 20,
                   " MiB: exchange fewer at a time, or give up old texts with `tunectl gc`"));
}

absl::Status DamagedArchive(absl::string_view what) {
  return absl::DataLossError(
      absl::StrCat("the archive is damaged (", what, "): nothing was taken from it; export it again"));
}

absl::Status Foreign() {
  return absl::InvalidArgumentError(
      "this is not an archive of tunectl: `tunectl export STUDY --format archive -o FILE` writes one");
}

struct Header {
  int version = 0;
  std::string checksum;
  size_t bytes = 0;
  size_t size = 0;  // of the line, its end included
};

absl::StatusOr<Header> ParseHeader(absl::string_view file) {
  if (!LooksLikeArchive(file)) return Foreign();
  const size_t end = file.substr(0, kLongestHeader).find('\n');
  if (end == absl::string_view::npos) return DamagedArchive("its first line does not end");
  const std::vector<std::string> words = absl::StrSplit(file.substr(0, end), ' ');
  Header header;
  if (words.size() < 2 || !absl::SimpleAtoi(words[1], &header.version) || header.version < 1) {
    return DamagedArchive("its first line holds no version");
  }
  if (header.version > kArchiveVersion) {
    return absl::InvalidArgumentError(absl::StrCat("the archive has version ", header.version,
                                                   "; this program knows up to ", kArchiveVersion,
                                                   ": use a newer one"));
  }
  if (words.size() != 4 || !absl::SimpleAtoi(words[3], &header.bytes)) {
    return DamagedArchive("its first line is not complete");
  }
  header.checksum = words[2];
  header.size = end + 1;
  return header;
}

absl::StatusOr<v1::Archive> ParseContent(absl::string_view content) {
  google::protobuf::io::ArrayInputStream raw(content.data(), static_cast<int>(content.size()));
  google::protobuf::io::GzipInputStream unzipped(&raw, google::protobuf::io::GzipInputStream::GZIP);
  google::protobuf::io::CodedInputStream coded(&unzipped);
  coded.SetTotalBytesLimit(static_cast<int>(kMaxArchiveBytes));
  v1::Archive archive;
  if (!archive.ParseFromCodedStream(&coded) || !coded.ConsumedEntireMessage()) {
    return DamagedArchive("its content cannot be read");
  }
  return archive;
}

}  // namespace

bool LooksLikeArchive(absl::string_view file) { return absl::StartsWith(file, kMagic); }

absl::StatusOr<std::string> PrintArchive(const v1::Archive& archive) {
  if (static_cast<int64_t>(archive.ByteSizeLong()) > kMaxArchiveBytes) return TooLarge();
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
  return absl::StrCat(kMagic, kArchiveVersion, " ", Fingerprint(content), " ", content.size(), "\n", content);
}

absl::StatusOr<v1::Archive> ParseArchive(absl::string_view file) {
  TUNE_ASSIGN_OR_RETURN(const Header header, ParseHeader(file));
  const absl::string_view content = file.substr(header.size);
  if (static_cast<int64_t>(content.size()) > kMaxArchiveBytes) return TooLarge();
  if (content.size() != header.bytes) {
    return DamagedArchive(
        absl::StrCat("it has ", content.size(), " bytes after its first line instead of ", header.bytes));
  }
  if (Fingerprint(content) != header.checksum) return DamagedArchive("its checksum is wrong");
  TUNE_ASSIGN_OR_RETURN(v1::Archive archive, ParseContent(content));
  for (const v1::ArchivedStudy& study : archive.studies()) {
    if (study.fingerprint() != StudyFingerprint(study)) {
      return DamagedArchive(absl::StrCat("study ", study.study().id(), " is not what its fingerprint tells"));
    }
  }
  return archive;
}

}  // namespace tune
