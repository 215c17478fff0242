// The store on SQLite, one connection guarded by one mutex.
#include <sqlite3.h>

#include <atomic>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"
#include "common/base/secret.h"
#include "common/evaluation/outcome.h"
#include "server/store/database_file.h"
#include "server/store/schema.h"
#include "server/store/sqlite_file.h"
#include "server/store/sqlite_keys.h"
#include "server/store/sqlite_retention.h"
#include "server/store/sqlite_rows.h"
#include "server/store/sqlite_specs.h"
#include "server/store/store.h"

namespace tune {
namespace {

class SqliteStore : public Store {
 public:
  SqliteStore(std::unique_ptr<SQLite::Database> database, std::string path, const DatabaseFile& file,
              ScopIdentifier identify)
      : Store(std::move(identify)), path_(std::move(path)), file_(file), database_(std::move(database)) {}

  absl::StatusOr<int64_t> BeginRun(absl::Time now) override {
    return Written([&]() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) -> absl::StatusOr<int64_t> {
      SQLite::Statement insert(*database_, "INSERT INTO server_run (started_ms) VALUES (?)");
      insert.bind(1, absl::ToUnixMillis(now));
      insert.exec();
      return static_cast<int64_t>(database_->getLastInsertRowid());
    });
  }

  absl::StatusOr<std::string> LeaseKey() override {
    return Guarded([&]() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) -> absl::StatusOr<std::string> {
      SQLite::Statement query(*database_, "SELECT key FROM lease_key");
      if (query.executeStep()) return TextOf(query.getColumn(0));
      const std::string key = MakeSecret();
      SQLite::Statement insert(*database_, "INSERT INTO lease_key (key) VALUES (?)");
      BindBlob(insert, 1, key);
      insert.exec();
      return key;
    });
  }

