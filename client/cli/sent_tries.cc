#include "client/cli/sent_tries.h"

#include <algorithm>

#include "client/submit/exchange_client.h"

namespace tune {
namespace {

void TellNew(Session& session, const v1::ReportTriesRequest& report, const v1::ReportTriesResponse& response,
             std::vector<std::string>* study_ids) {
  for (int i = 0; i < response.study_ids_size() && i < report.searches_size(); ++i) {
    const std::string& id = response.study_ids(i);
    if (std::find(study_ids->begin(), study_ids->end(), id) != study_ids->end()) continue;
    study_ids->push_back(id);
    if (!session.options.json)
      session.err() << "What " << report.searches(i).region() << " tries is study " << id << ": `"
                    << session.Hint("watch " + id) << "`.\n";
  }
}

}  // namespace

absl::Status SendTries(Session& session, bool run_ended, ApplicationTries* tries,
                       std::vector<std::string>* study_ids) {
  TUNE_RETURN_IF_ERROR(tries->Read());
  const std::vector<v1::ReportTriesRequest> reports = tries->Reports(run_ended);
  if (reports.empty()) return absl::OkStatus();
  TUNE_ASSIGN_OR_RETURN(StudyClient* const client, session.Client());
  ExchangeClient exchange(client);
  for (const v1::ReportTriesRequest& report : reports) {
    TUNE_ASSIGN_OR_RETURN(const v1::ReportTriesResponse response,
                          session.Retry([&] { return exchange.ReportTries(report); }));
    TellNew(session, report, response, study_ids);
    tries->Reported(report);
  }
  return absl::OkStatus();
}

}  // namespace tune
