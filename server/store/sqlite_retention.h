// Giving up texts and studies, size, compaction and backup of the open file. Every function throws
// SQLite::Exception.
#pragma once

#include <SQLiteCpp/Backup.h>
#include <SQLiteCpp/SQLiteCpp.h>

#include <memory>
#include <set>
#include <string>

#include "common/base/status.h"
#include "server/store/store.h"

namespace tune {

// As Store says. One transaction each.
absl::StatusOr<TextUse> RemoveStoredTexts(SQLite::Database& database, int64_t study,
                                          const std::set<int64_t>& keep, bool dry_run);
void RemoveStoredStudy(SQLite::Database& database, int64_t study);

void CompactFile(SQLite::Database& database);
int64_t SizeOfFile(SQLite::Database& database);

// A copy that is being made. Removed by the destructor unless it was finished.
class FileBackup {
 public:
  // `source` outlives the object. ALREADY_EXISTS when there is something at `path`.
  static absl::StatusOr<std::unique_ptr<FileBackup>> Begin(SQLite::Database& source, const std::string& path);
  ~FileBackup();

  // Copies some pages; false when there are no more.
  bool Step();
  void Finish();

 private:
  FileBackup(SQLite::Database& source, const std::string& path);

  const std::string path_;
  std::unique_ptr<SQLite::Database> copy_;
  std::unique_ptr<SQLite::Backup> backup_;
  bool finished_ = false;
};

}  // namespace tune
