#include <sqlite3.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "server/store/sqlite_file.h"
#include "server/store/store.h"

namespace tune {
namespace {

constexpr int kRestoreBusyMs = 2000;

absl::Status FileTrouble(const std::string& path, const std::error_code& error) {
  return absl::UnavailableError(absl::StrCat(path, ": ", error.message(), "; nothing was changed"));
}

// FAILED_PRECONDITION while a server uses the database. What else is wrong with it does not matter: it is
// replaced. Its write-ahead log goes into it.
absl::Status CheckUnused(const std::string& path) {
  try {
    SQLite::Database database(path, SQLite::OPEN_READWRITE, kRestoreBusyMs);
    database.exec("PRAGMA locking_mode = EXCLUSIVE");
    database.exec("BEGIN EXCLUSIVE; COMMIT");
  } catch (const SQLite::Exception& error) {
    const int code = error.getErrorCode();
    if (code == SQLITE_BUSY || code == SQLITE_LOCKED) return SqliteStatus(path, error);
  }
  return absl::OkStatus();
}

// The copy is a database that a server can go on with.
absl::Status CheckCopy(const std::string& copy, const std::string& backup) {
  try {
    SQLite::Database database(copy, SQLite::OPEN_READWRITE, kRestoreBusyMs);
    TUNE_RETURN_IF_ERROR(CheckSqliteFile(database, backup));
    if (database.execAndGet("SELECT count(*) FROM sqlite_master").getInt() == 0) {
      return absl::DataLossError(absl::StrCat(backup, ": holds no database; nothing was changed"));
    }
  } catch (const SQLite::Exception& error) {
    return SqliteStatus(backup, error);
  }
  return absl::OkStatus();
}

// The file and what SQLite keeps beside it, under the first free name.
absl::StatusOr<std::string> PutAside(const std::string& path) {
  std::string aside;
  for (int i = 1; aside.empty() || std::filesystem::exists(aside); ++i)
    aside = absl::StrCat(path, ".replaced-", i);
  for (const char* suffix : {"-wal", "-shm", ""}) {
    if (rename((path + suffix).c_str(), (aside + suffix).c_str()) != 0 && errno != ENOENT) {
      return absl::UnavailableError(absl::StrCat(path, suffix, ": ", std::strerror(errno)));
    }
  }
  return aside;
}

}  // namespace

absl::StatusOr<std::string> RestoreSqliteFile(const std::string& backup, const std::string& path) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(backup, error)) {
    return absl::NotFoundError(absl::StrCat(
        backup, ": no such file; `tunectl backup FILE` writes one. The database was not changed"));
  }
  const bool replaces = std::filesystem::exists(path, error);
  if (replaces) TUNE_RETURN_IF_ERROR(CheckUnused(path));
  const std::string copy = path + ".restoring";
  std::filesystem::copy_file(backup, copy, std::filesystem::copy_options::overwrite_existing, error);
  if (error) return FileTrouble(copy, error);
  const absl::Status checked = CheckCopy(copy, backup);
  if (!checked.ok()) {
    for (const char* suffix : {"-wal", "-shm", ""}) unlink((copy + suffix).c_str());
    return checked;
  }
  std::string aside;
  if (replaces) {
    TUNE_ASSIGN_OR_RETURN(aside, PutAside(path));
  }
  std::filesystem::rename(copy, path, error);
  if (error) return FileTrouble(path, error);
  return aside;
}

}  // namespace tune
