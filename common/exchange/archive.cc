#include "common/exchange/archive.h"

#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/io/gzip_stream.h>
#include <google/protobuf/io/zero_copy_stream_impl_lite.h>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_split.h"
#include "common/base/fingerprint.h"
#include "common/exchange/message_memory.h"
#include "common/exchange/study_identity.h"

namespace tune {
namespace {

constexpr char kMagic[] = "tune-archive ";
constexpr size_t kLongestHeader = 200;
// Memory that the content may take once parsed. A few bytes of it, hardly any when compressed, can be a
// message of hundreds.
constexpr int64_t kMaxParsedBytes = 4 * kMaxArchiveBytes;

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

// The content as it is unzipped, up to kMaxArchiveBytes.
class UnzippedContent {
 public:
  explicit UnzippedContent(absl::string_view content)
      : raw_(content.data(), static_cast<int>(content.size())),
        unzipped_(&raw_, google::protobuf::io::GzipInputStream::GZIP),
        coded_(&unzipped_) {
    coded_.SetTotalBytesLimit(static_cast<int>(kMaxArchiveBytes));
  }
  google::protobuf::io::CodedInputStream* stream() { return &coded_; }

 private:
  google::protobuf::io::ArrayInputStream raw_;
  google::protobuf::io::GzipInputStream unzipped_;
  google::protobuf::io::CodedInputStream coded_;
};

absl::StatusOr<v1::Archive> ParseContent(absl::string_view content) {
  {
    UnzippedContent first(content);
    if (ParsedBytes(*v1::Archive::descriptor(), first.stream(), kMaxParsedBytes) > kMaxParsedBytes ||
        first.stream()->CurrentPosition() >= kMaxArchiveBytes) {
      return TooLarge();
    }
  }
  UnzippedContent unzipped(content);
  v1::Archive archive;
  if (!archive.ParseFromCodedStream(unzipped.stream()) || !unzipped.stream()->ConsumedEntireMessage()) {
    return DamagedArchive("its content cannot be read");
  }
  return archive;
}

}  // namespace

bool LooksLikeArchive(absl::string_view file) { return absl::StartsWith(file, kMagic); }

absl::Status CheckArchiveSize(int64_t bytes) {
  return bytes < kMaxArchiveBytes ? absl::OkStatus() : TooLarge();
}

absl::StatusOr<std::string> PrintArchive(const v1::Archive& archive) {
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
  return absl::StrCat(kMagic, kArchiveVersion, " ", Fingerprint(content), " ", content.size(), "\n", content);
}

absl::StatusOr<v1::Archive> ParseArchive(absl::string_view file) {
  TUNE_ASSIGN_OR_RETURN(const Header header, ParseHeader(file));
  const absl::string_view content = file.substr(header.size);
  TUNE_RETURN_IF_ERROR(CheckArchiveSize(static_cast<int64_t>(content.size())));
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
