#include "server/store/sqlite_file.h"

#include <spdlog/spdlog.h>
#include <sqlite3.h>
#include <unistd.h>

#include "absl/strings/str_replace.h"
#include "server/store/schema.h"
#include "server/store/sqlite_keys.h"

namespace tune {
namespace {

// A server that was just told to end may take a moment to let go of the file.
constexpr int kBusyTimeoutMs = 2000;

absl::Status Damaged(const std::string& path, absl::string_view what) {
  return absl::DataLossError(absl::StrCat(path, ": the database is damaged (", what,
                                          "); nothing was changed. Restore a copy of it, try `sqlite3 FILE "
                                          ".recover`, or start with another --database"));
}

// The file as found, before anything is written to it.
struct FileFacts {
  int schema_version = 0;
  int application_id = 0;
  bool empty = true;  // no table at all
};

FileFacts ReadFacts(SQLite::Database& database) {
  FileFacts facts;
  facts.schema_version = database.execAndGet("PRAGMA user_version").getInt();
  facts.application_id = database.execAndGet("PRAGMA application_id").getInt();
  facts.empty = database.execAndGet("SELECT count(*) FROM sqlite_master").getInt() == 0;
  return facts;
}

absl::Status CheckFacts(const std::string& path, const FileFacts& facts) {
  if (facts.empty && facts.schema_version == 0) return absl::OkStatus();
  if (facts.application_id != kApplicationId) {
    return absl::FailedPreconditionError(absl::StrCat(
        path, ": this database belongs to another program; nothing was changed. Give another --database"));
  }
  if (facts.schema_version > kSchemaVersion) {
    return absl::FailedPreconditionError(absl::StrCat(
        path, ": written by a newer tuned-server (schema ", facts.schema_version, ", this one knows up to ",
        kSchemaVersion, "); nothing was changed. Use the newer program, or give another --database"));
  }
  return absl::OkStatus();
}

// Everything of the older file, in case the upgrade is regretted. An incomplete copy of an upgrade that
// was interrupted is written again.
void KeepCopy(SQLite::Database& database, const std::string& path, int version) {
  const std::string copy = absl::StrCat(path, ".schema-", version);
  unlink(copy.c_str());
  database.exec("VACUUM INTO '" + absl::StrReplaceAll(copy, {{"'", "''"}}) + "'");
  spdlog::info("{}: upgrading from schema {} to {}; the file as it was is kept as {}", path, version,
               kSchemaVersion, copy);
}

absl::Status Prepare(SQLite::Database& database, const std::string& path, const ScopIdentifier& identify) {
  database.setBusyTimeout(kBusyTimeoutMs);
  // Taken with the first read and held until the connection ends.
  database.exec("PRAGMA locking_mode = EXCLUSIVE");
  TUNE_RETURN_IF_ERROR(CheckSqliteFile(database, path));
  const FileFacts facts = ReadFacts(database);
  if (facts.schema_version > 0 && facts.schema_version < kSchemaVersion) {
    KeepCopy(database, path, facts.schema_version);
  }
  SQLite::Statement(database, "PRAGMA journal_mode = WAL").executeStep();
  database.exec("PRAGMA synchronous = FULL");
  database.exec("PRAGMA foreign_keys = ON");
  Migrate(database, facts.schema_version);
  // Without a migration nothing was written yet: this takes the exclusive lock in every case.
  database.exec("BEGIN EXCLUSIVE; COMMIT");
  const absl::Status verified = VerifySchema(database);
  if (!verified.ok()) return Damaged(path, verified.message());
  const absl::Status filled = FillKeys(database, identify);
  return filled.ok() ? filled : Damaged(path, filled.message());
}

}  // namespace

absl::Status CheckSqliteFile(SQLite::Database& database, const std::string& path) {
  TUNE_RETURN_IF_ERROR(CheckFacts(path, ReadFacts(database)));
  const std::string verdict = database.execAndGet("PRAGMA quick_check(1)").getString();
  return verdict == "ok" ? absl::OkStatus() : Damaged(path, verdict);
}

absl::Status SqliteStatus(const std::string& path, const SQLite::Exception& error) {
  if (error.getExtendedErrorCode() == SQLITE_IOERR_WRITE) {
    return absl::ResourceExhaustedError(
        absl::StrCat(path, ": cannot be written (", error.what(),
                     "); look at the disk, and at the limit of a file's size (`ulimit -f`)"));
  }
  switch (error.getErrorCode()) {
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      return absl::FailedPreconditionError(
          absl::StrCat(path, ": in use by another tuned-server; end that one, or give another --database"));
    case SQLITE_FULL:
      return absl::ResourceExhaustedError(absl::StrCat(path, ": the disk is full; free some space"));
    case SQLITE_CORRUPT:
      return Damaged(path, error.what());
    case SQLITE_NOTADB:
      return absl::DataLossError(absl::StrCat(
          path, ": this file is not an SQLite database; nothing was changed. Give another --database"));
    case SQLITE_READONLY:
    case SQLITE_PERM:
      return absl::UnavailableError(absl::StrCat(path, ": may not be written (", error.what(),
                                                 "); check the permissions of file and folder"));
    case SQLITE_CANTOPEN:
      return absl::UnavailableError(absl::StrCat(path, ": cannot be opened (", error.what(),
                                                 "); the folder must exist and be writable"));
    default:
      return absl::UnavailableError(absl::StrCat(path, ": ", error.what()));
  }
}

absl::StatusOr<std::unique_ptr<SQLite::Database>> OpenSqliteFile(const std::string& path,
                                                                 const ScopIdentifier& identify) {
  try {
    auto database = std::make_unique<SQLite::Database>(path, SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE,
                                                       kBusyTimeoutMs);
    TUNE_RETURN_IF_ERROR(Prepare(*database, path, identify));
    return database;
  } catch (const SQLite::Exception& error) {
    return SqliteStatus(path, error);
  }
}

}  // namespace tune
