#include "server/store/schema.h"

#include <set>
#include <vector>

namespace tune {
namespace {

// Element i takes a database from version i to i + 1. An element is never changed once released: a new
// one is added. Each row has key columns and the serialized message, whose fields may grow by themselves.
const std::vector<const char*>& Migrations() {
  static const auto* const migrations = new std::vector<const char*>{
      // 1: studies and candidates.
      R"sql(
CREATE TABLE study (
  number INTEGER PRIMARY KEY,         -- id is 's' || number
  request_id TEXT UNIQUE,             -- NULL when the client sent none
  state INTEGER NOT NULL,             -- v1.StudyState
  message BLOB NOT NULL               -- v1.Study
);
CREATE INDEX study_state ON study (state);
CREATE TABLE study_spec (
  number INTEGER PRIMARY KEY REFERENCES study (number),
  message BLOB NOT NULL               -- v1.StudySpec
);
CREATE TABLE candidate (
  study INTEGER NOT NULL REFERENCES study (number),
  idx INTEGER NOT NULL,
  state INTEGER NOT NULL,             -- v1.CandidateState
  outcome INTEGER NOT NULL,           -- v1.Outcome, 0 while there is none
  message BLOB NOT NULL,              -- v1.Candidate without evaluation.log and evaluation.code
  log TEXT NOT NULL DEFAULT '',
  code TEXT NOT NULL DEFAULT '',
  PRIMARY KEY (study, idx)
);
)sql",
      // 2: which lease a candidate's evaluation came from, and results that came too late.
      R"sql(
ALTER TABLE candidate ADD COLUMN lease_id TEXT NOT NULL DEFAULT '';
CREATE TABLE extra_sample (
  number INTEGER PRIMARY KEY,
  study INTEGER NOT NULL REFERENCES study (number),
  idx INTEGER NOT NULL,
  lease_id TEXT NOT NULL,
  received_ms INTEGER NOT NULL,
  message BLOB NOT NULL,              -- v1.Evaluation
  UNIQUE (study, idx, lease_id)
);
)sql",
      // 3: runs of the server, whose number is part of every lease's id; what a restart must go on with.
      R"sql(
CREATE TABLE server_run (
  number INTEGER PRIMARY KEY AUTOINCREMENT,
  started_ms INTEGER NOT NULL
);
CREATE INDEX candidate_open ON candidate (study) WHERE state IN (1, 2);  -- PENDING, LEASED
)sql",
      // 4: generated CUDA files, which message holds no more.
      R"sql(
ALTER TABLE candidate ADD COLUMN device_file TEXT NOT NULL DEFAULT '';
)sql",
      // 5: what a study's result depends on, filled in when the file is opened; numbers that were used.
      R"sql(
CREATE TABLE study_key (
  study INTEGER PRIMARY KEY REFERENCES study (number),
  shape TEXT NOT NULL,                -- scop without its sizes; '' where there is no scop
  scop TEXT NOT NULL,
  sizes TEXT NOT NULL,                -- '1000,2000'
  program TEXT NOT NULL,
  settings TEXT NOT NULL,
  state INTEGER NOT NULL,             -- v1.StudyState
  target INTEGER NOT NULL,            -- v1.Target
  device TEXT NOT NULL,
  architecture TEXT NOT NULL,
  parameters TEXT,                    -- '1000,2000'; NULL before the reference run
  best_seconds REAL NOT NULL,         -- 0: nothing correct
  finished_ms INTEGER NOT NULL,
  origin TEXT NOT NULL                -- fingerprint of a study from elsewhere, else ''
);
CREATE INDEX study_key_shape ON study_key (shape) WHERE shape <> '';
CREATE UNIQUE INDEX study_key_origin ON study_key (origin) WHERE origin <> '';
CREATE TABLE last_study (number INTEGER NOT NULL);  -- one row: the highest number given so far
INSERT INTO last_study SELECT coalesce(max(number), 0) FROM study;
)sql",
      // 6: extents are sizes, too, where they follow from more than the parameters. All keys are filled in
      // again.
      R"sql(
ALTER TABLE study_key ADD COLUMN extents TEXT NOT NULL DEFAULT '';
DELETE FROM study_key;
)sql",
      // 7: what a search had learned at its end, which takes a walk of all its candidates to make again.
      R"sql(
