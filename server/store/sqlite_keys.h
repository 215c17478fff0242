// The table study_key: one row a study, found by shape and by origin. Every function throws
// SQLite::Exception.
#pragma once

#include <SQLiteCpp/SQLiteCpp.h>

#include <string>
#include <vector>

#include "common/base/status.h"
#include "server/store/prepared_statements.h"
#include "server/store/study_key.h"

namespace tune {

// Adds the row.
void AddKey(SQLite::Database& database, const StudyKey& key);

// Replaces the half that follows from the study's state.
void UpdateStoredKey(PreparedStatements& statements, int64_t number, const v1::Study& study);

// Newest first.
std::vector<StudyKey> FindStoredKeys(SQLite::Database& database, const std::string& shape);
// Oldest first.
std::vector<StudyKey> ListStoredKeys(SQLite::Database& database);

// Number of the study with this origin; 0: none.
int64_t FindOrigin(SQLite::Database& database, const std::string& origin);

// Gives every study of an older file its row, in one transaction. DATA_LOSS for a row that cannot be read.
// A scop that `identify` refuses is one of its own.
absl::Status FillKeys(SQLite::Database& database, const ScopIdentifier& identify);

}  // namespace tune
