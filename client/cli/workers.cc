#include <algorithm>

#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/time/clock.h"
#include "client/cli/commands.h"
#include "client/report/device_text.h"
#include "client/report/json.h"
#include "client/report/table.h"
#include "client/report/units.h"
#include "client/report/words.h"

namespace tune {
namespace {

constexpr size_t kShownTasks = 3;

std::string RunningCell(const v1::WorkerView& worker) {
  std::vector<std::string> tasks = absl::StrSplit(worker.running(), ", ");
  if (tasks.size() <= kShownTasks) return worker.running();
  const size_t more = tasks.size() - kShownTasks;
  tasks.resize(kShownTasks);
  return absl::StrCat(absl::StrJoin(tasks, ", "), " and ", more, " more");
}

std::string NoteCell(const v1::Device& device) {
  return device.quarantine().empty() ? "" : absl::StrCat("quarantined: ", device.quarantine());
}

// A row for the worker, and one more for each of its further devices.
void AddRows(const v1::WorkerView& worker, Table* table) {
  const std::string first = worker.devices().empty() ? "none" : DeviceLine(worker.devices(0));
  // A server that does not tell of devices has a note on the whole worker.
  const bool devices_told =
      std::any_of(worker.devices().begin(), worker.devices().end(),
                  [](const v1::Device& device) { return !device.quarantine().empty(); });
  table->AddRow({worker.name(), WorkerStateWord(worker.state()), RunningCell(worker),
                 absl::StrCat(worker.evaluations()), absl::StrCat(worker.failures()),
                 FormatAge(worker.last_seen_unix_ms(), absl::Now()), first,
                 devices_told ? NoteCell(worker.devices(0)) : worker.note()});
  for (int i = 1; i < worker.devices_size(); ++i) {
    table->AddRow({"", "", "", "", "", "", DeviceLine(worker.devices(i)), NoteCell(worker.devices(i))});
  }
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
  for (const v1::WorkerView& worker : workers) AddRows(worker, &table);
  session.out() << table.Print();
  return kExitOk;
}

}  // namespace

void AddWorkers(CLI::App& app, Session& session) {
  CLI::App* verb =
      AddVerb(app, session, "workers", "List the workers that the server knows", "  tunectl workers\n",
              "a list of workers: name, state (idle, busy, draining,\nquarantined: every device is), "
              "note, devices (each with\nquarantine: why it gets no work, ppcg: the version it has), "
              "last_seen, running, evaluations, "
              "failures");
  verb->callback([&session] { session.command = [&session] { return RunWorkers(session); }; });
}

}  // namespace tune
