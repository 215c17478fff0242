#include <memory>

#include "client/cli/commands.h"
#include "client/cli/interrupt.h"
#include "client/report/json.h"
#include "client/report/units.h"
#include "client/submit/exchange_client.h"
#include "client/submit/shell_words.h"

namespace tune {
namespace {

absl::StatusOr<int> RunBackup(Session& session, const std::string& path) {
  TUNE_ASSIGN_OR_RETURN(StudyClient* const client, session.Client());
  const InterruptGuard interrupt;
  const absl::StatusOr<int64_t> bytes =
      ExchangeClient(client).Backup(path, [&] { return interrupt.interrupted(); });
  if (interrupt.interrupted() && !bytes.ok()) {
    session.err() << "Interrupted; no backup was written.\n";
    return kExitInterrupted;
  }
  TUNE_RETURN_IF_ERROR(bytes.status());
  if (session.options.json) {
    session.out() << PrintJson({{"file", path}, {"bytes", *bytes}});
  } else {
    session.out() << "Wrote " << path << ", " << FormatBytes(*bytes)
                  << ". With the server ended, `tuned-server --restore " << JoinShellWords({path})
                  << " --database FILE` puts it in the place of FILE.\n";
  }
  return kExitOk;
}

}  // namespace

void AddBackup(CLI::App& app, Session& session) {
  auto path = std::make_shared<std::string>();
  CLI::App* verb =
      AddVerb(app, session, "backup", "Copy the database of a running server to a new file",
              "  tunectl backup lab-2026-11-22.db\n\n"
              "The copy is consistent, and the server goes on meanwhile; it needs as much space beside "
              "its database\n"
              "for a moment. `tuned-server --restore FILE` takes it back.\n",
              "file, bytes");
  verb->add_option("FILE", *path, "File to write; it must not exist")->required();
  verb->callback(
      [&session, path] { session.command = [&session, path] { return RunBackup(session, *path); }; });
}

}  // namespace tune
