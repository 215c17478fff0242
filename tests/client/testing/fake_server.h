// A server in this process, on a unix socket, that answers from what a test puts into it.
#pragma once

#include <grpcpp/server_builder.h>

#include <map>
#include <string>
#include <vector>

#include "absl/synchronization/mutex.h"
#include "common/base/file.h"
#include "common/base/fingerprint.h"
#include "common/rpc/channel.h"
#include "common/rpc/message_parts.h"
#include "common/rpc/status.h"
#include "tune/v1/exchange_service.grpc.pb.h"
#include "tune/v1/state_service.grpc.pb.h"
#include "tune/v1/study_service.grpc.pb.h"

namespace tune {

// Thread safe. Updates of a study reach its watchers at once.
class FakeServer final : public v1::StudyService::Service,
                         public v1::StateService::Service,
                         public v1::ExchangeService::Service {
 public:
  explicit FakeServer(const std::string& socket) : address_("unix:" + socket) { Start(); }
  ~FakeServer() { Stop(); }

  const std::string& address() const { return address_; }

  void Start() {
    {
      absl::MutexLock lock(&mutex_);
      stopping_ = false;
    }
    grpc::ServerBuilder builder;
    builder.AddListeningPort(address_, grpc::InsecureServerCredentials());
    builder.RegisterService(static_cast<v1::StudyService::Service*>(this));
    builder.RegisterService(static_cast<v1::StateService::Service*>(this));
    builder.RegisterService(static_cast<v1::ExchangeService::Service*>(this));
    server_ = builder.BuildAndStart();
  }

  void Stop() {
    {
      absl::MutexLock lock(&mutex_);
      stopping_ = true;
    }
    if (server_ != nullptr) server_->Shutdown();
    server_.reset();
  }

  void Put(const v1::Study& study) {
    absl::MutexLock lock(&mutex_);
    studies_[study.id()] = study;
    ++version_;
  }
  void Put(const std::string& study, const v1::Candidate& candidate) {
    absl::MutexLock lock(&mutex_);
    candidates_[study][candidate.index()] = candidate;
  }
  void Put(const std::string& study, const v1::StudySpec& spec) {
    absl::MutexLock lock(&mutex_);
    specs_[study] = spec;
  }
  void Put(const v1::WorkerView& worker) {
    absl::MutexLock lock(&mutex_);
    workers_.push_back(worker);
  }
  // Every later call fails with this.
  void FailWith(grpc::Status status) {
    absl::MutexLock lock(&mutex_);
    failure_ = std::move(status);
  }
  // Given to every study from its submission on.
  void SetOutcome(const v1::Study& outcome) {
    absl::MutexLock lock(&mutex_);
    outcome_ = outcome;
  }

  // What every look-up answers.
  void SetKnown(const v1::LookUpResponse& known) {
    absl::MutexLock lock(&mutex_);
    known_ = known;
  }
  // What every export and backup sends; with `whole` false without its fingerprint.
  void SetFile(const std::string& file, bool whole = true) {
    absl::MutexLock lock(&mutex_);
    file_ = file;
    whole_ = whole;
  }
  void SetImported(const v1::ImportStudiesResponse& imported) {
    absl::MutexLock lock(&mutex_);
    imported_ = imported;
  }
  void SetCollected(const v1::CollectGarbageResponse& collected) {
    absl::MutexLock lock(&mutex_);
    collected_ = collected;
  }
  std::vector<v1::ReportTriesRequest> tries() const {
    absl::MutexLock lock(&mutex_);
    return tries_;
  }
  std::vector<v1::LookUpRequest> look_ups() const {
    absl::MutexLock lock(&mutex_);
    return look_ups_;
  }
  std::vector<v1::ExportStudiesRequest> exports() const {
    absl::MutexLock lock(&mutex_);
    return exports_;
  }
  // Source and content of every import.
  std::vector<std::pair<std::string, std::string>> imports() const {
    absl::MutexLock lock(&mutex_);
    return imports_;
  }
  std::vector<v1::CollectGarbageRequest> policies() const {
    absl::MutexLock lock(&mutex_);
    return policies_;
  }

  std::vector<v1::SubmitRequest> submitted() const {
    absl::MutexLock lock(&mutex_);
    return submitted_;
  }
  std::vector<v1::ReplayRequest> replayed() const {
    absl::MutexLock lock(&mutex_);
    return replayed_;
  }
  std::vector<std::string> cancelled() const {
    absl::MutexLock lock(&mutex_);
    return cancelled_;
  }

  grpc::Status Submit(grpc::ServerContext*, grpc::ServerReader<v1::FilePart>* reader,
                      v1::SubmitResponse* response) override {
    v1::SubmitRequest request;
    const absl::Status read =
        ReadInParts([&](v1::FilePart* part) { return reader->Read(part); }, kMaxMessageBytes, &request);
    absl::MutexLock lock(&mutex_);
    if (!failure_.ok()) return failure_;
    if (!read.ok()) return ToGrpc(read);
    for (size_t i = 0; i < submitted_.size(); ++i) {
      if (submitted_[i].request_id() == request.request_id()) {
        *response->mutable_study() = studies_[absl::StrCat("s", i + 1)];
        return grpc::Status::OK;
      }
    }
    submitted_.push_back(request);
    v1::Study study = outcome_;
    study.set_id(absl::StrCat("s", submitted_.size()));
    study.set_name(request.spec().name());
    specs_[study.id()] = request.spec();
    studies_[study.id()] = study;
    ++version_;
    *response->mutable_study() = study;
    return grpc::Status::OK;
  }

  grpc::Status Cancel(grpc::ServerContext*, const v1::CancelRequest* request,
                      v1::CancelResponse* response) override {
    absl::MutexLock lock(&mutex_);
    const auto study = studies_.find(request->study_id());
    if (study == studies_.end()) return NoStudy(request->study_id());
    cancelled_.push_back(request->study_id());
    study->second.set_state(v1::STOPPED);
    ++version_;
    *response->mutable_study() = study->second;
    return grpc::Status::OK;
  }

  grpc::Status Replay(grpc::ServerContext*, const v1::ReplayRequest* request,
                      v1::ReplayResponse* response) override {
    absl::MutexLock lock(&mutex_);
    replayed_.push_back(*request);
    v1::Candidate candidate;
    candidate.set_index(100);
    *candidate.mutable_configuration() = request->configuration();
    candidate.set_origin(v1::REPLAY);
    candidate.set_state(v1::EVALUATED);
    candidate.mutable_evaluation()->set_outcome(v1::CORRECT);
    candidate.mutable_evaluation()->mutable_measurement()->set_median(0.002);
    candidates_[request->study_id()][100] = candidate;
    response->set_candidate_index(100);
    return grpc::Status::OK;
  }

  grpc::Status GetServerInfo(grpc::ServerContext*, const v1::GetServerInfoRequest*,
                             v1::ServerInfo* info) override {
    absl::MutexLock lock(&mutex_);
    info->set_version("0.2.0");
    info->set_studies(studies_.size());
    info->set_workers(workers_.size());
    return failure_;
  }

  // Pages of two, to exercise paging. Newest first: by id, downwards.
  grpc::Status ListStudies(grpc::ServerContext*, const v1::ListStudiesRequest* request,
                           v1::ListStudiesResponse* response) override {
    absl::MutexLock lock(&mutex_);
    if (!failure_.ok()) return failure_;
    auto next = studies_.rbegin();
    while (next != studies_.rend() && !request->page_token().empty() && next->first != request->page_token())
      ++next;
    for (; next != studies_.rend() && response->studies_size() < 2; ++next)
      *response->add_studies() = next->second;
    if (next != studies_.rend()) response->set_next_page_token(next->first);
    return grpc::Status::OK;
  }

  grpc::Status GetStudy(grpc::ServerContext*, const v1::GetStudyRequest* request, v1::Study* study) override {
    absl::MutexLock lock(&mutex_);
    if (!failure_.ok()) return failure_;
    if (studies_.count(request->study_id()) == 0) return NoStudy(request->study_id());
    *study = studies_[request->study_id()];
    return grpc::Status::OK;
  }

  grpc::Status WatchStudy(grpc::ServerContext* context, const v1::GetStudyRequest* request,
                          grpc::ServerWriter<v1::Study>* writer) override {
    int64_t seen = -1;
    while (!context->IsCancelled()) {
      v1::Study study;
      {
        absl::MutexLock lock(&mutex_);
        auto news = [&]() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) { return version_ != seen || stopping_; };
        if (!mutex_.AwaitWithTimeout(absl::Condition(&news), absl::Milliseconds(20))) continue;
        if (stopping_) return grpc::Status(grpc::StatusCode::CANCELLED, "");  // as a server does that ends
        if (!failure_.ok()) return failure_;
        if (studies_.count(request->study_id()) == 0) return NoStudy(request->study_id());
        seen = version_;
        study = studies_[request->study_id()];
      }
      if (!writer->Write(study)) break;
      if (study.state() == v1::DONE || study.state() == v1::FAILED || study.state() == v1::STOPPED) break;
    }
    return grpc::Status::OK;
  }

