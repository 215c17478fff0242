#include "server/store/sqlite_retention.h"

#include <sqlite3.h>
#include <unistd.h>

#include <filesystem>

namespace tune {
namespace {

constexpr int kPagesAStep = 256;  // 1 MiB

void BindText(SQLite::Statement& statement, int index, absl::string_view bytes) {
  statement.bind(index, bytes.data(), static_cast<int>(bytes.size()));
}

TextUse RemoveCandidateTexts(SQLite::Database& database, int64_t study, const std::set<int64_t>& keep,
                             bool dry_run) {
  SQLite::Statement query(database,
                          "SELECT idx, length(code) + length(device_file) + "
                          "CASE WHEN CAST(log AS TEXT) = ? THEN 0 ELSE length(log) END AS bytes "
                          "FROM candidate WHERE study = ? AND bytes > 0");
  query.bind(1, kRemovedLog);
  query.bind(2, study);
  SQLite::Statement remove(database,
                           "UPDATE candidate SET code = '', device_file = '', "
                           "log = CASE WHEN length(log) > 0 THEN ? ELSE log END WHERE study = ? AND idx = ?");
  std::vector<int64_t> indices;
  TextUse use;
  while (query.executeStep()) {
    if (keep.count(query.getColumn(0).getInt64()) > 0) continue;
    indices.push_back(query.getColumn(0).getInt64());
    use.bytes += query.getColumn(1).getInt64();
  }
  use.texts = static_cast<int64_t>(indices.size());
  for (const int64_t index : indices) {
    if (dry_run) break;
    BindText(remove, 1, kRemovedLog);
    remove.bind(2, study);
    remove.bind(3, index);
    remove.exec();
    remove.reset();
  }
  return use;
}

// Bytes of the evaluation's texts; what stays of it.
int64_t StripTexts(v1::Evaluation* evaluation) {
  size_t bytes = evaluation->code().size() + evaluation->device_file().size();
  if (!evaluation->log().empty() && evaluation->log() != kRemovedLog) {
    bytes += evaluation->log().size();
    evaluation->set_log(kRemovedLog);
  }
  evaluation->clear_code();
  evaluation->clear_device_file();
  return static_cast<int64_t>(bytes);
}

absl::StatusOr<TextUse> RemoveSampleTexts(SQLite::Database& database, int64_t study, bool dry_run) {
  SQLite::Statement query(database, "SELECT number, message FROM extra_sample WHERE study = ?");
  query.bind(1, study);
  std::vector<std::pair<int64_t, std::string>> stripped;
  TextUse use;
  while (query.executeStep()) {
    v1::Evaluation evaluation;
    const SQLite::Column message = query.getColumn(1);
    if (!evaluation.ParseFromArray(message.getBlob(), message.getBytes())) {
      return absl::DataLossError("the stored sample cannot be read");
    }
    const int64_t bytes = StripTexts(&evaluation);
    if (bytes == 0) continue;
    use.bytes += bytes;
    ++use.texts;
    stripped.emplace_back(query.getColumn(0).getInt64(), evaluation.SerializeAsString());
  }
  SQLite::Statement replace(database, "UPDATE extra_sample SET message = ? WHERE number = ?");
  for (const auto& [number, message] : stripped) {
    if (dry_run) break;
    BindText(replace, 1, message);
    replace.bind(2, number);
    replace.exec();
    replace.reset();
  }
  return use;
}

}  // namespace

absl::StatusOr<TextUse> RemoveStoredTexts(SQLite::Database& database, int64_t study,
                                          const std::set<int64_t>& keep, bool dry_run) {
  SQLite::Transaction transaction(database, SQLite::TransactionBehavior::IMMEDIATE);
  TextUse use = RemoveCandidateTexts(database, study, keep, dry_run);
  TUNE_ASSIGN_OR_RETURN(const TextUse samples, RemoveSampleTexts(database, study, dry_run));
  transaction.commit();
  use.texts += samples.texts;
  use.bytes += samples.bytes;
  return use;
}

void RemoveStoredStudy(SQLite::Database& database, int64_t study) {
  SQLite::Transaction transaction(database, SQLite::TransactionBehavior::IMMEDIATE);
  for (const char* sql :
       {"DELETE FROM extra_sample WHERE study = ?", "DELETE FROM candidate WHERE study = ?",
        "DELETE FROM study_key WHERE study = ?", "DELETE FROM search_state WHERE study = ?",
        "DELETE FROM program_piece WHERE study = ?", "DELETE FROM inspection WHERE study = ?",
        "DELETE FROM study_spec WHERE number = ?", "DELETE FROM study WHERE number = ?"}) {
    SQLite::Statement remove(database, sql);
    remove.bind(1, study);
    remove.exec();
  }
  transaction.commit();
}

void CompactFile(SQLite::Database& database) {
  database.exec("VACUUM");
  SQLite::Statement(database, "PRAGMA wal_checkpoint(TRUNCATE)").executeStep();
}

int64_t SizeOfFile(SQLite::Database& database) {
  return database.execAndGet("PRAGMA page_count").getInt64() *
         database.execAndGet("PRAGMA page_size").getInt64();
}

FileBackup::FileBackup(SQLite::Database& source, const std::string& path)
    : path_(path),
      copy_(std::make_unique<SQLite::Database>(path, SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE)),
      backup_(std::make_unique<SQLite::Backup>(*copy_, source)) {}

absl::StatusOr<std::unique_ptr<FileBackup>> FileBackup::Begin(SQLite::Database& source,
                                                              const std::string& path) {
  std::error_code error;
  if (std::filesystem::exists(path, error)) {
    return absl::AlreadyExistsError(path + ": exists already; nothing was written");
  }
  return std::unique_ptr<FileBackup>(new FileBackup(source, path));
}

bool FileBackup::Step() { return backup_->executeStep(kPagesAStep) != SQLITE_DONE; }

void FileBackup::Finish() {
  backup_.reset();
  copy_.reset();
  finished_ = true;
}

FileBackup::~FileBackup() {
  backup_.reset();
  copy_.reset();
  if (!finished_) unlink(path_.c_str());
}

}  // namespace tune
