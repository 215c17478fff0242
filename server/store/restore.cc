#include <fcntl.h>
#include <sqlite3.h>
#include <sys/stat.h>
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
    database.execAndGet("PRAGMA journal_mode = DELETE");  // all of it in one file
    if (database.execAndGet("SELECT count(*) FROM sqlite_master").getInt() == 0) {
      return absl::DataLossError(absl::StrCat(backup, ": holds no database; nothing was changed"));
    }
  } catch (const SQLite::Exception& error) {
    return SqliteStatus(backup, error);
  }
  return absl::OkStatus();
}

// What SQLite keeps beside a database.
const char* const kBeside[] = {"-wal", "-shm", "-journal"};

void RemoveWithBeside(const std::string& path) {
  unlink(path.c_str());
  for (const char* suffix : kBeside) unlink((path + suffix).c_str());
}

// So that the bytes are there before the name is, also when the power fails.
absl::Status Sync(const std::string& path) {
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  const bool synced = file >= 0 && fsync(file) == 0;
  const int error = errno;
  if (file >= 0) close(file);
  if (synced) return absl::OkStatus();
  return absl::UnavailableError(absl::StrCat(path, ": ", std::strerror(error)));
}

// The backup under another name, whole and the owner's alone. What was left of an earlier try is removed
// first: SQLite would take it for a part of the copy.
absl::Status MakeCopy(const std::string& backup, const std::string& copy) {
  RemoveWithBeside(copy);
  std::error_code error;
  std::filesystem::copy_file(backup, copy, error);
  if (error) return FileTrouble(copy, error);
  // A database that was put aside may have left its last changes beside it.
  if (std::filesystem::exists(backup + "-wal", error)) {
    std::filesystem::copy_file(backup + "-wal", copy + "-wal", error);
    if (error) return FileTrouble(copy + "-wal", error);
  }
  if (chmod(copy.c_str(), S_IRUSR | S_IWUSR) != 0) {
    return absl::UnavailableError(absl::StrCat(copy, ": ", std::strerror(errno), "; nothing was changed"));
  }
  TUNE_RETURN_IF_ERROR(CheckCopy(copy, backup));
  return Sync(copy);
}

// Keeps servers away from a database until it is destroyed, also under another name. One that cannot be
// opened is not held: no server can use it either.
class HeldDatabase {
 public:
  static absl::StatusOr<std::unique_ptr<HeldDatabase>> Hold(const std::string& path) {
    auto held = std::unique_ptr<HeldDatabase>(new HeldDatabase);
    try {
      held->database_ = std::make_unique<SQLite::Database>(path, SQLite::OPEN_READWRITE, kRestoreBusyMs);
      // Its last changes go into the file, and nothing beside it is touched when it is closed.
      held->database_->execAndGet("PRAGMA journal_mode = DELETE");
      held->database_->exec("BEGIN EXCLUSIVE");
    } catch (const SQLite::Exception& error) {
      const int code = error.getErrorCode();
      if (code == SQLITE_BUSY || code == SQLITE_LOCKED) return SqliteStatus(path, error);
      held->database_.reset();
    }
    return held;
  }

 private:
  HeldDatabase() = default;
  std::unique_ptr<SQLite::Database> database_;
};

// A second name for the file, so that there is a database at `path` all the time; where the file system knows
// no second names, another name. The first free one of PATH.replaced-N.
absl::StatusOr<std::string> NameAside(const std::string& path) {
  for (int i = 1;; ++i) {
    const std::string aside = absl::StrCat(path, ".replaced-", i);
    if (link(path.c_str(), aside.c_str()) == 0) return aside;
    if (errno == EEXIST || std::filesystem::exists(aside)) continue;
    if (rename(path.c_str(), aside.c_str()) == 0) return aside;
    return absl::UnavailableError(absl::StrCat(path, ": ", std::strerror(errno), "; nothing was changed"));
  }
}

// Of what there is of a database that SQLite cannot read. Errors do not matter: the file itself is safe.
void MoveBeside(const std::string& from, const std::string& to) {
  for (const char* suffix : kBeside) rename((from + suffix).c_str(), (to + suffix).c_str());
}

// `copy` becomes `path`. Returns the name under which the database before is kept.
absl::StatusOr<std::string> Replace(const std::string& copy, const std::string& path) {
  TUNE_ASSIGN_OR_RETURN(const auto held, HeldDatabase::Hold(path));
  TUNE_ASSIGN_OR_RETURN(const std::string aside, NameAside(path));
  MoveBeside(path, aside);
  if (rename(copy.c_str(), path.c_str()) == 0) return aside;
  const int error = errno;
  MoveBeside(aside, path);
  rename(aside.c_str(), path.c_str());  // does nothing where both are names of one file
  if (std::filesystem::exists(path)) unlink(aside.c_str());
  return absl::UnavailableError(absl::StrCat(path, ": ", std::strerror(error), "; nothing was changed"));
}

}  // namespace

absl::StatusOr<std::string> RestoreSqliteFile(const std::string& backup, const std::string& given_path) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(backup, error)) {
    return absl::NotFoundError(absl::StrCat(
        backup, ": no such file; `tunectl backup FILE` writes one. The database was not changed"));
  }
  // What a link names is replaced, not the link.
  const bool is_link = std::filesystem::is_symlink(given_path, error);
  const std::filesystem::path target =
      is_link ? std::filesystem::canonical(given_path, error) : std::filesystem::path(given_path);
  if (is_link && error) return FileTrouble(given_path, error);
  const std::string path = target.string();
  const bool replaces = std::filesystem::exists(path, error);
  if (replaces) TUNE_RETURN_IF_ERROR(CheckUnused(path));
  const std::string copy = path + ".restoring";
  const absl::Status copied = MakeCopy(backup, copy);
  if (!copied.ok()) {
    RemoveWithBeside(copy);
    return copied;
  }
  std::string aside;
  if (replaces) {
    absl::StatusOr<std::string> replaced = Replace(copy, path);
    if (!replaced.ok()) {
      RemoveWithBeside(copy);
      return replaced.status();
    }
    aside = *std::move(replaced);
  } else if (rename(copy.c_str(), path.c_str()) != 0) {
    const int code = errno;
    RemoveWithBeside(copy);
    return absl::UnavailableError(absl::StrCat(path, ": ", std::strerror(code)));
  }
  const std::string folder = target.parent_path().string();
  TUNE_RETURN_IF_ERROR(Sync(folder.empty() ? "." : folder));
  return aside;
}

}  // namespace tune