  grpc::Status ListCandidates(grpc::ServerContext*, const v1::ListCandidatesRequest* request,
                              v1::ListCandidatesResponse* response) override {
    absl::MutexLock lock(&mutex_);
    for (const auto& [index, candidate] : candidates_[request->study_id()]) {
      if (index < request->first_index()) continue;
      if (response->candidates_size() == 2) {
        response->set_more(true);
        break;
      }
      *response->add_candidates() = candidate;
    }
    return grpc::Status::OK;
  }

  grpc::Status GetCandidate(grpc::ServerContext*, const v1::GetCandidateRequest* request,
                            v1::Candidate* candidate) override {
    absl::MutexLock lock(&mutex_);
    const auto& of_study = candidates_[request->study_id()];
    const auto found = of_study.find(request->index());
    if (found == of_study.end()) return {grpc::StatusCode::NOT_FOUND, "no such candidate"};
    *candidate = found->second;
    return grpc::Status::OK;
  }

  grpc::Status GetStudySpec(grpc::ServerContext*, const v1::GetStudyRequest* request,
                            grpc::ServerWriter<v1::FilePart>* writer) override {
    absl::MutexLock lock(&mutex_);
    if (specs_.count(request->study_id()) == 0) return NoStudy(request->study_id());
    SendInParts(specs_[request->study_id()], [&](const v1::FilePart& part) { return writer->Write(part); });
    return grpc::Status::OK;
  }

