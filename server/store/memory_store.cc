// The store as plain maps: for --database :memory: and as the contract's second witness.
#include <algorithm>
#include <map>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"
#include "common/base/secret.h"
#include "common/evaluation/outcome.h"
#include "server/store/schema.h"
#include "server/store/store.h"

namespace tune {
namespace {

struct StudyData {
  v1::Study study;
  v1::StudySpec spec;
  std::map<int64_t, StoredCandidate> candidates;
  std::vector<ExtraSample> extra_samples;
  std::optional<v1::Explanation> search_state;
  std::map<int64_t, v1::Inspection> inspections;
  StudyKey key;
  std::string charged_to;
};

// Bytes of the texts that are given up; with `remove` they are.
int64_t TakeTexts(v1::Evaluation* evaluation, bool remove) {
  const bool has_log = !evaluation->log().empty() && evaluation->log() != kRemovedLog;
  const size_t bytes =
      (has_log ? evaluation->log().size() : 0) + evaluation->code().size() + evaluation->device_file().size();
  if (!remove) return static_cast<int64_t>(bytes);
  if (has_log) evaluation->set_log(kRemovedLog);
  evaluation->clear_code();
  evaluation->clear_device_file();
  return static_cast<int64_t>(bytes);
}

bool HasOpenCandidate(const StudyData& data) {
  return std::any_of(data.candidates.begin(), data.candidates.end(), [](const auto& entry) {
    const v1::CandidateState state = entry.second.candidate.state();
    return state == v1::PENDING || state == v1::LEASED;
  });
}

class MemoryStore : public Store {
 public:
  explicit MemoryStore(ScopIdentifier identify) : Store(std::move(identify)) {}

  absl::StatusOr<int64_t> BeginRun(absl::Time) override {
    absl::MutexLock lock(&mutex_);
    return ++runs_;
  }

  absl::StatusOr<std::string> LeaseKey() override { return lease_key_; }

  absl::StatusOr<int64_t> BytesOf(const std::string& owner) const override {
    absl::MutexLock lock(&mutex_);
    int64_t bytes = 0;
    for (const auto& [number, data] : studies_) {
      if (data.charged_to == owner) bytes += static_cast<int64_t>(data.spec.ByteSizeLong());
    }
    return bytes;
  }

  absl::StatusOr<v1::Study> AddStudy(const v1::Study& study, const v1::StudySpec& spec,
                                     const std::string& request_id) override {
    TUNE_ASSIGN_OR_RETURN(StudyKey key, KeyOf(spec));
    absl::MutexLock lock(&mutex_);
    if (const auto known = requests_.find(request_id); !request_id.empty() && known != requests_.end()) {
      return studies_.at(known->second).study;
    }
    StudyData& data = Insert(study, spec, std::move(key));
    data.charged_to = spec.owner();
    if (!request_id.empty()) requests_[request_id] = last_study_;
    return data.study;
  }

  absl::Status Apply(const StudyChange& change) override {
    absl::MutexLock lock(&mutex_);
    TUNE_ASSIGN_OR_RETURN(StudyData * data, Find(change.study_id));
    if (change.study.has_value()) {
      data->study = *change.study;
      UpdateKey(data->study, &data->key);
    }
    for (const StoredCandidate& stored : change.candidates)
      data->candidates[stored.candidate.index()] = stored;
    for (const ExtraSample& sample : change.extra_samples) AddExtraSample(data, sample);
    if (change.search_state.has_value()) data->search_state = change.search_state;
    for (const v1::Inspection& inspection : change.inspections)
      data->inspections[inspection.index()] = inspection;
    return absl::OkStatus();
  }

  absl::StatusOr<v1::Study> GetStudy(const std::string& study_id) const override {
    absl::MutexLock lock(&mutex_);
    TUNE_ASSIGN_OR_RETURN(const StudyData* data, Find(study_id));
    return data->study;
  }

  absl::StatusOr<v1::StudySpec> GetSpec(const std::string& study_id) const override {
    absl::MutexLock lock(&mutex_);
    TUNE_ASSIGN_OR_RETURN(const StudyData* data, Find(study_id));
    return data->spec;
  }

  absl::StatusOr<v1::StudySpec> GetSpecWithoutProgram(const std::string& study_id) const override {
    TUNE_ASSIGN_OR_RETURN(v1::StudySpec spec, GetSpec(study_id));
    spec.clear_program();
    return spec;
  }

  absl::StatusOr<int64_t> ProgramBytes(const std::string& study_id) const override {
    TUNE_ASSIGN_OR_RETURN(const v1::StudySpec spec, GetSpec(study_id));
    return static_cast<int64_t>(spec.program().ByteSizeLong());
  }

  absl::Status ReadProgram(const std::string& study_id,
                           const std::function<absl::Status(std::string piece)>& take) const override {
    TUNE_ASSIGN_OR_RETURN(const v1::StudySpec spec, GetSpec(study_id));
    return TakeInPieces(spec.program(), take);
  }

