#include <memory>

#include "absl/strings/str_join.h"
#include "client/cli/commands.h"
#include "client/report/json.h"
#include "client/report/units.h"
#include "client/submit/exchange_client.h"

namespace tune {
namespace {

struct GcOptions {
  int keep_days = 30;
  int keep_best = 10;
  int remove_days = 0;
  bool dry_run = false;
};

Json GcJson(const v1::CollectGarbageResponse& done, bool dry_run) {
  return {{"dry_run", dry_run},
          {"texts", done.texts()},
          {"text_bytes", done.text_bytes()},
          {"removed_studies",
           std::vector<std::string>(done.removed_studies().begin(), done.removed_studies().end())},
          {"removed_candidates", done.removed_candidates()},
          {"bytes_before", done.bytes_before()},
          {"bytes_after", done.bytes_after()}};
}

std::string GcText(const v1::CollectGarbageResponse& done, bool dry_run) {
  const std::string would = dry_run ? "would be" : "were";
  std::string text = absl::StrCat("Texts of ", FormatCount(done.texts(), "evaluation"), " (",
                                  FormatBytes(done.text_bytes()), ") ", would, " removed.\n");
  if (!done.removed_studies().empty()) {
    absl::StrAppend(&text, done.removed_studies_size(), " studies with ",
                    FormatCount(done.removed_candidates(), "candidate"), " ", would,
                    " removed: ", absl::StrJoin(done.removed_studies(), " "), "\n");
  }
  absl::StrAppend(&text, "Database: ", FormatBytes(done.bytes_before()),
                  dry_run ? "" : absl::StrCat(", now ", FormatBytes(done.bytes_after())), ".\n");
  return text;
}

absl::StatusOr<int> RunGc(Session& session, const GcOptions& options) {
  TUNE_ASSIGN_OR_RETURN(StudyClient* const client, session.Client());
  v1::CollectGarbageRequest policy;
  policy.set_keep_days(options.keep_days);
  policy.set_keep_best(options.keep_best);
  policy.set_remove_days(options.remove_days);
  policy.set_dry_run(options.dry_run);
  TUNE_ASSIGN_OR_RETURN(const v1::CollectGarbageResponse done, ExchangeClient(client).CollectGarbage(policy));
  session.out() << (session.options.json ? PrintJson(GcJson(done, options.dry_run))
                                         : GcText(done, options.dry_run));
  return kExitOk;
}

}  // namespace

void AddGc(CLI::App& app, Session& session) {
  auto options = std::make_shared<GcOptions>();
  CLI::App* verb = AddVerb(
      app, session, "gc", "Give up what is old and not needed in the server's database",
      "  tunectl gc --dry-run                      what would go\n"
      "  tunectl gc --keep-days 7 --keep-best 3\n"
      "  tunectl gc --remove-days 365              also whole studies\n\n"
      "First go texts: logs and generated code of failed and slow candidates. Measurements and "
      "configurations "
      "stay.\n"
      "Whole studies go only with --remove-days, and never the fastest known of a program, its sizes and a "
      "device.\n"
      "Studies that are worked on are left alone. The server answers slowly while the file is compacted.\n",
      "dry_run, texts, text_bytes, removed_studies, removed_candidates, bytes_before, bytes_after");
  const auto add = [&](const char* name, int& value, const char* help, int lowest) {
    verb->add_option(name, value, help)->check(CLI::Range(lowest, 1'000'000))->type_name("N");
  };
  add("--keep-days", options->keep_days,
      "Texts of studies that ended, and of replays, in the last N days stay. Default: 30", 0);
  add("--keep-best", options->keep_best,
      "Of older studies those of the N fastest candidates stay, and always those of the default, the best "
      "and the "
      "confirmed ones. Default: 10",
      0);
  add("--remove-days", options->remove_days,
      "Remove studies that ended more than N days ago. Default: none are removed", 1);
  verb->add_flag("--dry-run", options->dry_run, "Change nothing, only tell");
  verb->callback(
      [&session, options] { session.command = [&session, options] { return RunGc(session, *options); }; });
}

}  // namespace tune