  grpc::Status ListWorkers(grpc::ServerContext*, const v1::ListWorkersRequest*,
                           v1::ListWorkersResponse* response) override {
    absl::MutexLock lock(&mutex_);
    for (const auto& worker : workers_) *response->add_workers() = worker;
    return grpc::Status::OK;
  }

  grpc::Status LookUp(grpc::ServerContext*, const v1::LookUpRequest* request,
                      v1::LookUpResponse* response) override {
    absl::MutexLock lock(&mutex_);
    look_ups_.push_back(*request);
    *response = known_;
    return failure_;
  }

  grpc::Status ExportStudies(grpc::ServerContext*, const v1::ExportStudiesRequest* request,
                             grpc::ServerWriter<v1::FilePart>* writer) override {
    absl::MutexLock lock(&mutex_);
    exports_.push_back(*request);
    for (const std::string& id : request->study_ids()) {
      if (studies_.count(id) == 0) return NoStudy(id);
    }
    return Send(writer);
  }

  grpc::Status ImportStudies(grpc::ServerContext*, grpc::ServerReader<v1::FilePart>* reader,
                             v1::ImportStudiesResponse* response) override {
    std::string source, file;
    v1::FilePart part;
    while (reader->Read(&part)) {
      if (!part.source().empty()) source = part.source();
      file += part.data();
    }
    absl::MutexLock lock(&mutex_);
    imports_.emplace_back(source, file);
    *response = imported_;
    return failure_;
  }

