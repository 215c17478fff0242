#include <memory>

#include "client/cli/commands.h"
#include "client/cli/program_options.h"
#include "client/cli/tuned_output.h"
#include "client/report/json.h"
#include "common/base/file.h"

namespace tune {
namespace {

struct FetchOptions {
  std::vector<std::string> studies;
  std::string output;
};

absl::StatusOr<int> RunFetch(Session& session, const FetchOptions& options) {
  TUNE_ASSIGN_OR_RETURN(StudyClient* const client, session.Client());
  TUNE_ASSIGN_OR_RETURN(const TunedOutput tuned, FetchTuned(session, *client, options.studies));
  const bool to_file = !options.output.empty() && options.output != "-";
  if (to_file) TUNE_RETURN_IF_ERROR(WriteFile(options.output, tuned.text));
  if (session.options.json) {
    Json json = {{"studies", options.studies}, {"file", to_file ? Json(options.output) : Json()}};
    if (!to_file) json["text"] = tuned.text;
    session.out() << PrintJson(json);
  } else if (to_file) {
    session.out() << "Wrote " << options.output
                  << "; build it as you build the original, with -fopenmp added.\n";
  } else {
    session.out() << tuned.text;
  }
  return kExitOk;
}

}  // namespace

void AddFetch(CLI::App& app, Session& session) {
  auto options = std::make_shared<FetchOptions>();
  CLI::App* verb =
      AddVerb(app, session, "fetch", "Get the user's file with tuned code in place of its regions",
              "  tunectl fetch s3 > gemm.tuned.c\n"
              "  tunectl fetch s3 s4 -o both.c             two regions of one file\n",
              "studies and file, or studies and text without --output");
  verb->add_option("STUDY", options->studies, "Ids of studies, all of regions of the same file")
      ->required()
      ->check(StudyName());
  verb->add_option("-o,--output", options->output, "File to write. Default: standard output")
      ->type_name("FILE");
  verb->callback(
      [&session, options] { session.command = [&session, options] { return RunFetch(session, *options); }; });
}

}  // namespace tune
