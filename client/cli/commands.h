// The verbs of tunectl. Each adds its subcommand to `app`; when it is chosen the parser sets session.command.
// `session` must outlive `app`.
#pragma once

#include <CLI/CLI.hpp>

#include "client/cli/session.h"

namespace tune {

void AddSubmit(CLI::App& app, Session& session);
void AddTune(CLI::App& app, Session& session);
void AddLs(CLI::App& app, Session& session);
void AddShow(CLI::App& app, Session& session);
void AddWatch(CLI::App& app, Session& session);
void AddLogs(CLI::App& app, Session& session);
void AddCancel(CLI::App& app, Session& session);
void AddBest(CLI::App& app, Session& session);
void AddFetch(CLI::App& app, Session& session);
void AddReplay(CLI::App& app, Session& session);
void AddReplaySpace(CLI::App& app, Session& session);
void AddExplain(CLI::App& app, Session& session);
void AddCarving(CLI::App& app, Session& session);
void AddWorkers(CLI::App& app, Session& session);
void AddExtract(CLI::App& app, Session& session);
void AddRegions(CLI::App& app, Session& session);
void AddDescribe(CLI::App& app, Session& session);
void AddGenerate(CLI::App& app, Session& session);
void AddOnline(CLI::App& app, Session& session);
void AddDoctor(CLI::App& app, Session& session);
void AddExport(CLI::App& app, Session& session);
void AddImport(CLI::App& app, Session& session);
void AddWisdom(CLI::App& app, Session& session);
void AddPublish(CLI::App& app, Session& session);
void AddPull(CLI::App& app, Session& session);
void AddGc(CLI::App& app, Session& session);
void AddBackup(CLI::App& app, Session& session);
void AddToken(CLI::App& app, Session& session);

// A subcommand whose help ends with `examples` (indented lines) and, when not empty, what --json prints.
CLI::App* AddVerb(CLI::App& app, Session& session, const std::string& name, const std::string& description,
                  const std::string& examples, const std::string& json);

// --server, --token-file, --ca-file, --private, --json.
void AddGlobalOptions(CLI::App& app, GlobalOptions& options);

}  // namespace tune
