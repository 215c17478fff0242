#include "client/submit/study_client.h"

#include <algorithm>

#include "absl/time/clock.h"
#include "common/rpc/channel.h"
#include "common/rpc/message_parts.h"
#include "common/rpc/status.h"
#include "tune/v1/state_service.grpc.pb.h"
#include "tune/v1/study_service.grpc.pb.h"

namespace tune {
namespace {

constexpr char kUnreachablePayload[] = "tune/unreachable";
constexpr absl::Duration kUploadLimit = absl::Minutes(5);
constexpr absl::Duration kRetryPause = absl::Milliseconds(200);

v1::GetStudyRequest StudyRequest(const std::string& study_id) {
  v1::GetStudyRequest request;
  request.set_study_id(study_id);
  return request;
}

}  // namespace

struct StudyClient::Stubs {
  std::shared_ptr<grpc::Channel> channel;
  std::unique_ptr<v1::StudyService::Stub> study;
  std::unique_ptr<v1::StateService::Stub> state;
};

bool IsUnreachable(const absl::Status& status) { return status.GetPayload(kUnreachablePayload).has_value(); }

absl::Status AsUnreachable(absl::Status status) {
  status.SetPayload(kUnreachablePayload, absl::Cord("1"));
  return status;
}

absl::StatusOr<std::unique_ptr<StudyClient>> StudyClient::Open(const ChannelOptions& options) {
  TUNE_ASSIGN_OR_RETURN(const std::shared_ptr<grpc::Channel> channel, OpenChannel(options));
  auto stubs = std::make_unique<Stubs>();
  stubs->channel = channel;
  stubs->study = v1::StudyService::NewStub(channel);
  stubs->state = v1::StateService::NewStub(channel);
  return std::unique_ptr<StudyClient>(new StudyClient(options.address, std::move(stubs)));
}

StudyClient::StudyClient(std::string address, std::unique_ptr<Stubs> stubs)
    : address_(std::move(address)), stubs_(std::move(stubs)) {}

StudyClient::~StudyClient() = default;

const std::shared_ptr<grpc::Channel>& StudyClient::channel() const { return stubs_->channel; }

absl::Status StudyClient::Unreachable(absl::string_view why) const {
  // gRPC puts the operating system's words last.
  const size_t last = why.rfind(": ");
  return AsUnreachable(absl::UnavailableError(absl::StrCat(
      "no server answers at ", address_, " (", last == absl::string_view::npos ? why : why.substr(last + 2),
      "). Start one with `tuned-server`, name another one with --server or TUNE_SERVER, or use `tunectl "
      "tune`, which needs none and whose studies --private reaches; `tunectl doctor` checks the rest.")));
}

absl::Status StudyClient::Explain(const grpc::Status& status) const {
  const absl::Status plain = FromGrpc(status);
  if (plain.ok()) return plain;
  // A server that ends cancels the calls that it has not answered; this client cancels only what nobody waits
  // for.
  if (IsTransient(plain) || absl::IsCancelled(plain)) return Unreachable(plain.message());
  if (plain.code() == absl::StatusCode::kUnauthenticated) {
    return absl::UnauthenticatedError(absl::StrCat(address_, " demands a token: ", plain.message(),
                                                   ". Give its file with --token-file or TUNE_TOKEN_FILE."));
  }
  if (plain.code() == absl::StatusCode::kUnimplemented) {
    return absl::UnimplementedError(absl::StrCat(
        address_, " does not know this call: it is older than this tunectl, or no tuned-server."));
  }
  return plain;
}

template <typename Response, typename Stub, typename Method, typename Request>
absl::StatusOr<Response> StudyClient::Call(Stub& stub, Method method, const Request& request,
                                           absl::Duration deadline) {
  grpc::ClientContext context;
  context.set_deadline(absl::ToChronoTime(absl::Now() + deadline));
  Response response;
  TUNE_RETURN_IF_ERROR(Explain((stub.*method)(&context, request, &response)));
  return response;
}

absl::StatusOr<v1::Study> StudyClient::TrySubmit(const v1::SubmitRequest& request) {
  grpc::ClientContext context;
  context.set_deadline(absl::ToChronoTime(absl::Now() + kUploadLimit));
  v1::SubmitResponse response;
  const auto writer = stubs_->study->Submit(&context, &response);
  // A server that refuses does not read on: its status says why.
  if (SendInParts(request, [&](const v1::FilePart& part) { return writer->Write(part); }))
    writer->WritesDone();
  TUNE_RETURN_IF_ERROR(Explain(writer->Finish()));
  return response.study();
}

absl::StatusOr<v1::Study> StudyClient::Submit(const v1::StudySpec& spec, const std::string& request_id,
                                              absl::Duration patience) {
  v1::SubmitRequest request;
  *request.mutable_spec() = spec;
  request.set_request_id(request_id);
  const absl::Time end = absl::Now() + patience;
  while (true) {
    absl::StatusOr<v1::Study> study = TrySubmit(request);
    if (study.ok() || !IsUnreachable(study.status()) || absl::Now() >= end) return study;
    absl::SleepFor(kRetryPause);
  }
}

absl::StatusOr<v1::Study> StudyClient::Cancel(const std::string& study_id) {
  v1::CancelRequest request;
  request.set_study_id(study_id);
  TUNE_ASSIGN_OR_RETURN(auto response,
                        Call<v1::CancelResponse>(*stubs_->study, &v1::StudyService::Stub::Cancel, request));
  return response.study();
}

absl::StatusOr<int64_t> StudyClient::Replay(const std::string& study_id,
                                            const v1::Configuration& configuration,
                                            const v1::Diagnosis& diagnosis) {
  v1::ReplayRequest request;
  request.set_study_id(study_id);
  *request.mutable_configuration() = configuration;
  if (diagnosis.check_mapping() || diagnosis.stages_size() > 0) *request.mutable_diagnosis() = diagnosis;
  TUNE_ASSIGN_OR_RETURN(const auto response,
                        Call<v1::ReplayResponse>(*stubs_->study, &v1::StudyService::Stub::Replay, request));
  return response.candidate_index();
}

absl::Status StudyClient::ReadUpdates(grpc::ClientContext& context, const std::string& study_id,
                                      const std::function<void(v1::Study)>& on_update) {
  const auto reader = stubs_->state->WatchStudy(&context, StudyRequest(study_id));
  v1::Study study;
  while (reader->Read(&study)) on_update(std::move(study));
  return Explain(reader->Finish());
}

absl::StatusOr<v1::ServerInfo> StudyClient::GetServerInfo(absl::Duration deadline) {
  return Call<v1::ServerInfo>(*stubs_->state, &v1::StateService::Stub::GetServerInfo,
                              v1::GetServerInfoRequest(), deadline);
}

absl::StatusOr<v1::Study> StudyClient::GetStudy(const std::string& study_id) {
  return Call<v1::Study>(*stubs_->state, &v1::StateService::Stub::GetStudy, StudyRequest(study_id));
}

absl::StatusOr<v1::StudySpec> StudyClient::GetStudySpec(const std::string& study_id) {
  grpc::ClientContext context;
  context.set_deadline(absl::ToChronoTime(absl::Now() + kUploadLimit));
  const auto reader = stubs_->state->GetStudySpec(&context, StudyRequest(study_id));
  v1::StudySpec spec;
  const absl::Status read =
      ReadInParts([&](v1::FilePart* part) { return reader->Read(part); }, kMaxMessageBytes, &spec);
  if (absl::IsResourceExhausted(read)) context.TryCancel();  // there is more, which nobody wants
  const absl::Status ended = Explain(reader->Finish());
  TUNE_RETURN_IF_ERROR(absl::IsResourceExhausted(read) ? read : ended);
  TUNE_RETURN_IF_ERROR(read);
  return spec;
}

absl::StatusOr<v1::Candidate> StudyClient::GetCandidate(const std::string& study_id, int64_t index) {
  v1::GetCandidateRequest request;
  request.set_study_id(study_id);
  request.set_index(index);
  return Call<v1::Candidate>(*stubs_->state, &v1::StateService::Stub::GetCandidate, request);
}

absl::StatusOr<v1::Explanation> StudyClient::Explain(const std::string& study_id, int64_t index) {
  v1::ExplainRequest request;
  request.set_study_id(study_id);
  request.set_index_plus_one(index + 1);
  return Call<v1::Explanation>(*stubs_->state, &v1::StateService::Stub::Explain, request);
}

absl::StatusOr<std::vector<v1::WorkerView>> StudyClient::ListWorkers() {
  TUNE_ASSIGN_OR_RETURN(const auto response,
                        Call<v1::ListWorkersResponse>(*stubs_->state, &v1::StateService::Stub::ListWorkers,
                                                      v1::ListWorkersRequest()));
  return std::vector<v1::WorkerView>(response.workers().begin(), response.workers().end());
}

absl::StatusOr<std::vector<v1::Study>> StudyClient::ListStudies(int limit) {
  constexpr int64_t kLongestList = int64_t{1} << 30;  // bytes
  std::vector<v1::Study> studies;
  int64_t bytes = 0;
  v1::ListStudiesRequest request;
  do {
    request.set_page_size(std::clamp(limit - static_cast<int>(studies.size()), 1, 1000));
    TUNE_ASSIGN_OR_RETURN(
        const auto page,
        Call<v1::ListStudiesResponse>(*stubs_->state, &v1::StateService::Stub::ListStudies, request));
    for (const auto& study : page.studies()) {
      if (static_cast<int>(studies.size()) < limit) studies.push_back(study);
    }
    // A server that may be anybody's can name pages without end, or without studies.
    bytes += static_cast<int64_t>(page.ByteSizeLong());
    if (bytes > kLongestList) {
      return absl::ResourceExhaustedError(absl::StrCat(address(), ": its list of studies has more than ",
                                                       kLongestList >> 20, " MiB, which is too much"));
    }
    if (page.studies().empty()) break;
    request.set_page_token(page.next_page_token());
  } while (!request.page_token().empty() && static_cast<int>(studies.size()) < limit);
  return studies;
}

absl::StatusOr<std::vector<v1::Candidate>> StudyClient::ListCandidates(const std::string& study_id) {
  std::vector<v1::Candidate> candidates;
  v1::ListCandidatesRequest request;
  request.set_study_id(study_id);
  request.set_page_size(1000);
  while (true) {
    TUNE_ASSIGN_OR_RETURN(
        const auto page,
        Call<v1::ListCandidatesResponse>(*stubs_->state, &v1::StateService::Stub::ListCandidates, request));
    candidates.insert(candidates.end(), page.candidates().begin(), page.candidates().end());
    if (!page.more() || page.candidates().empty()) return candidates;
    request.set_first_index(candidates.back().index() + 1);
  }
}

absl::StatusOr<std::vector<v1::InspectionView>> StudyClient::ListInspections(
    const std::string& study_id, const std::optional<v1::CarveOptions>& carve) {
  std::vector<v1::InspectionView> inspections;
  v1::ListInspectionsRequest request;
  request.set_study_id(study_id);
  if (carve.has_value()) *request.mutable_carve() = *carve;
  while (true) {
    TUNE_ASSIGN_OR_RETURN(
        const auto page,
        Call<v1::ListInspectionsResponse>(*stubs_->state, &v1::StateService::Stub::ListInspections, request));
    inspections.insert(inspections.end(), page.inspections().begin(), page.inspections().end());
    if (!page.more() || page.inspections().empty()) return inspections;
    request.set_first_index(inspections.back().inspection().index() + 1);
  }
}

}  // namespace tune
