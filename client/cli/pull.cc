#include <memory>
#include <set>
#include <tuple>

#include "client/cli/commands.h"
#include "client/cli/interrupt.h"
#include "client/cli/program_options.h"
#include "client/cli/transfer.h"
#include "client/report/words.h"

namespace tune {
namespace {

constexpr int kAllStudies = 1'000'000;

struct PullOptions {
  std::vector<std::string> studies;
  OtherServer from;
};

// What tells a study of another server from every other one, as far as this server knows.
using Origin = std::tuple<std::string, std::string, int64_t>;  // server, id there, time of creation

// The studies there that have a result and are not here yet, as far as their lists tell; oldest first.
absl::StatusOr<std::vector<std::string>> NewStudies(StudyClient& here, StudyClient& there) {
  std::set<Origin> known;
  TUNE_ASSIGN_OR_RETURN(const std::vector<v1::Study> own, here.ListStudies(kAllStudies));
  for (const v1::Study& study : own) {
    if (study.has_provenance())
      known.emplace(study.provenance().server(), study.provenance().study_id(), study.created_unix_ms());
  }
  TUNE_ASSIGN_OR_RETURN(const std::vector<v1::Study> others, there.ListStudies(kAllStudies));
  std::vector<std::string> ids;
  for (auto study = others.rbegin(); study != others.rend(); ++study) {
    if (!IsFinished(study->state()) || study->best_index() < 0) continue;
    const v1::Provenance& origin = study->provenance();
    const bool made_there = origin.server().empty();
    if (known.count({made_there ? there.address() : origin.server(),
                     made_there ? study->id() : origin.study_id(), study->created_unix_ms()}) == 0) {
      ids.push_back(study->id());
    }
  }
  return ids;
}

absl::StatusOr<int> RunPull(Session& session, const PullOptions& options) {
  TUNE_ASSIGN_OR_RETURN(const std::unique_ptr<StudyClient> there, options.from.Open());
  TUNE_ASSIGN_OR_RETURN(StudyClient* const here, session.Client());
  std::vector<std::string> ids = options.studies;
  if (ids.empty()) {
    TUNE_ASSIGN_OR_RETURN(ids, session.Retry([&] { return NewStudies(*here, *there); }));
  }
  ExchangeClient from(there.get()), to(here);
  const InterruptGuard interrupt;
  Json list = Json::array();
  for (const std::string& id : ids) {
    if (interrupt.interrupted()) {
      session.err() << "Interrupted; the studies named so far are here, and another pull gets the others.\n";
      break;
    }
    TUNE_ASSIGN_OR_RETURN(const std::string archive, from.Export({id}, /*without_texts=*/false));
    TUNE_ASSIGN_OR_RETURN(const v1::ImportStudiesResponse response,
                          session.Retry([&] { return to.Import(archive, there->address()); }));
    for (const v1::ImportedStudy& imported : response.studies()) {
      list.push_back(ImportedJson(id, imported));
      if (!session.options.json) session.out() << ImportedText(id, imported, "") << std::flush;
    }
  }
  if (session.options.json) {
    session.out() << PrintJson(list);
  } else if (ids.empty()) {
    session.out() << "Nothing new at " << there->address() << ".\n";
  }
  return interrupt.interrupted() ? kExitInterrupted : kExitOk;
}

}  // namespace

void AddPull(CLI::App& app, Session& session) {
  auto options = std::make_shared<PullOptions>();
  CLI::App* verb =
      AddVerb(app, session, "pull", "Copy studies that have ended from another server",
              "  tunectl pull --from lab:7410            everything that has a result and is new\n"
              "  tunectl pull s3 s4 --from lab:7410\n",
              "a list: from (id there), id (here), name, duplicate");
  verb->add_option("STUDY", options->studies, "Ids of studies there. Default: all with a result")
      ->check(StudyName());
  options->from.AddTo(*verb, "from", "Server that has them, host:port or unix:/path");
  verb->callback(
      [&session, options] { session.command = [&session, options] { return RunPull(session, *options); }; });
}

}  // namespace tune
