#include <algorithm>
#include <memory>

#include "client/cli/commands.h"
#include "client/cli/program_options.h"
#include "client/report/carving_report.h"

namespace tune {
namespace {

struct CarvingRequest {
  std::string study;
  std::vector<int64_t> inspections;
  bool list = false;
  std::optional<v1::CarveOptions> carve;
};

absl::StatusOr<int> RunCarving(Session& session, const CarvingRequest& request) {
  TUNE_ASSIGN_OR_RETURN(StudyClient* const client, session.Client());
  TUNE_ASSIGN_OR_RETURN(const std::vector<v1::InspectionView> views,
                        client->ListInspections(request.study, request.carve));
  if (session.options.json) {
    session.out() << PrintJson(CarvingJson(views));
    return kExitOk;
  }
  for (const int64_t index : request.inspections) {
    const auto found = std::find_if(views.begin(), views.end(), [&](const v1::InspectionView& view) {
      return view.inspection().index() == index;
    });
    if (found == views.end())
      return absl::NotFoundError(absl::StrCat("study ", request.study, " has no inspection ", index,
                                              ": `tunectl carving ", request.study, " --list` lists them"));
    session.out() << InspectionText(*found);
  }
  if (!request.inspections.empty()) return kExitOk;
  session.out() << CarvingReport(request.study, views);
  if (request.list) session.out() << "\n" << CarvingTable(views);
  return kExitOk;
}

}  // namespace

void AddCarving(CLI::App& app, Session& session) {
  auto request = std::make_shared<CarvingRequest>();
  CLI::App* verb = AddVerb(
      app, session, "carving",
      "Tell what carving kept of a study's configurations, why not the others, and how the best of what it "
      "kept compares with the best of all",
      "  tunectl carving s3                    share kept, best kept over best of all\n"
      "  tunectl carving s3 --list             each configuration: metrics, verdict, time\n"
      "  tunectl carving s3 --inspection 17    why that one was removed, and by which other one\n"
      "  tunectl carving s3 --carve-margin 0.1 what another margin would have kept\n",
      "inspected, failed, kept, share_kept, measured,\nbest_kept_over_best, inspections (index, efficiency, "
      "utilization, removed, reason, by,\non_front, candidate, outcome, seconds, failure, unknown, kernels)");
  verb->add_option("STUDY", request->study,
                   "Study that was submitted with --carve, --inspect or strategy carving")
      ->check(StudyName())
      ->required();
  verb->add_option("--inspection", request->inspections, "Only why this one was removed or kept")
      ->type_name("N")
      ->allow_extra_args(false);
  verb->add_flag("--list", request->list, "Also a table of all configurations");
  AddCarvingLimits(
      *verb,
      [request] {
        if (!request->carve.has_value()) request->carve.emplace();
        return &*request->carve;
      },
      "What if, in place of the study's own limits");
  verb->callback([&session, request] {
    session.command = [&session, request] { return RunCarving(session, *request); };
  });
}

}  // namespace tune
