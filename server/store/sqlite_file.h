// Opening the database file: lock, checks, upgrade.
#pragma once

#include <SQLiteCpp/SQLiteCpp.h>

#include <memory>
#include <string>

#include "common/base/status.h"
#include "common/scop/scop_identity.h"

namespace tune {

// What OpenSqliteStore promises, up to the open connection: WAL, synchronous = FULL (each commit survives
// a power loss; a commit per evaluation is rare enough), foreign keys on, exclusive lock held. `identify` is
// asked for what an older file does not have.
absl::StatusOr<std::unique_ptr<SQLite::Database>> OpenSqliteFile(const std::string& path,
                                                                 const ScopIdentifier& identify);

// OK when the open file holds a whole database of this program or an older one, or nothing at all. Reads
// every page.
absl::Status CheckSqliteFile(SQLite::Database& database, const std::string& path);

// FAILED_PRECONDITION (busy), RESOURCE_EXHAUSTED (disk full, a file that may not grow), DATA_LOSS (damaged),
// UNAVAILABLE (else); names the file and what to do.
absl::Status SqliteStatus(const std::string& path, const SQLite::Exception& error);

}  // namespace tune
