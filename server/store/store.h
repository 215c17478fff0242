// Everything that must survive the server: studies, candidates with their evaluations, extra samples,
// inspections.
#pragma once

#include <google/protobuf/arena.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "absl/time/time.h"
#include "common/base/status.h"
#include "server/store/study_key.h"
#include "tune/v1/explanation.pb.h"
#include "tune/v1/inspection.pb.h"
#include "tune/v1/study.pb.h"

namespace tune {

// A candidate and the lease whose result became its evaluation ("" while there is none).
struct StoredCandidate {
  v1::Candidate candidate;
  std::string lease_id;
};

// A result that came too late to be a candidate's evaluation, or that repeats a known one.
struct ExtraSample {
  int64_t candidate_index = 0;
  std::string lease_id;
  absl::Time received;
  v1::Evaluation evaluation;
};

// One atomic change of one study: all of it is stored or nothing.
struct StudyChange {
  std::string study_id;
  std::optional<v1::Study> study;               // replaces the stored one; its id is study_id
  std::vector<StoredCandidate> candidates;      // each replaces the one of the same index
  std::vector<ExtraSample> extra_samples;       // one already stored under its lease stays as it is
  std::optional<v1::Explanation> search_state;  // replaces the stored one
  std::vector<v1::Inspection> inspections;      // each replaces the one of the same index
};

// A whole study, as it comes from elsewhere.
struct StoredStudy {
  v1::Study study;  // provenance set; its id does not count
  v1::StudySpec spec;
  std::vector<StoredCandidate> candidates;
  std::vector<ExtraSample> extra_samples;
  std::optional<v1::Explanation> search_state;
  std::string charged_to;  // whose bytes these are
  std::vector<v1::Inspection> inspections = {};
};

// The next of some whole studies.
using NextStudy = std::function<absl::StatusOr<StoredStudy>()>;

struct AddedStudy {
  v1::Study study;         // as it is here
  bool duplicate = false;  // it was here before; nothing was added
};

// Texts given up, or that could be.
struct TextUse {
  int64_t texts = 0;  // candidates and extra samples that had any
  int64_t bytes = 0;
};

// Which candidates to read.
struct CandidateRange {
  int64_t first_index = 0;
  int64_t limit = INT64_MAX;
  bool with_texts = false;  // also Evaluation.log, .code and .device_file, which are long
};

// Candidates in memory that is given up as a whole, for those who read many. Movable; not thread safe.
class CandidatePage {
 public:
  v1::Candidate* Add() {
    candidates_.push_back(google::protobuf::Arena::CreateMessage<v1::Candidate>(arena_.get()));
    return candidates_.back();
  }
  void Clear() {
    candidates_.clear();
    arena_->Reset();
  }
  size_t size() const { return candidates_.size(); }
  const v1::Candidate& operator[](size_t i) const { return *candidates_[i]; }

 private:
  std::unique_ptr<google::protobuf::Arena> arena_ = std::make_unique<google::protobuf::Arena>();
  std::vector<v1::Candidate*> candidates_;
};

inline constexpr int kProgramPieceBytes = 1 << 20;

// When a call that writes returns OK, its data survives a crash of process and machine. Thread safe.
// Errors: NOT_FOUND for an unknown study or candidate; UNAVAILABLE or RESOURCE_EXHAUSTED (disk full)
// from the file, with nothing changed; DATA_LOSS for a row that cannot be read, and from calls that write
// once the file was deleted or replaced under way.
class Store {
 public:
  virtual ~Store() = default;

  // The identity of a scop, as the keys have it. May take as long as its identifier does; no lock of the
  // store is held meanwhile, here and when studies are added. Errors are the identifier's.
  absl::StatusOr<ScopIdentity> Identify(const v1::Scop& scop) const { return identify_(scop); }

  // Number of this run of the server: 1 for the first on this store, then 2, 3, ...
  virtual absl::StatusOr<int64_t> BeginRun(absl::Time now) = 0;
  // A secret of this store, the same in every run: what seals the names of leases.
  virtual absl::StatusOr<std::string> LeaseKey() = 0;

  // Bytes of all programs and specs that were submitted by, or charged to, this owner.
  virtual absl::StatusOr<int64_t> BytesOf(const std::string& owner) const = 0;
  // Adds a study, whose bytes are its spec's owner's, and returns it with its id set ("s1", "s2", ...). With
  // a request_id (not empty) that was used before, adds nothing and returns the study made then.
  virtual absl::StatusOr<v1::Study> AddStudy(const v1::Study& study, const v1::StudySpec& spec,
                                             const std::string& request_id) = 0;
  virtual absl::Status Apply(const StudyChange& change) = 0;

  virtual absl::StatusOr<v1::Study> GetStudy(const std::string& study_id) const = 0;
  virtual absl::StatusOr<v1::StudySpec> GetSpec(const std::string& study_id) const = 0;
  // All of it but the program, which is large.
  virtual absl::StatusOr<v1::StudySpec> GetSpecWithoutProgram(const std::string& study_id) const = 0;
  // Bytes of the serialized program; 0: there is none.
  virtual absl::StatusOr<int64_t> ProgramBytes(const std::string& study_id) const = 0;
  // Calls `take` with the serialized program in pieces of at most kProgramPieceBytes, in order; other calls
  // go on meanwhile. Ends with its first error.
  virtual absl::Status ReadProgram(const std::string& study_id,
                                   const std::function<absl::Status(std::string piece)>& take) const = 0;
  // NOT_FOUND when no study was made with it.
  virtual absl::StatusOr<v1::Study> FindRequest(const std::string& request_id) const = 0;
  // Newest first, those older than `before` (a study's number; INT64_MAX: from the newest).
  virtual absl::StatusOr<std::vector<v1::Study>> ListStudies(int64_t before, int limit) const = 0;
  virtual absl::StatusOr<int64_t> CountStudies() const = 0;
  // Those not DONE, FAILED or STOPPED, and those with a candidate not evaluated (a replay). Oldest first.
  virtual absl::StatusOr<std::vector<v1::Study>> UnfinishedStudies() const = 0;

