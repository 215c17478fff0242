// Messages in rows and back.
#pragma once

#include <SQLiteCpp/SQLiteCpp.h>

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "server/store/prepared_statements.h"
#include "server/store/store.h"

namespace tune {

// DATA_LOSS naming `what` when the column holds something else.
template <typename Message>
absl::StatusOr<Message> ParseColumn(const SQLite::Column& column, absl::string_view what) {
  Message message;
  if (!message.ParseFromArray(column.getBlob(), column.getBytes())) {
    return absl::DataLossError(absl::StrCat("the stored ", what, " cannot be read"));
  }
  return message;
}

inline void BindBlob(SQLite::Statement& statement, int index, const std::string& bytes) {
  statement.bind(index, bytes.data(), static_cast<int>(bytes.size()));
}

inline std::string TextOf(const SQLite::Column& column) {
  return std::string(static_cast<const char*>(column.getBlob()), column.getBytes());
}

inline constexpr char kColumns[] = "message, lease_id";
inline constexpr char kColumnsWithTexts[] = "message, lease_id, log, code, device_file";

// A row of kColumnsWithTexts, or when not `with_texts` of kColumns.
inline absl::StatusOr<StoredCandidate> ReadCandidate(SQLite::Statement& row, bool with_texts) {
  StoredCandidate stored;
  TUNE_ASSIGN_OR_RETURN(stored.candidate, ParseColumn<v1::Candidate>(row.getColumn(0), "candidate"));
  stored.lease_id = row.getColumn(1).getString();
  if (with_texts && stored.candidate.has_evaluation()) {
    stored.candidate.mutable_evaluation()->set_log(TextOf(row.getColumn(2)));
    stored.candidate.mutable_evaluation()->set_code(TextOf(row.getColumn(3)));
    stored.candidate.mutable_evaluation()->set_device_file(TextOf(row.getColumn(4)));
  }
  return stored;
}

// Within a transaction, of the study with that number.
void PutCandidate(PreparedStatements& statements, int64_t study, const StoredCandidate& stored);
// One that is there already under its lease stays as it is.
void PutExtraSample(SQLite::Database& database, int64_t study, const ExtraSample& sample);
void PutSearchState(SQLite::Database& database, int64_t study, const v1::Explanation& state);
void PutInspections(SQLite::Database& database, int64_t study,
                    const std::vector<v1::Inspection>& inspections);

// In order of index.
absl::StatusOr<std::vector<v1::Inspection>> ReadInspections(SQLite::Database& database, int64_t study);

}  // namespace tune