  absl::StatusOr<v1::Study> FindRequest(const std::string& request_id) const override {
    absl::MutexLock lock(&mutex_);
    const auto known = requests_.find(request_id);
    if (known == requests_.end()) return absl::NotFoundError("no study was made by this request");
    return studies_.at(known->second).study;
  }

  absl::StatusOr<std::vector<v1::Study>> ListStudies(int64_t before, int limit) const override {
    absl::MutexLock lock(&mutex_);
    std::vector<v1::Study> result;
    for (auto it = studies_.rbegin(); it != studies_.rend() && static_cast<int>(result.size()) < limit;
         ++it) {
      if (it->first < before) result.push_back(it->second.study);
    }
    return result;
  }

  absl::StatusOr<int64_t> CountStudies() const override {
    absl::MutexLock lock(&mutex_);
    return static_cast<int64_t>(studies_.size());
  }

  absl::StatusOr<std::vector<v1::Study>> UnfinishedStudies() const override {
    absl::MutexLock lock(&mutex_);
    std::vector<v1::Study> result;
    for (const auto& [number, data] : studies_) {
      if (!IsFinished(data.study.state()) || HasOpenCandidate(data)) result.push_back(data.study);
    }
    return result;
  }

  absl::StatusOr<std::vector<StoredCandidate>> ListCandidates(const std::string& study_id,
                                                              const CandidateRange& range) const override {
    absl::MutexLock lock(&mutex_);
    TUNE_ASSIGN_OR_RETURN(const StudyData* data, Find(study_id));
    std::vector<StoredCandidate> result;
    for (auto it = data->candidates.lower_bound(range.first_index);
         it != data->candidates.end() && static_cast<int64_t>(result.size()) < range.limit; ++it) {
      result.push_back(it->second);
      if (range.with_texts || !result.back().candidate.has_evaluation()) continue;
      result.back().candidate.mutable_evaluation()->clear_log();
      result.back().candidate.mutable_evaluation()->clear_code();
      result.back().candidate.mutable_evaluation()->clear_device_file();
    }
    return result;
  }

  absl::Status ReadCandidates(const std::string& study_id, int64_t first_index, int64_t limit,
                              CandidatePage* page) const override {
    page->Clear();
    TUNE_ASSIGN_OR_RETURN(const std::vector<StoredCandidate> listed,
                          ListCandidates(study_id, {first_index, limit, false}));
    for (const StoredCandidate& stored : listed) *page->Add() = stored.candidate;
    return absl::OkStatus();
  }

  absl::StatusOr<StoredCandidate> GetCandidate(const std::string& study_id, int64_t index) const override {
    absl::MutexLock lock(&mutex_);
    TUNE_ASSIGN_OR_RETURN(const StudyData* data, Find(study_id));
    const auto found = data->candidates.find(index);
    if (found == data->candidates.end()) return NoSuchCandidate(study_id, index);
    return found->second;
  }

  absl::StatusOr<std::vector<ExtraSample>> ListExtraSamples(const std::string& study_id) const override {
    absl::MutexLock lock(&mutex_);
    TUNE_ASSIGN_OR_RETURN(const StudyData* data, Find(study_id));
    std::vector<ExtraSample> samples = data->extra_samples;
    std::stable_sort(samples.begin(), samples.end(), [](const ExtraSample& a, const ExtraSample& b) {
      return a.candidate_index < b.candidate_index;
    });
    return samples;
  }

  absl::StatusOr<v1::Explanation> GetSearchState(const std::string& study_id) const override {
    absl::MutexLock lock(&mutex_);
    TUNE_ASSIGN_OR_RETURN(const StudyData* data, Find(study_id));
    if (!data->search_state.has_value()) return NoSearchState(study_id);
    return *data->search_state;
  }

  absl::StatusOr<std::vector<v1::Inspection>> ListInspections(const std::string& study_id) const override {
    absl::MutexLock lock(&mutex_);
    TUNE_ASSIGN_OR_RETURN(const StudyData* data, Find(study_id));
    std::vector<v1::Inspection> inspections;
    for (const auto& [index, inspection] : data->inspections) inspections.push_back(inspection);
    return inspections;
  }

  absl::StatusOr<std::vector<StudyKey>> FindKeys(const std::string& shape) const override {
    absl::MutexLock lock(&mutex_);
    std::vector<StudyKey> keys;
    for (auto it = studies_.rbegin(); it != studies_.rend(); ++it) {
      if (!shape.empty() && it->second.key.shape == shape) keys.push_back(it->second.key);
    }
    return keys;
  }

  absl::StatusOr<std::vector<StudyKey>> ListKeys() const override {
    absl::MutexLock lock(&mutex_);
    std::vector<StudyKey> keys;
    for (const auto& [number, data] : studies_) keys.push_back(data.key);
    return keys;
  }

