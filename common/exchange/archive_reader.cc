#include "common/exchange/archive_reader.h"

#include <algorithm>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_split.h"
#include "common/base/fingerprint.h"
#include "common/exchange/archive.h"
#include "common/exchange/message_memory.h"
#include "common/exchange/study_identity.h"

namespace tune {
namespace {

constexpr char kMagic[] = "tune-archive ";
constexpr size_t kLongestHeader = 200;
constexpr int64_t kLongestNote = 1000;     // of a field beside the studies
constexpr uint32_t kPieceBytes = 1 << 20;  // what is read at a time: a length that is told proves nothing

// Tags of v1::Archive's fields, as protocol buffers encode them: number * 8 + wire type.
constexpr uint32_t kStudiesTag = v1::Archive::kStudiesFieldNumber * 8 + 2;
constexpr uint32_t kWrittenByTag = v1::Archive::kWrittenByFieldNumber * 8 + 2;
constexpr uint32_t kWrittenTag = v1::Archive::kWrittenUnixMsFieldNumber * 8;

absl::Status DamagedArchive(absl::string_view what) {
  return absl::DataLossError(
      absl::StrCat("the archive is damaged (", what, "): nothing was taken from it; export it again"));
}

absl::Status Unreadable() { return DamagedArchive("its content cannot be read"); }

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

int64_t MemoryOf(const std::string& study) {
  google::protobuf::io::CodedInputStream stream(reinterpret_cast<const uint8_t*>(study.data()),
                                                static_cast<int>(study.size()));
  return ParsedBytes(*v1::ArchivedStudy::descriptor(), &stream, kMaxStudyMemory);
}

}  // namespace

bool LooksLikeArchive(absl::string_view file) { return absl::StartsWith(file, kMagic); }

std::string ArchiveHeader(absl::string_view content) {
  return absl::StrCat(kMagic, kArchiveVersion, " ", Fingerprint(content), " ", content.size(), "\n");
}

absl::StatusOr<std::unique_ptr<ArchiveReader>> ArchiveReader::Open(absl::string_view file) {
  TUNE_ASSIGN_OR_RETURN(const Header header, ParseHeader(file));
  const absl::string_view content = file.substr(header.size);
  TUNE_RETURN_IF_ERROR(CheckArchiveSize(static_cast<int64_t>(content.size())));
  if (content.size() != header.bytes) {
    return DamagedArchive(
        absl::StrCat("it has ", content.size(), " bytes after its first line instead of ", header.bytes));
  }
  if (Fingerprint(content) != header.checksum) return DamagedArchive("its checksum is wrong");
  return std::unique_ptr<ArchiveReader>(new ArchiveReader(content));
}

ArchiveReader::ArchiveReader(absl::string_view content)
    : raw_(content.data(), static_cast<int>(content.size())),
      unzipped_(&raw_, google::protobuf::io::GzipInputStream::GZIP),
      stream_(&unzipped_) {
  stream_.SetTotalBytesLimit(static_cast<int>(kMaxArchiveBytes));
}

absl::StatusOr<bool> ArchiveReader::Next(v1::ArchivedStudy* study) {
  while (const uint32_t tag = stream_.ReadTag()) {
    if (tag == kStudiesTag) {
      TUNE_RETURN_IF_ERROR(ReadStudy(study));
      return true;
    }
    uint64_t number = 0;
    if (tag == kWrittenTag && stream_.ReadVarint64(&number)) {
      header_.set_written_unix_ms(static_cast<int64_t>(number));
    } else if (tag == kWrittenByTag) {
      TUNE_ASSIGN_OR_RETURN(*header_.mutable_written_by(), ReadBytes());
      if (static_cast<int64_t>(header_.written_by().size()) > kLongestNote) return Unreadable();
    } else {
      return Unreadable();
    }
  }
  if (stream_.CurrentPosition() >= kMaxArchiveBytes) return CheckArchiveSize(kMaxArchiveBytes);
  if (!stream_.ConsumedEntireMessage()) return Unreadable();
  return false;
}

absl::Status ArchiveReader::ReadStudy(v1::ArchivedStudy* study) {
  if (++studies_ > kMaxArchiveStudies) return TooManyStudies();
  TUNE_ASSIGN_OR_RETURN(const std::string bytes, ReadBytes());
  study_memory_ = MemoryOf(bytes);
  if (study_memory_ > kMaxStudyMemory) return CheckStudyMemory(study_memory_);
  if (!study->ParseFromString(bytes)) return Unreadable();
  if (study->fingerprint() == StudyFingerprint(*study)) return absl::OkStatus();
  return DamagedArchive(absl::StrCat("study ", study->study().id(), " is not what its fingerprint tells"));
}

absl::StatusOr<std::string> ArchiveReader::ReadBytes() {
  uint32_t left = 0;
  if (!stream_.ReadVarint32(&left)) return Unreadable();
  if (left > kMaxStudyMemory) return CheckStudyMemory(left);
  std::string bytes, piece;
  while (left > 0) {
    const uint32_t size = std::min(left, kPieceBytes);
    if (!stream_.ReadString(&piece, static_cast<int>(size))) {
      return stream_.CurrentPosition() >= kMaxArchiveBytes ? CheckArchiveSize(kMaxArchiveBytes)
                                                           : Unreadable();
    }
    bytes += piece;
    left -= size;
  }
  return bytes;
}

}  // namespace tune
