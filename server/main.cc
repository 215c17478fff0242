// tuned-server: wires store, coordinator and services together.
#include <spdlog/spdlog.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include "common/base/file.h"
#include "common/base/log.h"
#include "common/rpc/token_file.h"
#include "common/rpc/version.h"
#include "server/analysis/own_generation.h"
#include "server/analysis/remote_space.h"
#include "server/analysis/scop_check.h"
#include "server/dashboard/dashboard_server.h"
#include "server/service/server.h"
#include "server/study/coordinator.h"

namespace tune {
namespace {

constexpr char kDefaultHttp[] = "127.0.0.1:7411";
constexpr absl::Duration kEndOfLoops = absl::Seconds(3);

struct Arguments {
  std::string listen = "127.0.0.1:7410";
  std::string http;  // empty: the default, where it is free
  std::string database;
  std::string restore;
  std::string token_file;
  bool no_token = false;
  std::string tls_certificate;
  std::string tls_key;
  std::string tls_client_authorities;
  Quotas quotas;
  std::string log_level = "info";
  int ready_file = -1;
};

void AddOptions(CLI::App& app, Arguments* arguments) {
  app.set_version_flag("--version", std::string("tuned-server ") + kVersion);
  app.add_option("--listen", arguments->listen, "unix:/path/to/socket, or host:port (port 0: any free one)")
      ->envname("TUNE_LISTEN")
      ->capture_default_str();
  app.add_option(
         "--http", arguments->http,
         "host:port of the web page and its read API (port 0: any free one); none: no page. Where nothing is "
         "given and another program has the default, there is no page either")
      ->envname("TUNE_HTTP")
      ->default_str(kDefaultHttp);
  app.add_option("--database", arguments->database, "SQLite file, made when missing; :memory: keeps nothing")
      ->envname("TUNE_DATABASE")
      ->default_str(DefaultDatabase());
  app.add_option(
         "--restore", arguments->restore,
         "put this backup (`tunectl backup`) in the place of --database, which is kept beside it, and end")
      ->type_name("FILE");
  app.add_option("--token-file", arguments->token_file,
                 "who may call: lines ROLE NAME HASH, which `tunectl token add` writes, or one secret, which "
                 "is an admin's. Read "
                 "again when it changes. Default: DATABASE.token, made when missing, for callers over TCP; "
                 "those over a unix "
                 "socket, which only its user can open, need none")
      ->envname("TUNE_TOKEN_FILE")
      ->type_name("FILE");
  app.add_flag(
      "--no-token", arguments->no_token,
      "no token over TCP either, on loopback alone: every user of this machine can run programs as the "
      "workers' users");
  app.add_option("--tls-cert", arguments->tls_certificate, "certificate chain, PEM");
  app.add_option("--tls-key", arguments->tls_key, "private key of --tls-cert, PEM");
  app.add_option(
      "--tls-client-ca", arguments->tls_client_authorities,
      "PEM file of the authority that signs callers' certificates: who shows one is the identity with its "
      "common name (`tunectl token add ROLE NAME --certificate`)");
  const auto add_quota = [&](const std::string& name, int64_t* quota, const std::string& what) {
    app.add_option(name, *quota, what + " of each owner but admins; 0: no limit")
        ->check(CLI::NonNegativeNumber)
        ->type_name("N")
        ->capture_default_str();
  };
  add_quota("--max-studies", &arguments->quotas.studies, "studies at once");
  add_quota("--max-evaluations", &arguments->quotas.evaluations,
            "evaluations that running studies have still to make");
  add_quota("--max-bytes", &arguments->quotas.bytes, "bytes of programs in the database");
  add_quota("--max-device-seconds", &arguments->quotas.device_seconds, "seconds of devices in 24 hours");
  app.add_option("--log-level", arguments->log_level, "how much is said on standard error")
      ->check(CLI::IsMember({"trace", "debug", "info", "warn", "error", "off"}))
      ->capture_default_str();
  app.add_option("--ready-fd", arguments->ready_file,
                 "open file descriptor that gets the address and a newline once the server answers");
  app.footer(
      "Ends on SIGTERM and SIGINT. Nothing is lost when it is killed: it goes on where it was.\n"
      "Exit codes: 0 ended by a signal, 1 cannot serve (says why), 2 wrong arguments.");
}

// The file of --database, whose folder exists when it is the default one.
absl::StatusOr<std::string> DatabaseFile(const Arguments& arguments) {
  if (!arguments.database.empty()) return arguments.database;
  const std::string path = DefaultDatabase();
  TUNE_RETURN_IF_ERROR(MakeFolder(std::filesystem::path(path).parent_path()));
  return path;
}

absl::StatusOr<std::unique_ptr<Store>> OpenStore(const Arguments& arguments, ScopIdentifier identify) {
  if (arguments.database == ":memory:") return MakeMemoryStore(std::move(identify));
  TUNE_ASSIGN_OR_RETURN(const std::string path, DatabaseFile(arguments));
  return OpenSqliteStore(path, std::move(identify));
}

absl::Status Restore(const Arguments& arguments) {
  if (arguments.database == ":memory:") {
    return absl::InvalidArgumentError(
        "--restore: a database in memory cannot be restored; give --database FILE");
  }
  TUNE_ASSIGN_OR_RETURN(const std::string path, DatabaseFile(arguments));
  TUNE_ASSIGN_OR_RETURN(const std::string kept, RestoreSqliteFile(arguments.restore, path));
  std::printf("%s: restored from %s%s\n", path.c_str(), arguments.restore.c_str(),
              kept.empty() ? "" : ("; what was there is kept as " + kept).c_str());
  return absl::OkStatus();
}

// Who may call over the socket, and over HTTP.
struct Authorities {
  std::unique_ptr<Authority> rpc, http;
};

// The file of tokens for TCP; made where it is the default one.
absl::StatusOr<std::string> TokenFile(const Arguments& arguments) {
  if (!arguments.token_file.empty()) return arguments.token_file;
  std::string beside = DefaultDatabase();
  if (arguments.database != ":memory:") {
    TUNE_ASSIGN_OR_RETURN(beside, DatabaseFile(arguments));
  } else {
    TUNE_RETURN_IF_ERROR(MakeFolder(std::filesystem::path(beside).parent_path()));
  }
  const std::string path = TokenFileBeside(beside);
  TUNE_RETURN_IF_ERROR(MakeTokenFile(path));
  return path;
}

absl::StatusOr<Authorities> OpenAuthorities(const Arguments& arguments) {
  if (arguments.no_token && !arguments.token_file.empty()) {
    return absl::InvalidArgumentError("--no-token and --token-file contradict each other: give one of them");
  }
  TUNE_ASSIGN_OR_RETURN(const Address address, ParseAddress(arguments.listen));
  const Identity self{Role::kAdmin, UserName(geteuid())};
  const bool over_socket = address.is_unix && arguments.token_file.empty();
  const bool any_tcp = !over_socket || arguments.http != "none";
  Authorities authorities{Authority::Trusting(self), Authority::Trusting(self)};
  if (!any_tcp) return authorities;
  if (arguments.no_token) {
    spdlog::warn("--no-token: every user of this machine can read all studies{}",
                 over_socket ? "" : ", and run programs as the workers' users");
    return authorities;
  }
  TUNE_ASSIGN_OR_RETURN(const std::string path, TokenFile(arguments));
  spdlog::info("tokens: {}; who opens the page logs in with one", path);
  if (!over_socket) {
    TUNE_ASSIGN_OR_RETURN(authorities.rpc, Authority::OfFile(path));
  }
  TUNE_ASSIGN_OR_RETURN(authorities.http, Authority::OfFile(path));
  return authorities;
}

absl::StatusOr<ServerOptions> OptionsOf(const Arguments& arguments) {
  ServerOptions options;
  options.listen = arguments.listen;
  if (!arguments.tls_certificate.empty()) {
    TUNE_ASSIGN_OR_RETURN(options.certificate, ReadFile(arguments.tls_certificate));
  }
  if (!arguments.tls_client_authorities.empty()) {
    TUNE_ASSIGN_OR_RETURN(options.client_authorities, ReadFile(arguments.tls_client_authorities));
  }
  if (!arguments.tls_key.empty()) {
    TUNE_ASSIGN_OR_RETURN(options.private_key, ReadFile(arguments.tls_key));
  }
  return options;
}

void TellReady(const std::string& address, int file) {
  std::printf("tuned-server %s ready on %s\n", kVersion, address.c_str());
  std::fflush(stdout);
  if (file < 0) return;
  const std::string line = address + "\n";
  if (write(file, line.data(), line.size()) != static_cast<ssize_t>(line.size())) {
    spdlog::warn("--ready-fd {}: cannot be written: {}", file, std::strerror(errno));
  }
  close(file);
}

// Null with --http none, and where the default address is taken and nobody asked for it.
absl::StatusOr<std::unique_ptr<DashboardServer>> StartDashboard(const Arguments& arguments,
                                                                const Authority* authority,
                                                                Coordinator* coordinator) {
  if (arguments.http == "none") return nullptr;
  DashboardOptions options;
  options.listen = arguments.http.empty() ? kDefaultHttp : arguments.http;
  options.authority = authority;
  absl::StatusOr<std::unique_ptr<DashboardServer>> dashboard = DashboardServer::Start(options, coordinator);
  if (arguments.http.empty() && absl::IsUnavailable(dashboard.status())) {
    spdlog::warn("there is no page: {}", std::string(dashboard.status().message()));
    return nullptr;
  }
  TUNE_RETURN_IF_ERROR(dashboard.status());
  spdlog::info("page: {}", (*dashboard)->url());
  return dashboard;
}

// What workers' code is compared with. Where tune-generate is missing each study says that it was not.
CodeGeneration Generation() {
  absl::StatusOr<std::vector<std::string>> program = GenerationProgram();
  if (program.ok()) return OwnGeneration({.program = *std::move(program)});
  spdlog::warn("code of workers is not compared with this server's own: {}",
               std::string(program.status().message()));
  return [missing = program.status()](const v1::GenerationRequest&) { return missing; };
}

absl::Status Serve(const Arguments& arguments, const sigset_t& ending) {
  TUNE_ASSIGN_OR_RETURN(const Authorities authorities, OpenAuthorities(arguments));
  TUNE_ASSIGN_OR_RETURN(ServerOptions options, OptionsOf(arguments));
  options.authority = authorities.rpc.get();
  // isl reads what others have sent in processes that may die.
  AnalyserOptions analyser;
  TUNE_ASSIGN_OR_RETURN(analyser.program, AnalyserProgram());
  ScopCheck check({.analyser = analyser});
  TUNE_ASSIGN_OR_RETURN(
      const std::unique_ptr<Store> store,
      OpenStore(arguments, [&check](const v1::Scop& scop) { return check.Identify(scop); }));
  CoordinatorOptions coordinator_options;
  coordinator_options.quotas = arguments.quotas;
  coordinator_options.generate = Generation();
  TUNE_ASSIGN_OR_RETURN(
      const std::unique_ptr<Coordinator> coordinator,
      Coordinator::Start(coordinator_options, store.get(), &Clock::Real(), RemoteSpaces(analyser)));
  absl::StatusOr<std::unique_ptr<DashboardServer>> dashboard =
      StartDashboard(arguments, authorities.http.get(), coordinator.get());
  TUNE_RETURN_IF_ERROR(dashboard.status());
  absl::StatusOr<std::unique_ptr<Server>> server = Server::Start(options, coordinator.get());
  if (server.ok()) {
    TellReady((*server)->address(), arguments.ready_file);
    int signal = 0;
    sigwait(&ending, &signal);
    spdlog::info("{}: ending", strsignal(signal));
  }
  const bool ended = coordinator->Shutdown(kEndOfLoops);
  if (*dashboard != nullptr) (*dashboard)->Stop();
  if (server.ok()) (*server)->Stop();
  if (!ended) {
    // A study's thread is deep in isl. All that counts is in the store.
    spdlog::info("a schedule is still being computed; leaving it");
    spdlog::shutdown();
    std::_Exit(server.ok() ? 0 : 1);
  }
  return server.status();
}

// Each worker, client and page is an open file; systems allow 1024 at first and many more when asked.
void RaiseFileLimit() {
  rlimit files;
  if (getrlimit(RLIMIT_NOFILE, &files) != 0) return;
  files.rlim_cur = files.rlim_max;
  setrlimit(RLIMIT_NOFILE, &files);
}

}  // namespace
}  // namespace tune

int main(int argc, char** argv) {
  // Socket and database are the owner's alone.
  umask(077);
  tune::Arguments arguments;
  CLI::App app(
      "Coordinates the tuning of loop nests: takes studies from tunectl, hands candidates to tune-worker.",
      "tuned-server");
  tune::AddOptions(app, &arguments);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  }
  tune::StartLog("tuned-server", arguments.log_level);
  // Blocked before any thread exists, so that only sigwait gets them.
  sigset_t ending;
  sigemptyset(&ending);
  sigaddset(&ending, SIGTERM);
  sigaddset(&ending, SIGINT);
  pthread_sigmask(SIG_BLOCK, &ending, nullptr);
  tune::RaiseFileLimit();
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);  // a write beyond the limit of a file's size is an error like others
  const absl::Status status =
      arguments.restore.empty() ? tune::Serve(arguments, ending) : tune::Restore(arguments);
  if (status.ok()) return 0;
  std::fprintf(stderr, "tuned-server: %s\n", std::string(status.message()).c_str());
  return 1;
}
