// Archives of studies from elsewhere.
#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/io/gzip_stream.h>
#include <google/protobuf/io/zero_copy_stream_impl_lite.h>

#include "common/exchange/archive.h"
#include "common/exchange/study_identity.h"
#include "server/exchange/archive_import.h"
#include "tests/fuzz/sample_studies.h"
#include "tests/fuzz/targets.h"

namespace tune::testing {
namespace {

// The file that holds these bytes: fuzzing does not find checksums and compressed texts.
std::string FileOf(absl::string_view content) {
  std::string zipped;
  {
    google::protobuf::io::StringOutputStream raw(&zipped);
    google::protobuf::io::GzipOutputStream gzip(&raw);
    google::protobuf::io::CodedOutputStream(&gzip).WriteString(std::string(content));
  }
  return ArchiveHeader(zipped) + zipped;
}

// The same with the fingerprints that the studies ought to have; the bytes as they are when they are none.
std::string Mended(absl::string_view content) {
  v1::Archive archive;
  if (!archive.ParseFromArray(content.data(), static_cast<int>(content.size()))) return std::string(content);
  for (v1::ArchivedStudy& study : *archive.mutable_studies()) study.set_fingerprint(StudyFingerprint(study));
  return archive.SerializeAsString();
}

void Import(const std::string& file) {
  const std::unique_ptr<Store> store = MakeMemoryStore(IdentityOfText);
  ImportArchive(*store, file, {"fuzz", absl::UnixEpoch(), "", {}}, [] { return false; }).IgnoreError();
}

void FuzzArchive(absl::string_view input) {
  if (LooksLikeArchive(input)) {
    Import(std::string(input));
  } else {
    Import(FileOf(input));
    Import(FileOf(Mended(input)));
  }
}

std::vector<std::string> ArchiveSeeds() {
  v1::Archive archive;
  archive.set_written_by("fuzz");
  *archive.add_studies() = StudyOf(GemmScop());
  std::vector<std::string> seeds = {archive.SerializeAsString(), PrintArchive(archive).value()};
  *archive.add_studies() = StudyOf(SeidelScop());
  seeds.push_back(archive.SerializeAsString());
  return seeds;
}

}  // namespace

FuzzTarget ArchiveTarget() { return {"archive", FuzzArchive, ArchiveSeeds}; }

}  // namespace tune::testing
