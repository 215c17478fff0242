// Specs of studies. Their programs are large, read seldom and in order, so they are rows of pieces that
// nobody holds as a whole. All throw SQLite::Exception; `study` is a number that the database has.
#pragma once

#include <SQLiteCpp/SQLiteCpp.h>

#include <cstdint>
#include <optional>
#include <string>

#include "common/base/status.h"
#include "tune/v1/study.pb.h"

namespace tune {

// Within a transaction. Its bytes are charged to `owner`.
void PutSpec(SQLite::Database& database, int64_t study, const v1::StudySpec& spec, const std::string& owner);
// Of all specs that are charged to the owner, with their programs.
int64_t ReadBytesOf(SQLite::Database& database, const std::string& owner);

// NOT_FOUND when the study has none, DATA_LOSS when it cannot be read.
absl::StatusOr<v1::StudySpec> ReadSpec(SQLite::Database& database, int64_t study);
absl::StatusOr<v1::StudySpec> ReadSpecWithoutProgram(SQLite::Database& database, int64_t study);

// Of the serialized program.
absl::StatusOr<int64_t> ReadProgramBytes(SQLite::Database& database, int64_t study);
// From 0; none behind the last one, and none of a spec that an earlier version has stored as a whole.
std::optional<std::string> ReadProgramPiece(SQLite::Database& database, int64_t study, int64_t piece);

}  // namespace tune