  // In order of index.
  virtual absl::StatusOr<std::vector<StoredCandidate>> ListCandidates(const std::string& study_id,
                                                                      const CandidateRange& range) const = 0;
  // The candidates alone, at most `limit` from an index on, without texts; `page` holds them and nothing
  // else.
  virtual absl::Status ReadCandidates(const std::string& study_id, int64_t first_index, int64_t limit,
                                      CandidatePage* page) const = 0;
  // With log, code and device_file.
  virtual absl::StatusOr<StoredCandidate> GetCandidate(const std::string& study_id, int64_t index) const = 0;
  // In order of index, then of arrival.
  virtual absl::StatusOr<std::vector<ExtraSample>> ListExtraSamples(const std::string& study_id) const = 0;
  // What the search had learned at its end. NOT_FOUND also where nobody has stored it.
  virtual absl::StatusOr<v1::Explanation> GetSearchState(const std::string& study_id) const = 0;
  // In order of index.
  virtual absl::StatusOr<std::vector<v1::Inspection>> ListInspections(const std::string& study_id) const = 0;

  // ---- look-up and exchange
  // Those of this shape, newest first. None for the empty shape.
  virtual absl::StatusOr<std::vector<StudyKey>> FindKeys(const std::string& shape) const = 0;
  // Of every study, oldest first.
  virtual absl::StatusOr<std::vector<StudyKey>> ListKeys() const = 0;
  // Adds as many studies as there are keys (KeyOfSpec) from `next`, in order, or none: also when `next` gives
  // an error, which is the result. One whose Provenance.fingerprint is that of a stored study, or of an
  // earlier one of the list, is not added again. `next` is called with the store's lock held.
  virtual absl::StatusOr<std::vector<AddedStudy>> AddWholeStudies(std::vector<StudyKey> keys,
                                                                  const NextStudy& next) = 0;
  // The same of studies in memory.
  absl::StatusOr<std::vector<AddedStudy>> AddWholeStudies(const std::vector<StoredStudy>& studies);

  // ---- retention
  // Gives up log, code and device_file of the study's candidates but those in `keep`, and of all its extra
  // samples; a log is replaced by kRemovedLog. With `dry_run` only counts.
  virtual absl::StatusOr<TextUse> RemoveTexts(const std::string& study_id, const std::set<int64_t>& keep,
                                              bool dry_run) = 0;
  // Removes study, spec, candidates, samples, inspections and search state. Its id is not given again.
  virtual absl::Status RemoveStudy(const std::string& study_id) = 0;
  // Gives the space of what was removed back to the file system. Other calls wait.
  virtual absl::Status Compact() = 0;
  // Bytes of the database; 0 for memory.
  virtual absl::StatusOr<int64_t> Size() const = 0;
  // Writes a consistent copy to `path`, which must not exist; other calls go on meanwhile.
  // FAILED_PRECONDITION for memory.
  virtual absl::Status Backup(const std::string& path) const = 0;

  // OK when the next result can be stored, as far as can be told. RESOURCE_EXHAUSTED (disk full), DATA_LOSS
  // (the file was deleted or replaced) or UNAVAILABLE, with the reason.
  virtual absl::Status CheckWritable() const = 0;

  // Path of the file; empty for memory.
  virtual std::string Path() const = 0;
  virtual int SchemaVersion() const = 0;

  // The first half of a study's key (study_key.h), by Identify.
  absl::StatusOr<StudyKey> KeyOf(const v1::StudySpec& spec) const { return KeyOfSpec(spec, identify_); }

 protected:
  explicit Store(ScopIdentifier identify) : identify_(std::move(identify)) {}

 private:
  const ScopIdentifier identify_;
};

// What stands in place of a log that was given up.
inline constexpr char kRemovedLog[] = "(removed by tunectl gc)";

// The serialized program in pieces, as ReadProgram gives them.
absl::Status TakeInPieces(const v1::Program& program,
                          const std::function<absl::Status(std::string piece)>& take);

// "s12" <-> 12. INVALID_ARGUMENT when the text is not a study's id.
std::string StudyIdOf(int64_t number);
absl::StatusOr<int64_t> StudyNumberOf(const std::string& study_id);

// Keeps everything in this process. `identify`: see Store::Identify.
std::unique_ptr<Store> MakeMemoryStore(ScopIdentifier identify = IdentifyScop);

// Opens or makes the SQLite database at `path` and locks it to this process. Its schema is brought up to date
// (a copy of an older file is kept beside it as PATH.schema-N) and checked. Nothing is changed when it is
// refused: FAILED_PRECONDITION (in use by another server; written by a newer program; another program's
// database) or DATA_LOSS (not a database, damaged), each with what to do.
absl::StatusOr<std::unique_ptr<Store>> OpenSqliteStore(const std::string& path,
                                                       ScopIdentifier identify = IdentifyScop);

// Puts a backup in the place of the database at `path`, which is kept beside it as PATH.replaced-N. Nothing
// is changed when it is refused: FAILED_PRECONDITION (a server uses the database; the backup is of a newer or
// another program), NOT_FOUND or DATA_LOSS (the backup cannot be read), each with what to do. Returns the
// name under which the database before is kept; empty: there was none.
absl::StatusOr<std::string> RestoreSqliteFile(const std::string& backup, const std::string& path);

}  // namespace tune
