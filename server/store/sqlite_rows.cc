#include "server/store/sqlite_rows.h"

namespace tune {

void PutCandidate(PreparedStatements& statements, int64_t study, const StoredCandidate& stored) {
  v1::Candidate candidate = stored.candidate;
  std::string log, code, device_file;
  if (candidate.has_evaluation()) {
    log.swap(*candidate.mutable_evaluation()->mutable_log());
    code.swap(*candidate.mutable_evaluation()->mutable_code());
    device_file.swap(*candidate.mutable_evaluation()->mutable_device_file());
  }
  constexpr const char* kPut =
      "INSERT OR REPLACE INTO candidate (study, idx, state, outcome, message, log, code, lease_id, "
      "device_file) "
      "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)";
  statements.Run(kPut, [&](SQLite::Statement& put) {
    put.bind(1, study);
    put.bind(2, candidate.index());
    put.bind(3, candidate.state());
    put.bind(4, candidate.evaluation().outcome());
    BindBlob(put, 5, candidate.SerializeAsString());
    BindBlob(put, 6, log);
    BindBlob(put, 7, code);
    put.bind(8, stored.lease_id);
    BindBlob(put, 9, device_file);
  });
}

void PutExtraSample(SQLite::Database& database, int64_t study, const ExtraSample& sample) {
  SQLite::Statement put(database,
                        "INSERT OR IGNORE INTO extra_sample (study, idx, lease_id, received_ms, message) "
                        "VALUES (?, ?, ?, ?, ?)");
  put.bind(1, study);
  put.bind(2, sample.candidate_index);
  put.bind(3, sample.lease_id);
  put.bind(4, absl::ToUnixMillis(sample.received));
  BindBlob(put, 5, sample.evaluation.SerializeAsString());
  put.exec();
}

void PutSearchState(SQLite::Database& database, int64_t study, const v1::Explanation& state) {
  SQLite::Statement put(database, "INSERT OR REPLACE INTO search_state (study, message) VALUES (?, ?)");
  put.bind(1, study);
  BindBlob(put, 2, state.SerializeAsString());
  put.exec();
}

void PutInspections(SQLite::Database& database, int64_t study,
                    const std::vector<v1::Inspection>& inspections) {
  if (inspections.empty()) return;
  SQLite::Statement put(database, "INSERT OR REPLACE INTO inspection (study, idx, message) VALUES (?, ?, ?)");
  for (const v1::Inspection& inspection : inspections) {
    put.bind(1, study);
    put.bind(2, inspection.index());
    BindBlob(put, 3, inspection.SerializeAsString());
    put.exec();
    put.reset();
  }
}

absl::StatusOr<std::vector<v1::Inspection>> ReadInspections(SQLite::Database& database, int64_t study) {
  SQLite::Statement query(database, "SELECT message FROM inspection WHERE study = ? ORDER BY idx");
  query.bind(1, study);
  std::vector<v1::Inspection> inspections;
  while (query.executeStep()) {
    TUNE_ASSIGN_OR_RETURN(v1::Inspection inspection,
                          ParseColumn<v1::Inspection>(query.getColumn(0), "inspection"));
    inspections.push_back(std::move(inspection));
  }
  return inspections;
}

}  // namespace tune
