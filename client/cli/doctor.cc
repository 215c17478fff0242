#include "client/cli/checkup.h"
#include "client/cli/commands.h"
#include "client/report/json.h"

namespace tune {
namespace {

absl::StatusOr<int> RunDoctor(Session& session) {
  std::vector<Check> checks;
  auto add = [&](const std::vector<Check>& more) {
    for (const Check& check : more) {
      checks.push_back(check);
      if (!session.options.json) session.out() << PrintCheck(check) << std::flush;
    }
  };
  add(CheckServer(session));
  add({CheckCompiler()});
  add({CheckOpenMp()});
  add({CheckFrontEnd()});
  add({CheckGenerator()});
  add({CheckIsl()});
  add(CheckDaemons());
  add({CheckSandbox()});
  add(CheckCuda());
  bool failed = false;
  Json list = Json::array();
  for (const Check& check : checks) {
    constexpr const char* kLevels[] = {"ok", "warn", "fail"};
    failed |= check.level == Check::kFailure;
    list.push_back({{"check", check.name},
                    {"level", kLevels[check.level]},
                    {"text", check.text},
                    {"remedy", check.remedy}});
  }
  if (session.options.json) session.out() << PrintJson(list);
  return failed ? kExitFailed : kExitOk;
}

}  // namespace

void AddDoctor(CLI::App& app, Session& session) {
  CLI::App* verb = AddVerb(app, session, "doctor",
                           "Check what tuning needs on this machine; exit code 1 when something fails",
                           "  tunectl doctor\n"
                           "  tunectl --server host:7410 doctor\n",
                           "a list: check, level (ok, warn, fail), text, remedy");
  verb->callback([&session] { session.command = [&session] { return RunDoctor(session); }; });
}

}  // namespace tune
