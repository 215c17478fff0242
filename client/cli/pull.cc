#include <memory>

#include "client/cli/commands.h"
#include "client/cli/interrupt.h"
#include "client/cli/program_options.h"
#include "client/cli/transfer.h"
#include "client/exchange/known_studies.h"

namespace tune {
namespace {

struct PullOptions {
  std::vector<std::string> studies;
  OtherServer from;
};

// One `tunectl pull`.
class Pull {
 public:
  Pull(Session& session, const PullOptions& options) : session_(session), options_(options) {}

  absl::StatusOr<int> Run() {
    const InterruptGuard interrupt;
    const absl::Status status = Copy(interrupt);
    const bool interrupted = interrupt.interrupted() && (status.ok() || absl::IsCancelled(status));
    if (session_.options.json) {
      if (status.ok() || interrupted || !list_.empty()) session_.out() << PrintJson(list_);
    } else if (status.ok() && ids_.empty() && !interrupted) {
      session_.out() << "Nothing new at " << there_->address() << ".\n";
    }
    if (interrupted || (!status.ok() && done_ > 0)) TellHowFar(interrupted);
    if (interrupted) return kExitInterrupted;
    TUNE_RETURN_IF_ERROR(status);
    return missing_ ? kExitFailed : kExitOk;
  }

 private:
  absl::Status Copy(const InterruptGuard& interrupt) {
    TUNE_ASSIGN_OR_RETURN(there_,
                          options_.from.OpenSource([&] { return interrupt.interrupted(); }, &budget_));
    TUNE_ASSIGN_OR_RETURN(here_, session_.Client());
    ids_ = options_.studies;
    if (ids_.empty()) {
      TUNE_ASSIGN_OR_RETURN(ids_, NewStudies(interrupt));
    }
    for (; done_ < ids_.size() && !interrupt.interrupted(); ++done_) {
      TUNE_RETURN_IF_ERROR(budget_.Check());
      TUNE_RETURN_IF_ERROR(CopyOne(ids_[done_]));
    }
    return absl::OkStatus();
  }

  // The studies there that have a result and are not here yet, as far as their lists tell; oldest first.
  absl::StatusOr<std::vector<std::string>> NewStudies(const InterruptGuard& interrupt) {
    TUNE_ASSIGN_OR_RETURN(const std::vector<v1::Study> own,
                          session_.Retry([&] { return here_->ListStudies(kMostStudies); }));
    const KnownStudies known(own);
    TUNE_ASSIGN_OR_RETURN(const std::vector<v1::Study> results, there_->ListResults());
    std::vector<std::string> ids;
    for (const v1::Study& study : results) {
      if (interrupt.interrupted()) break;
      if (known.HasCopyOf(study)) continue;
      const absl::StatusOr<v1::Provenance> origin = there_->OriginOf(study);
      if (absl::IsNotFound(origin.status())) continue;  // it has just gone
      TUNE_RETURN_IF_ERROR(origin.status());
      if (!known.HasCopyOf(study, *origin)) ids.push_back(study.id());
    }
    return ids;
  }

  absl::Status CopyOne(const std::string& id) {
    const absl::StatusOr<std::string> archive = there_->FetchArchive(id);
    if (absl::IsNotFound(archive.status())) {  // the others do not suffer
      session_.err() << id << ": " << archive.status().message() << "\n";
      missing_ = missing_ || !options_.studies.empty();
      return absl::OkStatus();
    }
    TUNE_RETURN_IF_ERROR(archive.status());
    ExchangeClient to(here_);
    TUNE_ASSIGN_OR_RETURN(const v1::ImportStudiesResponse response,
                          session_.Retry([&] { return to.Import(*archive, there_->address()); }));
    for (const v1::ImportedStudy& imported : response.studies()) {
      if (!imported.duplicate()) budget_.CountNews();
      list_.push_back(ImportedJson(id, imported));
      const std::string progress =
          ids_.size() > 1 ? absl::StrCat("[", done_ + 1, "/", ids_.size(), "] ") : "";
      if (!session_.options.json) session_.out() << progress << ImportedText(id, imported, "") << std::flush;
    }
    return absl::OkStatus();
  }

  void TellHowFar(bool interrupted) {
    session_.err() << (interrupted ? "Interrupted" : "Ended") << " after " << done_ << " of " << ids_.size()
                   << "; what was named so far is here, and another pull gets the others.\n";
  }

  Session& session_;
  const PullOptions& options_;
  PullBudget budget_;
  std::unique_ptr<StudySource> there_;
  StudyClient* here_ = nullptr;
  std::vector<std::string> ids_;
  size_t done_ = 0;
  bool missing_ = false;  // one that was asked for by name
  Json list_ = Json::array();
};

}  // namespace

void AddPull(CLI::App& app, Session& session) {
  auto options = std::make_shared<PullOptions>();
  CLI::App* verb = AddVerb(
      app, session, "pull", "Copy studies that have ended from another server",
      "  tunectl pull --from http://localhost:7411  everything that has a result and is new\n"
      "  tunectl pull s3 s4 --from https://lab.example --from-token-file token\n"
      "  tunectl pull --from lab:7410\n\n"
      "http://HOST:PORT and https://HOST:PORT name the address of a server's page, whose read API is asked;\n"
      "host:port and unix:/path that of the server itself, over gRPC. All need the same token.\n"
      "One pull takes at most 64 GiB, 300,000 answers and 12 hours, and ends after half an hour without "
      "news;\n"
      "another one gets the others.\n",
      "a list: from (id there), id (here), name, duplicate");
  verb->add_option("STUDY", options->studies, "Ids of studies there. Default: all with a result")
      ->check(StudyName());
  options->from.AddTo(
      *verb, "from", "Server that has them: http://HOST:PORT, https://HOST:PORT, host:port or unix:/path",
      "PEM file of the authority that signed that server's certificate; with host:port it turns TLS on, "
      "and https:// trusts the system's authorities without it");
  verb->callback([&session, options] {
    session.command = [&session, options] { return Pull(session, *options).Run(); };
  });
}

}  // namespace tune