  absl::StatusOr<int64_t> BytesOf(const std::string& owner) const override {
    return Guarded([&]() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) -> absl::StatusOr<int64_t> {
      return ReadBytesOf(*database_, owner);
    });
  }

  absl::StatusOr<v1::Study> AddStudy(const v1::Study& study, const v1::StudySpec& spec,
                                     const std::string& request_id) override {
    TUNE_ASSIGN_OR_RETURN(StudyKey key, KeyOf(spec));  // before the lock
    return Written([&]() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) -> absl::StatusOr<v1::Study> {
      if (!request_id.empty()) {
        absl::StatusOr<v1::Study> known = FindRequestLocked(request_id);
        if (!absl::IsNotFound(known.status())) return known;
      }
      SQLite::Transaction transaction(*database_, SQLite::TransactionBehavior::IMMEDIATE);
      v1::Study added = InsertStudy(study, spec, spec.owner(), request_id, &key);
      transaction.commit();
      return added;
    });
  }

  absl::Status Apply(const StudyChange& change) override {
    return Written([&]() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) -> absl::Status {
      SQLite::Transaction transaction(*database_, SQLite::TransactionBehavior::IMMEDIATE);
      TUNE_ASSIGN_OR_RETURN(const int64_t number, NumberOf(change.study_id));
      if (change.study.has_value()) {
        constexpr const char* kUpdate = "UPDATE study SET state = ?, message = ? WHERE number = ?";
        statements_.Run(kUpdate, [&](SQLite::Statement& update) {
          update.bind(1, change.study->state());
          BindBlob(update, 2, change.study->SerializeAsString());
          update.bind(3, number);
        });
        UpdateStoredKey(statements_, number, *change.study);
      }
      for (const StoredCandidate& stored : change.candidates) PutCandidate(statements_, number, stored);
      for (const ExtraSample& sample : change.extra_samples) PutExtraSample(*database_, number, sample);
      if (change.search_state.has_value()) PutSearchState(*database_, number, *change.search_state);
      PutInspections(*database_, number, change.inspections);
      transaction.commit();
      return absl::OkStatus();
    });
  }

  absl::StatusOr<v1::Study> GetStudy(const std::string& study_id) const override {
    return Guarded([&]() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) -> absl::StatusOr<v1::Study> {
      TUNE_ASSIGN_OR_RETURN(const int64_t number, NumberOf(study_id));
      SQLite::Statement query(*database_, "SELECT message FROM study WHERE number = ?");
      query.bind(1, number);
      query.executeStep();
      return ParseColumn<v1::Study>(query.getColumn(0), "study " + study_id);
    });
  }

  absl::StatusOr<v1::StudySpec> GetSpec(const std::string& study_id) const override {
    return OfStudy<v1::StudySpec>(study_id, ReadSpec);
  }

  absl::StatusOr<v1::StudySpec> GetSpecWithoutProgram(const std::string& study_id) const override {
    return OfStudy<v1::StudySpec>(study_id, ReadSpecWithoutProgram);
  }

  absl::StatusOr<int64_t> ProgramBytes(const std::string& study_id) const override {
    return OfStudy<int64_t>(study_id, ReadProgramBytes);
  }

  absl::Status ReadProgram(const std::string& study_id,
                           const std::function<absl::Status(std::string piece)>& take) const override {
    TUNE_ASSIGN_OR_RETURN(const int64_t bytes, ProgramBytes(study_id));
    int64_t taken = 0;
    for (int64_t piece = 0; taken < bytes; ++piece) {
      using Piece = std::optional<std::string>;
      const auto read = [piece](SQLite::Database& database, int64_t study) -> absl::StatusOr<Piece> {
        return ReadProgramPiece(database, study, piece);
      };
      TUNE_ASSIGN_OR_RETURN(Piece data, OfStudy<Piece>(study_id, read));
      if (!data.has_value() && piece == 0) {
        TUNE_ASSIGN_OR_RETURN(const v1::StudySpec spec, GetSpec(study_id));
        return TakeInPieces(spec.program(), take);  // stored by an earlier version
      }
      if (!data.has_value()) return absl::DataLossError(study_id + ": a part of its program is missing");
      taken += static_cast<int64_t>(data->size());
      TUNE_RETURN_IF_ERROR(take(*std::move(data)));
    }
    return absl::OkStatus();
  }

  absl::StatusOr<v1::Study> FindRequest(const std::string& request_id) const override {
    return Guarded([&]() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) { return FindRequestLocked(request_id); });
  }

  absl::StatusOr<std::vector<v1::Study>> ListStudies(int64_t before, int limit) const override {
    return Guarded([&]() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
      SQLite::Statement query(*database_,
                              "SELECT message FROM study WHERE number < ? ORDER BY number DESC LIMIT ?");
      query.bind(1, before);
      query.bind(2, limit);
      return ReadStudies(query);
    });
  }

  absl::StatusOr<int64_t> CountStudies() const override {
    return Guarded([&]() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) -> absl::StatusOr<int64_t> {
      return static_cast<int64_t>(database_->execAndGet("SELECT count(*) FROM study").getInt64());
    });
  }

  absl::StatusOr<std::vector<v1::Study>> UnfinishedStudies() const override {
    return Guarded([&]() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
      SQLite::Statement query(*database_,
                              "SELECT message FROM study WHERE state NOT IN (?, ?, ?) OR number IN "
                              "(SELECT study FROM candidate WHERE state IN (1, 2)) ORDER BY number");
      query.bind(1, v1::DONE);
      query.bind(2, v1::FAILED);
      query.bind(3, v1::STOPPED);
      return ReadStudies(query);
    });
  }

  absl::StatusOr<std::vector<StoredCandidate>> ListCandidates(const std::string& study_id,
                                                              const CandidateRange& range) const override {
    using Result = absl::StatusOr<std::vector<StoredCandidate>>;
    return Guarded([&]() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) -> Result {
      TUNE_ASSIGN_OR_RETURN(const int64_t number, NumberOf(study_id));
      const std::string columns = range.with_texts ? kColumnsWithTexts : kColumns;
      SQLite::Statement query(*database_, "SELECT " + columns +
                                              " FROM candidate WHERE study = ? AND idx >= ? ORDER BY idx "
                                              "LIMIT ?");
      query.bind(1, number);
      query.bind(2, range.first_index);
      query.bind(3, range.limit);
      std::vector<StoredCandidate> result;
      while (query.executeStep()) {
        TUNE_ASSIGN_OR_RETURN(StoredCandidate stored, ReadCandidate(query, range.with_texts));
        result.push_back(std::move(stored));
      }
      return result;
    });
  }

  // The columns after the texts are not asked for: to get at them SQLite would read the texts.
  absl::Status ReadCandidates(const std::string& study_id, int64_t first_index, int64_t limit,
                              CandidatePage* page) const override {
    page->Clear();
    return Guarded([&]() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) -> absl::Status {
      TUNE_ASSIGN_OR_RETURN(const int64_t number, NumberOf(study_id));
      SQLite::Statement query(
          *database_, "SELECT message FROM candidate WHERE study = ? AND idx >= ? ORDER BY idx LIMIT ?");
      query.bind(1, number);
      query.bind(2, first_index);
      query.bind(3, limit);
      while (query.executeStep()) {
        const SQLite::Column message = query.getColumn(0);
        if (!page->Add()->ParseFromArray(message.getBlob(), message.getBytes())) {
          return absl::DataLossError("the stored candidate cannot be read");
        }
      }
      return absl::OkStatus();
    });
  }

  absl::StatusOr<StoredCandidate> GetCandidate(const std::string& study_id, int64_t index) const override {
    return Guarded([&]() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) -> absl::StatusOr<StoredCandidate> {
      TUNE_ASSIGN_OR_RETURN(const int64_t number, NumberOf(study_id));
      SQLite::Statement query(*database_, absl::StrCat("SELECT ", kColumnsWithTexts,
                                                       " FROM candidate WHERE study = ? AND idx = ?"));
      query.bind(1, number);
      query.bind(2, index);
      if (!query.executeStep()) return NoSuchCandidate(study_id, index);
      return ReadCandidate(query, /*with_texts=*/true);
    });
  }

  absl::StatusOr<std::vector<ExtraSample>> ListExtraSamples(const std::string& study_id) const override {
    using Result = absl::StatusOr<std::vector<ExtraSample>>;
    return Guarded([&]() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) -> Result {
      TUNE_ASSIGN_OR_RETURN(const int64_t number, NumberOf(study_id));
      SQLite::Statement query(*database_,
                              "SELECT idx, lease_id, received_ms, message FROM extra_sample WHERE study = ? "
                              "ORDER BY idx, number");
      query.bind(1, number);
      std::vector<ExtraSample> result;
      while (query.executeStep()) {
        ExtraSample& sample = result.emplace_back();
        sample.candidate_index = query.getColumn(0).getInt64();
        sample.lease_id = query.getColumn(1).getString();
        sample.received = absl::FromUnixMillis(query.getColumn(2).getInt64());
        TUNE_ASSIGN_OR_RETURN(sample.evaluation, ParseColumn<v1::Evaluation>(query.getColumn(3), "sample"));
      }
      return result;
    });
  }

  absl::StatusOr<v1::Explanation> GetSearchState(const std::string& study_id) const override {
    return Guarded([&]() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) -> absl::StatusOr<v1::Explanation> {
      TUNE_ASSIGN_OR_RETURN(const int64_t number, NumberOf(study_id));
      SQLite::Statement query(*database_, "SELECT message FROM search_state WHERE study = ?");
      query.bind(1, number);
      if (!query.executeStep()) return NoSearchState(study_id);
      return ParseColumn<v1::Explanation>(query.getColumn(0), "search state of " + study_id);
    });
  }

  absl::StatusOr<std::vector<v1::Inspection>> ListInspections(const std::string& study_id) const override {
    return OfStudy<std::vector<v1::Inspection>>(study_id, ReadInspections);
  }

  absl::StatusOr<std::vector<StudyKey>> FindKeys(const std::string& shape) const override {
    return Guarded([&]() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) -> absl::StatusOr<std::vector<StudyKey>> {
      return FindStoredKeys(*database_, shape);
    });
  }

  absl::StatusOr<std::vector<StudyKey>> ListKeys() const override {
    return Guarded([&]() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) -> absl::StatusOr<std::vector<StudyKey>> {
      return ListStoredKeys(*database_);
    });
  }

  using Store::AddWholeStudies;
  absl::StatusOr<std::vector<AddedStudy>> AddWholeStudies(std::vector<StudyKey> keys,
                                                          const NextStudy& next) override {
    using Result = absl::StatusOr<std::vector<AddedStudy>>;
    return Written([&]() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) -> Result {
      SQLite::Transaction transaction(*database_, SQLite::TransactionBehavior::IMMEDIATE);
      std::vector<AddedStudy> added;
      for (StudyKey& key : keys) {
        TUNE_ASSIGN_OR_RETURN(const StoredStudy study, next());
        TUNE_ASSIGN_OR_RETURN(AddedStudy one, AddWholeStudy(study, &key));
        added.push_back(std::move(one));
      }
      transaction.commit();
      return added;
    });
  }

  absl::StatusOr<TextUse> RemoveTexts(const std::string& study_id, const std::set<int64_t>& keep,
                                      bool dry_run) override {
    return Written([&]() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) -> absl::StatusOr<TextUse> {
      TUNE_ASSIGN_OR_RETURN(const int64_t number, NumberOf(study_id));
      return RemoveStoredTexts(*database_, number, keep, dry_run);
    });
  }

  absl::Status RemoveStudy(const std::string& study_id) override {
    return Written([&]() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) -> absl::Status {
      TUNE_ASSIGN_OR_RETURN(const int64_t number, NumberOf(study_id));
      RemoveStoredStudy(*database_, number);
      return absl::OkStatus();
    });
  }

  absl::Status Compact() override {
    return Written([&]() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) -> absl::Status {
      CompactFile(*database_);
      return absl::OkStatus();
    });
  }

  absl::StatusOr<int64_t> Size() const override {
    return Guarded([&]() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) -> absl::StatusOr<int64_t> {
      return SizeOfFile(*database_);
    });
  }

  absl::Status Backup(const std::string& path) const override {
    std::unique_ptr<FileBackup> backup;
    TUNE_RETURN_IF_ERROR(Guarded([&]() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) -> absl::Status {
      TUNE_ASSIGN_OR_RETURN(backup, FileBackup::Begin(*database_, path));
      return absl::OkStatus();
    }));
    // The lock is let go between the steps. What is written meanwhile goes into the copy as well, since it
    // comes over the same connection.
    bool more = true;
    while (more) {
      TUNE_RETURN_IF_ERROR(Guarded([&]() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) -> absl::Status {
        more = backup->Step();
        if (!more) backup->Finish();
        return absl::OkStatus();
      }));
    }
    return absl::OkStatus();
  }

  absl::Status CheckWritable() const override {
    TUNE_RETURN_IF_ERROR(file_.CheckInPlace());
    TUNE_RETURN_IF_ERROR(file_.CheckSpace());
    if (!write_failed_) return absl::OkStatus();
    // The cause may have passed. SQLite writes nothing where bytes do not change.
    return Written([&]() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) -> absl::Status {
      SQLite::Transaction transaction(*database_, SQLite::TransactionBehavior::IMMEDIATE);
      database_->exec("UPDATE last_study SET number = number + 1");
      database_->exec("UPDATE last_study SET number = number - 1");
      transaction.commit();
      return absl::OkStatus();
    });
  }

  std::string Path() const override { return path_; }
  int SchemaVersion() const override { return kSchemaVersion; }

 private:
  // Runs `body` under the lock; SQLite's exceptions become its status.
  template <typename Body>
  auto Guarded(Body&& body) const -> decltype(body()) {
    absl::MutexLock lock(&mutex_);
    try {
      return body();
    } catch (const SQLite::Exception& error) {
      return SqliteStatus(path_, error);
    }
  }

  // Guarded, for bodies that write: what is in a file that the path does not name, before or after, is not
  // stored.
  template <typename Body>
  auto Written(Body&& body) const -> decltype(body()) {
    absl::Status in_place = file_.CheckInPlace();
    if (in_place.ok()) {
      decltype(body()) result = Guarded(body);
      const absl::Status status = StatusOf(result);
      write_failed_ =
          absl::IsUnavailable(status) || absl::IsResourceExhausted(status) || absl::IsDataLoss(status);
      in_place = file_.CheckInPlace();
      if (in_place.ok()) return result;
    }
    Rescue(in_place);
    return in_place;
  }
  static const absl::Status& StatusOf(const absl::Status& status) { return status; }
  template <typename Value>
  static const absl::Status& StatusOf(const absl::StatusOr<Value>& result) {
    return result.status();
  }

  // Once, copies all that is stored to where it can be found: the open file goes with the process.
  void Rescue(const absl::Status& reason) const {
    if (!rescued_.exchange(true))
      file_.Rescue(reason, [this](const std::string& copy) { return Backup(copy); });
  }

  // What `read` finds of the study with this id.
  template <typename Result, typename Read>
  absl::StatusOr<Result> OfStudy(const std::string& study_id, Read read) const {
    return Guarded([&]() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) -> absl::StatusOr<Result> {
      TUNE_ASSIGN_OR_RETURN(const int64_t number, NumberOf(study_id));
      return read(*database_, number);
    });
  }

  // Study, spec and key under the next number. Within a transaction.
  v1::Study InsertStudy(const v1::Study& study, const v1::StudySpec& spec, const std::string& charged_to,
                        const std::string& request_id, StudyKey* key) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
    database_->exec("UPDATE last_study SET number = number + 1");
    const int64_t number = database_->execAndGet("SELECT number FROM last_study").getInt64();
    v1::Study added = study;
    added.set_id(StudyIdOf(number));
    SQLite::Statement insert(*database_,
                             "INSERT INTO study (number, request_id, state, message) VALUES (?, ?, ?, ?)");
    insert.bind(1, number);
    request_id.empty() ? insert.bind(2) : insert.bind(2, request_id);
    insert.bind(3, added.state());
    BindBlob(insert, 4, added.SerializeAsString());
    insert.exec();
    PutSpec(*database_, number, spec, charged_to);
    UpdateKey(added, key);
    AddKey(*database_, *key);
    return added;
  }

  // Within a transaction.
  absl::StatusOr<AddedStudy> AddWholeStudy(const StoredStudy& whole, StudyKey* key)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
    AddedStudy result;
    if (const int64_t known = FindOrigin(*database_, whole.study.provenance().fingerprint()); known != 0) {
      result.duplicate = true;
      SQLite::Statement query(*database_, "SELECT message FROM study WHERE number = ?");
      query.bind(1, known);
      query.executeStep();
      TUNE_ASSIGN_OR_RETURN(result.study, ParseColumn<v1::Study>(query.getColumn(0), "study"));
      return result;
    }
    result.study = InsertStudy(whole.study, whole.spec, whole.charged_to, "", key);
    const int64_t number = StudyNumberOf(result.study.id()).value();
    for (const StoredCandidate& stored : whole.candidates) PutCandidate(statements_, number, stored);
    for (const ExtraSample& sample : whole.extra_samples) PutExtraSample(*database_, number, sample);
    if (whole.search_state.has_value()) PutSearchState(*database_, number, *whole.search_state);
    PutInspections(*database_, number, whole.inspections);
    return result;
  }

  // NOT_FOUND when there is no such study.
  absl::StatusOr<int64_t> NumberOf(const std::string& study_id) const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
    const absl::StatusOr<int64_t> number = StudyNumberOf(study_id);
    if (!number.ok()) return NoSuchStudy(study_id);
    SQLite::Statement query(*database_, "SELECT 1 FROM study WHERE number = ?");
    query.bind(1, *number);
    if (!query.executeStep()) return NoSuchStudy(study_id);
    return *number;
  }

  absl::StatusOr<v1::Study> FindRequestLocked(const std::string& request_id) const
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
    SQLite::Statement query(*database_, "SELECT message FROM study WHERE request_id = ?");
    query.bind(1, request_id);
    if (!query.executeStep()) return absl::NotFoundError("no study was made by this request");
    return ParseColumn<v1::Study>(query.getColumn(0), "study");
  }

  static absl::StatusOr<std::vector<v1::Study>> ReadStudies(SQLite::Statement& query) {
    std::vector<v1::Study> result;
    while (query.executeStep()) {
      TUNE_ASSIGN_OR_RETURN(v1::Study study, ParseColumn<v1::Study>(query.getColumn(0), "study"));
      result.push_back(std::move(study));
    }
    return result;
  }

  const std::string path_;
  const DatabaseFile file_;
  mutable std::atomic<bool> write_failed_ = false;  // the last one, by a fault of the file
  mutable std::atomic<bool> rescued_ = false;
  mutable absl::Mutex mutex_;
  const std::unique_ptr<SQLite::Database> database_ ABSL_PT_GUARDED_BY(mutex_);
  PreparedStatements statements_ ABSL_GUARDED_BY(mutex_){database_.get()};
};

}  // namespace

absl::StatusOr<std::unique_ptr<Store>> OpenSqliteStore(const std::string& path, ScopIdentifier identify) {
  TUNE_ASSIGN_OR_RETURN(std::unique_ptr<SQLite::Database> database, OpenSqliteFile(path, identify));
  TUNE_ASSIGN_OR_RETURN(const DatabaseFile file, DatabaseFile::Of(path));
  return std::make_unique<SqliteStore>(std::move(database), path, file, std::move(identify));
}

}  // namespace tune
