#include "absl/strings/str_join.h"
#include "absl/time/clock.h"
#include "client/cli/commands.h"
#include "client/report/json.h"
#include "client/report/table.h"
#include "client/report/units.h"
#include "client/report/words.h"

namespace tune {
namespace {

std::string DeviceCell(const v1::WorkerView& worker) {
  return absl::StrJoin(worker.devices(), "; ", [](std::string* out, const v1::Device& device) {
    absl::StrAppend(out, TargetWord(device.target()), ": ", device.model(), ", ",
                    FormatCount(device.cores(), "core"));
  });
}

absl::StatusOr<int> RunWorkers(Session& session) {
  TUNE_ASSIGN_OR_RETURN(StudyClient* const client, session.Client());
  TUNE_ASSIGN_OR_RETURN(const std::vector<v1::WorkerView> workers, client->ListWorkers());
  if (session.options.json) {
    Json list = Json::array();
    for (const v1::WorkerView& worker : workers) list.push_back(ToJson(worker));
    session.out() << PrintJson(list);
    return kExitOk;
  }
  if (workers.empty()) {
    session.out() << "No workers at " << client->address() << "; start one with `tune-worker --server "
                  << client->address() << "`.\n";
    return kExitOk;
  }
  using Align = Table::Align;
  Table table({{"worker"},
               {"state"},
               {"running"},
               {"evaluations", Align::kRight},
               {"failures", Align::kRight},
               {"last seen"},
               {"devices"},
               {"note"}});
  for (const v1::WorkerView& worker : workers) {
    table.AddRow({worker.name(), WorkerStateWord(worker.state()), worker.running(),
                  absl::StrCat(worker.evaluations()), absl::StrCat(worker.failures()),
                  FormatAge(worker.last_seen_unix_ms(), absl::Now()), DeviceCell(worker), worker.note()});
  }
  session.out() << table.Print();
  return kExitOk;
}

}  // namespace

void AddWorkers(CLI::App& app, Session& session) {
  CLI::App* verb =
      AddVerb(app, session, "workers", "List the workers that the server knows", "  tunectl workers\n",
              "a list of workers: name, state (idle, busy, draining,\nquarantined), note, devices, "
              "last_seen, running, evaluations, failures");
  verb->callback([&session] { session.command = [&session] { return RunWorkers(session); }; });
}

}  // namespace tune
