#include "server/service/state_service.h"

#include "common/rpc/version.h"
#include "server/service/program_stream.h"
#include "server/service/watch_call.h"
#include "server/study/inspection_views.h"

namespace tune {
namespace {

absl::Status GetServerInfo(const Coordinator& coordinator, v1::ServerInfo* response) {
  TUNE_ASSIGN_OR_RETURN(*response, coordinator.Info());
  response->set_version(kVersion);
  return absl::OkStatus();
}

// The value of a view as the answer of an rpc.
template <typename Response>
absl::Status Answer(absl::StatusOr<Response> view, Response* response) {
  if (view.ok()) *response = *std::move(view);
  return view.status();
}

}  // namespace

StateServiceImpl::StateServiceImpl(const Authority* authority, Coordinator* coordinator)
    : GuardedService(authority, v1::GetServerInfoRequest::descriptor()->file(), "StateService") {
  Add<v1::GetServerInfoRequest, v1::ServerInfo>(
      "GetServerInfo", Work::kShort,
      [=](const Call&, auto&, auto* response) { return GetServerInfo(*coordinator, response); });
  Add<v1::ListStudiesRequest, v1::ListStudiesResponse>(
      "ListStudies", Work::kShort, [=](const Call&, auto& request, auto* response) {
        return Answer(coordinator->ListStudies(request), response);
      });
  Add<v1::GetStudyRequest, v1::Study>("GetStudy", Work::kShort,
                                      [=](const Call&, auto& request, auto* response) {
                                        return Answer(coordinator->GetStudy(request.study_id()), response);
                                      });
  AddWaiting<v1::GetStudyRequest>("WatchStudy", kMostMessageBytes, [=](const Call& call, auto& request) {
    absl::StatusOr<StudyWatch> watch = coordinator->Watch(request.study_id());
    watch.ok() ? SendChanges(*std::move(watch), call) : call.wire->End(watch.status());
  });
  Add<v1::ListCandidatesRequest, v1::ListCandidatesResponse>(
      "ListCandidates", Work::kShort, [=](const Call&, auto& request, auto* response) {
        return Answer(coordinator->ListCandidates(request), response);
      });
  Add<v1::GetCandidateRequest, v1::Candidate>(
      "GetCandidate", Work::kShort, [=](const Call&, auto& request, auto* response) {
        return Answer(coordinator->GetCandidate(request.study_id(), request.index()), response);
      });
  AddSender<v1::GetStudyRequest, v1::FilePart>(
      "GetStudySpec", [=](const Call&, auto& request, const Send<v1::FilePart>& send) -> absl::Status {
        const Store& store = coordinator->store();
        TUNE_ASSIGN_OR_RETURN(const v1::StudySpec spec, store.GetSpecWithoutProgram(request.study_id()));
        return SendWithProgram(store, request.study_id(), spec, v1::StudySpec::kProgramFieldNumber, send);
      });
  Add<v1::ExplainRequest, v1::Explanation>("Explain", Work::kLong,
                                           [=](const Call&, auto& request, auto* response) {
                                             return Answer(coordinator->Explain(request), response);
                                           });
  Add<v1::ListInspectionsRequest, v1::ListInspectionsResponse>(
      "ListInspections", Work::kLong, [=](const Call&, auto& request, auto* response) {
        return Answer(ListInspections(coordinator->store(), request), response);
      });
  Add<v1::ListWorkersRequest, v1::ListWorkersResponse>(
      "ListWorkers", Work::kShort, [=](const Call&, auto&, auto* response) {
        for (v1::WorkerView& worker : coordinator->ListWorkers())
          *response->add_workers() = std::move(worker);
        return absl::OkStatus();
      });
}

}  // namespace tune