CREATE TABLE search_state (
  study INTEGER PRIMARY KEY REFERENCES study (number),
  message BLOB NOT NULL               -- v1.Explanation
);
)sql",
      // 8: results of different generators are different results.
      R"sql(
ALTER TABLE study_key ADD COLUMN generator TEXT NOT NULL DEFAULT '';  -- '' is builtin
)sql",
      // 9: the secret that seals the names of leases.
      R"sql(
CREATE TABLE lease_key (key BLOB NOT NULL);  -- one row, once the server has run
)sql",
      // 10: programs in pieces. A spec that was stored before holds its program itself.
      R"sql(
CREATE TABLE program_piece (
  study INTEGER NOT NULL REFERENCES study (number),
  piece INTEGER NOT NULL,             -- from 0
  data BLOB NOT NULL,                 -- a piece of v1.Program
  PRIMARY KEY (study, piece)
);
ALTER TABLE study_spec ADD COLUMN program_bytes INTEGER NOT NULL DEFAULT 0;  -- of all pieces
)sql",
      // 11: whose bytes a spec and its program are.
      R"sql(
ALTER TABLE study_spec ADD COLUMN charged_to TEXT NOT NULL DEFAULT '';  -- '': nobody's
CREATE INDEX study_spec_charged_to ON study_spec (charged_to);
)sql",
      // 12: what configurations' compiled kernels tell.
      R"sql(
CREATE TABLE inspection (
  study INTEGER NOT NULL REFERENCES study (number),
  idx INTEGER NOT NULL,
  message BLOB NOT NULL,              -- v1.Inspection
  PRIMARY KEY (study, idx)
);
)sql"};
  return *migrations;
}

struct ExpectedTable {
  const char* name;
  std::vector<const char*> columns;
};

const std::vector<ExpectedTable>& ExpectedTables() {
  static const auto* const tables = new std::vector<ExpectedTable>{
      {"study", {"number", "request_id", "state", "message"}},
      {"study_spec", {"number", "message", "program_bytes", "charged_to"}},
      {"program_piece", {"study", "piece", "data"}},
      {"candidate",
       {"study", "idx", "state", "outcome", "message", "log", "code", "lease_id", "device_file"}},
      {"extra_sample", {"number", "study", "idx", "lease_id", "received_ms", "message"}},
      {"server_run", {"number", "started_ms"}},
      {"study_key",
       {"study", "shape", "scop", "sizes", "program", "settings", "state", "target", "device", "architecture",
        "parameters", "best_seconds", "finished_ms", "origin", "extents", "generator"}},
      {"last_study", {"number"}},
      {"search_state", {"study", "message"}},
      {"inspection", {"study", "idx", "message"}},
      {"lease_key", {"key"}}};
  return *tables;
}

}  // namespace

void Migrate(SQLite::Database& database, int from, int to) {
  if (from >= to) return;
  SQLite::Transaction transaction(database, SQLite::TransactionBehavior::IMMEDIATE);
  for (int i = from; i < to; ++i) database.exec(Migrations()[i]);
  database.exec(absl::StrCat("PRAGMA application_id = ", kApplicationId));
  database.exec(absl::StrCat("PRAGMA user_version = ", to));
  transaction.commit();
}

absl::Status VerifySchema(SQLite::Database& database) {
  static_assert(kSchemaVersion == 12);
  for (const ExpectedTable& table : ExpectedTables()) {
    std::set<std::string> found;
    SQLite::Statement columns(database, absl::StrCat("PRAGMA table_info(", table.name, ")"));
    while (columns.executeStep()) found.insert(columns.getColumn(1).getString());
    if (found.empty()) return absl::DataLossError(absl::StrCat("table ", table.name, " is missing"));
    for (const char* column : table.columns) {
      if (found.count(column) == 0) {
        return absl::DataLossError(absl::StrCat("column ", table.name, ".", column, " is missing"));
      }
    }
  }
  return absl::OkStatus();
}

absl::Status NoSuchStudy(const std::string& study_id) {
  return absl::NotFoundError(
      absl::StrCat("no study '", study_id, "' on this server: `tunectl ls` lists them"));
}

absl::Status NoSearchState(const std::string& study_id) {
  return absl::NotFoundError(absl::StrCat("study ", study_id, " has no stored state of its search"));
}

absl::Status NoSuchCandidate(const std::string& study_id, int64_t index) {
  return absl::NotFoundError(absl::StrCat("study ", study_id, " has no candidate ", index));
}

}  // namespace tune
