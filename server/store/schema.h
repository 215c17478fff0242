// The database's schema: numbered migrations, applied in order at start and checked afterwards.
#pragma once

#include <SQLiteCpp/SQLiteCpp.h>

#include <string>

#include "common/base/status.h"

namespace tune {

// Number of the last migration: what this program reads and writes. Stored as PRAGMA user_version.
inline constexpr int kSchemaVersion = 12;

// PRAGMA application_id of our files: "tune".
inline constexpr int kApplicationId = 0x74756e65;

// Applies migrations from..to-1 in one transaction and sets the version to `to`. Throws SQLite::Exception.
// `to` below kSchemaVersion makes a file as an older program left it, for tests.
void Migrate(SQLite::Database& database, int from, int to = kSchemaVersion);

// Every table and column of version kSchemaVersion exists. DATA_LOSS names the first that does not.
absl::Status VerifySchema(SQLite::Database& database);

// Same words from every store.
absl::Status NoSuchStudy(const std::string& study_id);
absl::Status NoSearchState(const std::string& study_id);
absl::Status NoSuchCandidate(const std::string& study_id, int64_t index);

}  // namespace tune
