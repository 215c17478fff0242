#include "server/store/sqlite_keys.h"

#include "server/store/sqlite_specs.h"
#include "server/store/store.h"

namespace tune {
namespace {

constexpr char kKeyColumns[] =
    "study, shape, scop, sizes, program, settings, state, target, device, architecture, parameters, "
    "best_seconds, finished_ms, origin, extents, generator";

StudyKey ReadKey(SQLite::Statement& row) {
  StudyKey key;
  key.study_id = StudyIdOf(row.getColumn(0).getInt64());
  key.shape = row.getColumn(1).getString();
  key.scop = row.getColumn(2).getString();
  key.sizes = ParseNumbers(row.getColumn(3).getString());
  key.program = row.getColumn(4).getString();
  key.settings = row.getColumn(5).getString();
  key.state = static_cast<v1::StudyState>(row.getColumn(6).getInt());
  key.target = static_cast<v1::Target>(row.getColumn(7).getInt());
  key.device = row.getColumn(8).getString();
  key.architecture = row.getColumn(9).getString();
  key.has_parameters = !row.getColumn(10).isNull();
  key.parameters = ParseNumbers(row.getColumn(10).getString());
  key.best_seconds = row.getColumn(11).getDouble();
  key.finished_unix_ms = row.getColumn(12).getInt64();
  key.origin = row.getColumn(13).getString();
  key.extents = ParseNumbers(row.getColumn(14).getString());
  key.generator = row.getColumn(15).getString();
  return key;
}

std::vector<StudyKey> ReadKeys(SQLite::Statement& query) {
  std::vector<StudyKey> keys;
  while (query.executeStep()) keys.push_back(ReadKey(query));
  return keys;
}

// Binds the half that changes to the parameters from `first` on, in the order of kKeyColumns.
void BindState(SQLite::Statement& statement, int first, const StudyKey& key) {
  statement.bind(first, key.state);
  statement.bind(first + 1, key.target);
  statement.bind(first + 2, key.device);
  statement.bind(first + 3, key.architecture);
  key.has_parameters ? statement.bind(first + 4, PrintNumbers(key.parameters)) : statement.bind(first + 4);
  statement.bind(first + 5, key.best_seconds);
  statement.bind(first + 6, key.finished_unix_ms);
  statement.bind(first + 7, key.origin);
  statement.bind(first + 8, PrintNumbers(key.extents));
}

template <typename Message>
bool ParseBlob(const SQLite::Column& column, Message* message) {
  return message->ParseFromArray(column.getBlob(), column.getBytes());
}

}  // namespace

void AddKey(SQLite::Database& database, const StudyKey& key) {
  SQLite::Statement add(database, absl::StrCat("INSERT INTO study_key (", kKeyColumns,
                                               ") VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"));
  add.bind(1, StudyNumberOf(key.study_id).value());
  add.bind(2, key.shape);
  add.bind(3, key.scop);
  add.bind(4, PrintNumbers(key.sizes));
  add.bind(5, key.program);
  add.bind(6, key.settings);
  BindState(add, 7, key);
  add.bind(16, key.generator);
  add.exec();
}

void UpdateStoredKey(PreparedStatements& statements, int64_t number, const v1::Study& study) {
  StudyKey key;
  UpdateKey(study, &key);
  constexpr const char* kUpdate =
      "UPDATE study_key SET state = ?, target = ?, device = ?, architecture = ?, "
      "parameters = ?, best_seconds = ?, finished_ms = ?, origin = ?, extents = ? WHERE study = ?";
  statements.Run(kUpdate, [&](SQLite::Statement& update) {
    BindState(update, 1, key);
    update.bind(10, number);
  });
}

std::vector<StudyKey> FindStoredKeys(SQLite::Database& database, const std::string& shape) {
  SQLite::Statement query(database, absl::StrCat("SELECT ", kKeyColumns,
                                                 " FROM study_key WHERE shape = ? AND shape <> '' "
                                                 "ORDER BY study DESC"));
  query.bind(1, shape);
  return ReadKeys(query);
}

std::vector<StudyKey> ListStoredKeys(SQLite::Database& database) {
  SQLite::Statement query(database, absl::StrCat("SELECT ", kKeyColumns, " FROM study_key ORDER BY study"));
  return ReadKeys(query);
}

int64_t FindOrigin(SQLite::Database& database, const std::string& origin) {
  SQLite::Statement query(database, "SELECT study FROM study_key WHERE origin = ? AND origin <> ''");
  query.bind(1, origin);
  return query.executeStep() ? query.getColumn(0).getInt64() : 0;
}

absl::Status FillKeys(SQLite::Database& database, const ScopIdentifier& identify) {
  SQLite::Transaction transaction(database, SQLite::TransactionBehavior::IMMEDIATE);
  std::vector<StudyKey> keys;
  SQLite::Statement query(
      database, "SELECT number, message FROM study WHERE number NOT IN (SELECT study FROM study_key)");
  while (query.executeStep()) {
    const int64_t number = query.getColumn(0).getInt64();
    const std::string id = StudyIdOf(number);
    v1::Study study;
    if (!ParseBlob(query.getColumn(1), &study)) {
      return absl::DataLossError(absl::StrCat("the stored study ", id, " cannot be read"));
    }
    absl::StatusOr<v1::StudySpec> spec = ReadSpec(database, number);
    if (absl::IsNotFound(spec.status())) spec = v1::StudySpec();
    TUNE_RETURN_IF_ERROR(spec.status());
    study.set_id(id);
    // One that was taken before is kept, whatever comes of looking at it again.
    const auto lenient = [&](const v1::Scop& scop) -> absl::StatusOr<ScopIdentity> {
      absl::StatusOr<ScopIdentity> identity = identify(scop);
      return identity.ok() ? identity : IdentityOfText(scop);
    };
    TUNE_ASSIGN_OR_RETURN(StudyKey key, KeyOfSpec(*spec, lenient));
    keys.push_back(std::move(key));
    UpdateKey(study, &keys.back());
  }
  for (const StudyKey& key : keys) AddKey(database, key);
  transaction.commit();
  return absl::OkStatus();
}

}  // namespace tune
