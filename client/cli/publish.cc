#include <memory>

#include "client/cli/commands.h"
#include "client/cli/program_options.h"
#include "client/cli/transfer.h"

namespace tune {
namespace {

struct PublishOptions {
  std::vector<std::string> studies;
  OtherServer to;
};

absl::StatusOr<int> RunPublish(Session& session, const PublishOptions& options) {
  TUNE_ASSIGN_OR_RETURN(const std::unique_ptr<StudyClient> there, options.to.Open());
  TUNE_ASSIGN_OR_RETURN(StudyClient* const here, session.Client());
  ExchangeClient from(here), to(there.get());
  Json list = Json::array();
  for (const std::string& id : options.studies) {
    TUNE_ASSIGN_OR_RETURN(const std::string archive,
                          session.Retry([&] { return from.Export({id}, /*without_texts=*/false); }));
    const absl::StatusOr<v1::ImportStudiesResponse> response = to.Import(archive, here->address());
    if (absl::IsUnauthenticated(response.status())) {
      return absl::UnauthenticatedError(absl::StrCat(
          options.to.address, " demands a token, or another one. Give its file with --to-token-file."));
    }
    TUNE_RETURN_IF_ERROR(response.status());
    for (const v1::ImportedStudy& imported : response->studies()) {
      list.push_back(ImportedJson(id, imported));
      if (!session.options.json)
        session.out() << ImportedText(id, imported, " at " + options.to.address) << std::flush;
    }
  }
  if (session.options.json) session.out() << PrintJson(list);
  return kExitOk;
}

}  // namespace

void AddPublish(CLI::App& app, Session& session) {
  auto options = std::make_shared<PublishOptions>();
  CLI::App* verb =
      AddVerb(app, session, "publish", "Copy studies that have ended to another server",
              "  tunectl publish s3 s4 --to lab:7410\n"
              "  tunectl --private publish s1 --to lab:7410 --to-token-file token\n\n"
              "The other server is written to, which the read API of its page (http://) does not do: "
              "the address\nis that of the server itself.\n",
              "a list: from (id here), id (there), name, duplicate");
  verb->add_option("STUDY", options->studies, "Ids of studies that have ended")
      ->required()
      ->check(StudyName());
  options->to.AddTo(*verb, "to", "Server that gets them: host:port or unix:/path, over gRPC",
                    "PEM file of the authority that signed that server's certificate; turns TLS on");
  verb->callback([&session, options] {
    session.command = [&session, options] { return RunPublish(session, *options); };
  });
}

}  // namespace tune