  using Store::AddWholeStudies;
  absl::StatusOr<std::vector<AddedStudy>> AddWholeStudies(std::vector<StudyKey> keys,
                                                          const NextStudy& next) override {
    absl::MutexLock lock(&mutex_);
    std::vector<StoredStudy> studies;
    for (size_t i = 0; i < keys.size(); ++i) {
      TUNE_ASSIGN_OR_RETURN(StoredStudy study, next());
      studies.push_back(std::move(study));
    }
    std::vector<AddedStudy> added;
    for (size_t i = 0; i < studies.size(); ++i) added.push_back(AddWholeStudy(studies[i], keys[i]));
    return added;
  }

  absl::StatusOr<TextUse> RemoveTexts(const std::string& study_id, const std::set<int64_t>& keep,
                                      bool dry_run) override {
    absl::MutexLock lock(&mutex_);
    TUNE_ASSIGN_OR_RETURN(StudyData * data, Find(study_id));
    TextUse use;
    const auto take = [&](v1::Evaluation* evaluation) {
      const int64_t bytes = TakeTexts(evaluation, !dry_run);
      use.bytes += bytes;
      use.texts += bytes > 0;
    };
    for (auto& [index, stored] : data->candidates) {
      if (keep.count(index) == 0 && stored.candidate.has_evaluation())
        take(stored.candidate.mutable_evaluation());
    }
    for (ExtraSample& sample : data->extra_samples) take(&sample.evaluation);
    return use;
  }

  absl::Status RemoveStudy(const std::string& study_id) override {
    absl::MutexLock lock(&mutex_);
    TUNE_RETURN_IF_ERROR(Find(study_id).status());
    const int64_t number = StudyNumberOf(study_id).value();
    studies_.erase(number);
    for (auto it = requests_.begin(); it != requests_.end();)
      it = it->second == number ? requests_.erase(it) : std::next(it);
    return absl::OkStatus();
  }

  absl::Status Compact() override { return absl::OkStatus(); }
  absl::StatusOr<int64_t> Size() const override { return 0; }
  absl::Status Backup(const std::string&) const override {
    return absl::FailedPreconditionError(
        "the server keeps its data in memory: start it with --database FILE to have something to back up");
  }

  absl::Status CheckWritable() const override { return absl::OkStatus(); }
  std::string Path() const override { return ""; }
  int SchemaVersion() const override { return kSchemaVersion; }

 private:
  StudyData& Insert(const v1::Study& study, const v1::StudySpec& spec, StudyKey key)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
    StudyData& data = studies_[++last_study_];
    data.study = study;
    data.study.set_id(StudyIdOf(last_study_));
    data.spec = spec;
    data.key = std::move(key);
    UpdateKey(data.study, &data.key);
    return data;
  }

  AddedStudy AddWholeStudy(const StoredStudy& whole, const StudyKey& key)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
    const std::string& origin = whole.study.provenance().fingerprint();
    for (const auto& [number, data] : studies_) {
      if (!origin.empty() && data.key.origin == origin) return {data.study, true};
    }
    StudyData& data = Insert(whole.study, whole.spec, key);
    data.charged_to = whole.charged_to;
    for (const StoredCandidate& stored : whole.candidates) data.candidates[stored.candidate.index()] = stored;
    for (const ExtraSample& sample : whole.extra_samples) AddExtraSample(&data, sample);
    data.search_state = whole.search_state;
    for (const v1::Inspection& inspection : whole.inspections)
      data.inspections[inspection.index()] = inspection;
    return {data.study, false};
  }

  absl::StatusOr<StudyData*> Find(const std::string& study_id) const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
    const absl::StatusOr<int64_t> number = StudyNumberOf(study_id);
    const auto found = number.ok() ? studies_.find(*number) : studies_.end();
    if (found == studies_.end()) return NoSuchStudy(study_id);
    return const_cast<StudyData*>(&found->second);
  }

  static void AddExtraSample(StudyData* data, const ExtraSample& sample) {
    for (const ExtraSample& known : data->extra_samples) {
      if (known.candidate_index == sample.candidate_index && known.lease_id == sample.lease_id) return;
    }
    data->extra_samples.push_back(sample);
  }

  mutable absl::Mutex mutex_;
  const std::string lease_key_ = MakeSecret();
  int64_t runs_ ABSL_GUARDED_BY(mutex_) = 0;
  int64_t last_study_ ABSL_GUARDED_BY(mutex_) = 0;  // highest number given so far
  std::map<int64_t, StudyData> studies_ ABSL_GUARDED_BY(mutex_);
  std::map<std::string, int64_t> requests_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace

std::unique_ptr<Store> MakeMemoryStore(ScopIdentifier identify) {
  return std::make_unique<MemoryStore>(std::move(identify));
}

}  // namespace tune