  // Every search is the study of its first input: "s" and that.
  grpc::Status ReportTries(grpc::ServerContext*, const v1::ReportTriesRequest* request,
                           v1::ReportTriesResponse* response) override {
    absl::MutexLock lock(&mutex_);
    tries_.push_back(*request);
    for (const v1::OnlineSearch& search : request->searches())
      response->add_study_ids(absl::StrCat("s", search.inputs(0)));
    return failure_;
  }

  grpc::Status CollectGarbage(grpc::ServerContext*, const v1::CollectGarbageRequest* request,
                              v1::CollectGarbageResponse* response) override {
    absl::MutexLock lock(&mutex_);
    policies_.push_back(*request);
    *response = collected_;
    return failure_;
  }

  grpc::Status Backup(grpc::ServerContext*, const v1::BackupRequest*,
                      grpc::ServerWriter<v1::FilePart>* writer) override {
    absl::MutexLock lock(&mutex_);
    return Send(writer);
  }

 private:
  // Parts of 1000 bytes.
  grpc::Status Send(grpc::ServerWriter<v1::FilePart>* writer) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
    v1::FilePart part;
    for (size_t sent = 0; sent < file_.size(); sent += 1000) {
      part.set_data(file_.substr(sent, 1000));
      writer->Write(part);
    }
    part.clear_data();
    if (whole_) part.set_fingerprint(Fingerprint(file_));
    writer->Write(part);
    return failure_;
  }

  static grpc::Status NoStudy(const std::string& id) {
    return {grpc::StatusCode::NOT_FOUND, absl::StrCat("no study ", id)};
  }

  const std::string address_;
  std::unique_ptr<grpc::Server> server_;
  mutable absl::Mutex mutex_;
  bool stopping_ ABSL_GUARDED_BY(mutex_) = false;
  int64_t version_ ABSL_GUARDED_BY(mutex_) = 0;
  grpc::Status failure_ ABSL_GUARDED_BY(mutex_);
  v1::Study outcome_ ABSL_GUARDED_BY(mutex_);
  std::map<std::string, v1::Study> studies_ ABSL_GUARDED_BY(mutex_);
  std::map<std::string, v1::StudySpec> specs_ ABSL_GUARDED_BY(mutex_);
  std::map<std::string, std::map<int64_t, v1::Candidate>> candidates_ ABSL_GUARDED_BY(mutex_);
  std::vector<v1::WorkerView> workers_ ABSL_GUARDED_BY(mutex_);
  std::vector<v1::SubmitRequest> submitted_ ABSL_GUARDED_BY(mutex_);
  std::vector<v1::ReplayRequest> replayed_ ABSL_GUARDED_BY(mutex_);
  std::vector<std::string> cancelled_ ABSL_GUARDED_BY(mutex_);
  v1::LookUpResponse known_ ABSL_GUARDED_BY(mutex_);
  std::string file_ ABSL_GUARDED_BY(mutex_);
  bool whole_ ABSL_GUARDED_BY(mutex_) = true;
  v1::ImportStudiesResponse imported_ ABSL_GUARDED_BY(mutex_);
  v1::CollectGarbageResponse collected_ ABSL_GUARDED_BY(mutex_);
  std::vector<v1::LookUpRequest> look_ups_ ABSL_GUARDED_BY(mutex_);
  std::vector<v1::ExportStudiesRequest> exports_ ABSL_GUARDED_BY(mutex_);
  std::vector<std::pair<std::string, std::string>> imports_ ABSL_GUARDED_BY(mutex_);
  std::vector<v1::CollectGarbageRequest> policies_ ABSL_GUARDED_BY(mutex_);
  std::vector<v1::ReportTriesRequest> tries_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace tune
