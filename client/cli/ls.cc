#include <memory>

#include "absl/time/clock.h"
#include "client/cli/commands.h"
#include "client/report/json.h"
#include "client/report/objective_report.h"
#include "client/report/table.h"
#include "client/report/units.h"
#include "client/report/words.h"
#include "common/evaluation/objective.h"
#include "common/evaluation/study_result.h"

namespace tune {
namespace {

// In time: "3.10x"; where it is not certainly faster "0.98x, not faster".
std::string OverProgram(const v1::Study& study) {
  const ResultTimes times = TimesOfResult(study);
  if (!times.known()) return HasFailedInProgram(study) ? "failed" : "-";
  return absl::StrCat(FormatRatio(times.compared.ratio()), IsNotFaster(study) ? ", not faster" : "");
}

// With `colours` studies without a gain by their objective are red.
std::string StudyTable(const std::vector<v1::Study>& studies, absl::Time now, bool colours) {
  using Align = Table::Align;
  Table table({{"study"},
               {"name"},
               {"state"},
               {"done", Align::kRight},
               {"best", Align::kRight},
               {"over program", Align::kRight},
               {"over default", Align::kRight},
               {"over sequential", Align::kRight},
               {"owner"},
               {"created"}});
  for (const v1::Study& study : studies) {
    table.AddRow(
        {study.id(), study.name(), std::string(StudyStateName(study.state())),
         absl::StrCat(study.evaluated(), "/", study.budget()),
         study.best_index() >= 0 && study.best().median() > 0 ? BestByObjective(study) : "-",
         OverProgram(study), FormatGain(GainByObjective(study)), FormatGain(study.gain_over_sequential()),
         study.owner(), FormatAge(study.created_unix_ms(), now)},
        colours && IsNoGain(study));
  }
  return table.Print();
}

absl::StatusOr<int> RunLs(Session& session, int limit) {
  TUNE_ASSIGN_OR_RETURN(StudyClient* const client, session.Client());
  TUNE_ASSIGN_OR_RETURN(const std::vector<v1::Study> studies, client->ListStudies(limit));
  if (session.options.json) {
    Json list = Json::array();
    for (const v1::Study& study : studies) list.push_back(ToJson(study));
    session.out() << PrintJson(list);
  } else if (studies.empty()) {
    session.out() << "No studies at " << client->address() << ".\n";
  } else {
    session.out() << StudyTable(studies, absl::Now(), session.colours());
    if (static_cast<int>(studies.size()) == limit)
      session.out() << "The newest " << limit << "; --limit shows more.\n";
  }
  return kExitOk;
}

}  // namespace

void AddLs(CLI::App& app, Session& session) {
  auto limit = std::make_shared<int>(50);
  CLI::App* verb = AddVerb(app, session, "ls", "List studies, newest first",
                           "  tunectl ls\n"
                           "  tunectl ls --limit 1000 --json\n",
                           "a list of studies as `show` prints them");
  verb->add_option("--limit", *limit, "How many. Default: 50")
      ->check(CLI::Range(1, 1'000'000))
      ->type_name("N");
  verb->callback(
      [&session, limit] { session.command = [&session, limit] { return RunLs(session, *limit); }; });
}

}  // namespace tune
