#include "server/access/permissions.h"

#include <algorithm>

namespace tune {
namespace {

constexpr bool kYes = true, kNo = false;

}  // namespace

const std::vector<Permission>& Permissions() {
  static const auto* const permissions =
      new std::vector<Permission>{// call, clients, workers
                                  {"StudyService.Submit", kYes, kNo},
                                  {"StudyService.Cancel", kYes, kNo},  // of one's own studies, as Replay
                                  {"StudyService.Replay", kYes, kNo},

                                  {"StateService.GetServerInfo", kYes, kYes},
                                  {"StateService.ListStudies", kYes, kNo},
                                  {"StateService.GetStudy", kYes, kNo},
                                  {"StateService.WatchStudy", kYes, kNo},
                                  {"StateService.ListCandidates", kYes, kNo},
                                  {"StateService.GetCandidate", kYes, kNo},
                                  {"StateService.GetStudySpec", kYes, kNo},
                                  {"StateService.Explain", kYes, kNo},
                                  {"StateService.ListInspections", kYes, kNo},
                                  {"StateService.ListWorkers", kYes, kNo},

                                  {"WorkerService.Synchronize", kNo, kYes},
                                  {"WorkerService.GetStudySetup", kNo, kYes},

                                  {"ExchangeService.LookUp", kYes, kNo},
                                  {"ExchangeService.ExportStudies", kYes, kNo},
                                  {"ExchangeService.ImportStudies", kYes, kNo},
                                  {"ExchangeService.ReportTries", kYes, kNo},
                                  {"ExchangeService.CollectGarbage", kNo, kNo},
                                  {"ExchangeService.Backup", kNo, kNo},

                                  {"page", kYes, kNo},
                                  {"/metrics", kYes, kNo},
                                  {"/api/v1/server", kYes, kNo},
                                  {"/api/v1/workers", kYes, kNo},
                                  {"/api/v1/results", kYes, kNo},
                                  {"/api/v1/openapi.json", kYes, kNo},
                                  {"/api/v1/events", kYes, kNo},
                                  {"/api/v1/studies", kYes, kNo},
                                  {"/api/v1/studies/{study}", kYes, kNo},
                                  {"/api/v1/studies/{study}/events", kYes, kNo},
                                  {"/api/v1/studies/{study}/spec", kYes, kNo},
                                  {"/api/v1/studies/{study}/best", kYes, kNo},
                                  {"/api/v1/studies/{study}/configuration", kYes, kNo},
                                  {"/api/v1/studies/{study}/tuned.c", kYes, kNo},
                                  {"/api/v1/studies/{study}/tuned.cu", kYes, kNo},
                                  {"/api/v1/studies/{study}/tuned.h", kYes, kNo},
                                  {"/api/v1/studies/{study}/archive", kYes, kNo},
                                  {"/api/v1/studies/{study}/timing", kYes, kNo},
                                  {"/api/v1/studies/{study}/candidates", kYes, kNo},
                                  {"/api/v1/studies/{study}/inspections", kYes, kNo},
                                  {"/api/v1/studies/{study}/candidates/{index}", kYes, kNo},
                                  {"/api/v1/studies/{study}/candidates/{index}/configuration", kYes, kNo},
                                  {"/api/v1/studies/{study}/candidates/{index}/log", kYes, kNo},
                                  {"/api/v1/studies/{study}/candidates/{index}/explanation", kYes, kNo},
                                  {"/api/v1/studies/{study}/search", kYes, kNo}};
  return *permissions;
}

absl::Status CheckPermission(const Identity& identity, absl::string_view call) {
  const std::vector<Permission>& all = Permissions();
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const Permission& entry) { return entry.call == call; });
  if (found == all.end()) {
    return absl::PermissionDeniedError(
        absl::StrCat("nobody may call ", call, ": it is in no table of permissions"));
  }
  const bool allowed = identity.role == Role::kAdmin || (identity.role == Role::kClient && found->client) ||
                       (identity.role == Role::kWorker && found->worker);
  if (allowed) return absl::OkStatus();
  return absl::PermissionDeniedError(
      absl::StrCat("the token of ", RoleName(identity.role), " '", identity.name, "' does not do for ", call,
                   ", which takes one of ", found->client ? "a client or " : "",
                   found->worker ? "a worker or " : "", "an admin"));
}

absl::Status CheckOwner(const Identity& identity, const std::string& study, const std::string& owner) {
  if (identity.role == Role::kAdmin || identity.name == owner) return absl::OkStatus();
  return absl::PermissionDeniedError(
      absl::StrCat("study ", study, " is ", owner, "'s: only its owner and admins may change it"));
}

}  // namespace tune
