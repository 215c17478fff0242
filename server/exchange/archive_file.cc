#include "server/exchange/archive_file.h"

#include <set>

#include "common/exchange/archive.h"
#include "common/rpc/version.h"
#include "server/exchange/whole_study.h"

namespace tune {

absl::StatusOr<std::string> WriteArchiveFile(const Store& store, const std::vector<std::string>& study_ids,
                                             bool without_texts, absl::Time now) {
  v1::Archive archive;
  archive.set_written_by(absl::StrCat("tuned-server ", kVersion));
  archive.set_written_unix_ms(absl::ToUnixMillis(now));
  std::set<std::string> named;
  int64_t bytes = 0;
  for (const std::string& id : study_ids) {
    if (!named.insert(id).second) return absl::InvalidArgumentError(absl::StrCat(id, " is named twice"));
    TUNE_ASSIGN_OR_RETURN(*archive.add_studies(), ReadWholeStudy(store, id, without_texts));
    // Asked after each, so that a long list does not fill the memory first.
    bytes += static_cast<int64_t>(archive.studies().rbegin()->ByteSizeLong());
    TUNE_RETURN_IF_ERROR(CheckArchiveSize(bytes));
  }
  return PrintArchive(archive);
}

}  // namespace tune
