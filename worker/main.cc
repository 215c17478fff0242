// tune-worker: wires the server's leases to compiler, runner and evaluator.
#include <spdlog/spdlog.h>
#include <sys/prctl.h>
#include <sys/stat.h>

#include <CLI/CLI.hpp>
#include <atomic>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <thread>

#include "common/base/file.h"
#include "common/base/log.h"
#include "common/base/secret.h"
#include "common/rpc/channel.h"
#include "common/rpc/token_file.h"
#include "common/rpc/version.h"
#include "worker/build/host_compiler.h"
#include "worker/device/cuda_host.h"
#include "worker/device/device_peaks.h"
#include "worker/device/host_device.h"
#include "worker/lease/grpc_transport.h"
#include "worker/lease/lease_loop.h"
#include "worker/lease/study_executor.h"
#include "worker/lease/worker_secret.h"
#include "worker/ppcg/ppcg_program.h"
#include "worker/run/work_folder.h"
#include "worker/sandbox/sandbox.h"

namespace tune {
namespace {

struct Arguments {
  std::string server;
  std::string name;
  std::string cache;
  int threads = 0;
  std::string devices = "all";
  std::string cuda_compiler = "nvrtc";
  std::string ppcg;
  int slots = 0;
  std::string token_file;
  std::string ca_file;
  std::string certificate_file, key_file;
  std::string log_level = "info";
  std::vector<std::string> sandbox_folders;
  bool unsafe_no_sandbox = false;
};

std::string DefaultCache() {
  const char* cache = std::getenv("XDG_CACHE_HOME");
  const char* home = std::getenv("HOME");
  const std::string base = cache != nullptr && cache[0] == '/' ? cache
                           : home != nullptr && home[0] == '/' ? std::string(home) + "/.cache"
                                                               : "/var/cache";
  return base + "/tune-worker";
}

void AddOptions(CLI::App& app, Arguments* arguments) {
  app.set_version_flag("--version", std::string("tune-worker ") + kVersion);
  app.add_option("--server", arguments->server, "Address of tuned-server: unix:/path/to/socket, or host:port")
      ->envname("TUNE_SERVER")
      ->type_name("ADDR")
      ->required();
  app.add_option("--name", arguments->name,
                 "Name of this worker; must differ between workers of one server. Default: the host's name")
      ->envname("TUNE_WORKER_NAME")
      ->type_name("NAME");
  app.add_option("--cache", arguments->cache,
                 "Folder for references and binaries; may be deleted at any time")
      ->envname("TUNE_CACHE")
      ->type_name("DIR")
      ->default_str(DefaultCache());
  app.add_option("--threads", arguments->threads,
                 "Hardware threads that candidates may use. Default: all that this process may run on")
      ->check(CLI::Range(1, 4096))
      ->type_name("N");
  app.add_option("--devices", arguments->devices,
                 "GPUs to serve: `all`, `none`, or the driver's numbers, as 0,1")
      ->envname("TUNE_DEVICES")
      ->type_name("LIST")
      ->capture_default_str();
  app.add_option("--cuda-compiler", arguments->cuda_compiler, "What makes device code")
      ->check(CLI::IsMember({"nvrtc", "nvcc"}))
      ->capture_default_str();
  app.add_option("--ppcg", arguments->ppcg,
                 "PPCG 0.09, for studies with --generator ppcg. Default: `ppcg` in PATH, if it is there")
      ->envname("TUNE_PPCG")
      ->type_name("PROGRAM");
  app.add_option(
         "--slots", arguments->slots,
         "Candidates for GPUs that are generated and built at once; as many again may wait for a GPU. "
         "Default: as many as --threads")
      ->check(CLI::Range(1, 256))
      ->type_name("N");
  app.add_option("--token-file", arguments->token_file,
                 "File whose first line the server wants to see. Default: the one that the server of this "
                 "user makes, for a "
                 "server on this machine, where there is one")
      ->envname("TUNE_TOKEN_FILE")
      ->type_name("FILE");
  app.add_option("--ca-file", arguments->ca_file,
                 "PEM file of the authority that signed the server's certificate; turns on TLS")
      ->envname("TUNE_CA_FILE")
      ->type_name("FILE");
  app.add_option("--cert", arguments->certificate_file,
                 "PEM file of this worker's certificate, for a server that takes those for tokens")
      ->envname("TUNE_CERT")
      ->type_name("FILE");
  app.add_option("--key", arguments->key_file, "PEM file of its private key")
      ->envname("TUNE_KEY")
      ->type_name("FILE");
  app.add_option("--log-level", arguments->log_level, "How much is said on standard error")
      ->check(CLI::IsMember({"trace", "debug", "info", "warn", "error", "off"}))
      ->capture_default_str();
  app.add_option(
         "--sandbox-read", arguments->sandbox_folders,
         "Further folder that compilers and users' programs may read, such as a compiler's in an unusual "
         "place; may be repeated")
      ->envname("TUNE_SANDBOX_READ")
      ->delimiter(':')
      ->check(CLI::ExistingPath)
      ->type_name("DIR");
  app.add_flag(
      "--unsafe-no-sandbox", arguments->unsafe_no_sandbox,
      "Work also where the kernel permits no namespaces: what clients submit then sees the files and "
      "processes of this user. No effect elsewhere");
  app.footer(
      "The compiler is `cc`, or the command in the environment variable CC. tune-runner and tune-sandbox "
      "must "
      "lie\n"
      "beside this program, or in the folder named by TUNE_LIBEXEC; for GPUs tune-cuda-runner too.\n"
      "SIGTERM and SIGINT give the lease back and end the worker; a second one ends it at once. SIGUSR1 "
      "lets\n"
      "it finish what it does and end.\n"
      "Exit codes: 0 ended by a signal, 1 cannot work (says why), 2 wrong arguments.");
}

absl::StatusOr<std::shared_ptr<grpc::Channel>> Connect(const Arguments& arguments) {
  ChannelOptions options;
  options.address = arguments.server;
  options.ca_file = arguments.ca_file;
  options.certificate_file = arguments.certificate_file;
  options.key_file = arguments.key_file;
  TUNE_ASSIGN_OR_RETURN(options.token, TokenFor(arguments.server, arguments.token_file));
  return OpenChannel(options);
}

// Ends or drains the loop when a signal asks for it. Runs until the process ends.
void HandleSignals(const sigset_t& signals, LeaseLoop* loop) {
  bool stopping = false;
  while (true) {
    int signal = 0;
    if (sigwait(&signals, &signal) != 0) continue;
    if (signal == SIGUSR1) {
      spdlog::info("finishing what is under way, then ending");
      loop->Drain();
    } else if (stopping) {
      std::_Exit(1);
    } else {
      spdlog::info("{}: giving the lease back and ending", strsignal(signal));
      stopping = true;
      loop->Stop();
    }
  }
}

// One line for each GPU, or one that says why there is none.
void TellDevices(const absl::StatusOr<std::unique_ptr<CudaHost>>& cuda) {
  if (!cuda.ok()) {
    spdlog::info("no GPU: {}", std::string(cuda.status().message()));
    return;
  }
  for (const v1::Device& device : (*cuda)->devices()) {
    spdlog::info("GPU {}: {}, compute capability {}.{}, {} multiprocessors, {} GiB, {}",
                 device.cuda().ordinal(), device.model(), device.cuda().compute_capability_major(),
                 device.cuda().compute_capability_minor(), device.cores(), device.memory_bytes() >> 30,
                 device.compiler());
  }
}

// PPCG, where a GPU could use it and it is found; told in one line. An error when it was asked for.
absl::StatusOr<std::optional<PpcgProgram>> OpenPpcg(const std::string& path, bool has_gpu) {
  if (!has_gpu && path.empty()) return std::nullopt;
  absl::StatusOr<PpcgProgram> program = PpcgProgram::Find(path);
  if (program.ok()) {
    spdlog::info("ppcg: {}, {}", program->path(), program->version());
    return *std::move(program);
  }
  if (!path.empty()) return program.status();
  spdlog::info("studies with --generator ppcg are left to others: {}",
               std::string(program.status().message()));
  return std::nullopt;
}

// Before the worker takes leases, whose measurements it would disturb; the second time they come from a file.
void FindPeaksOf(std::vector<v1::Device>* devices, const std::string& cache, Compiler* compiler) {
  for (v1::Device& device : *devices)
    FindPeaks(
        cache + "/peaks", [&] { return MeasurePeaks(device, compiler); }, &device);
}

// What is compiled, run and measured sees nothing of this machine, or whoever started this worker wants it
// so.
absl::Status PrepareSandbox(const Arguments& arguments) {
  AddReadableFolders(arguments.sandbox_folders);
  const absl::Status support = SandboxSupport();
  if (support.ok() || absl::IsNotFound(support)) return support;
  if (!arguments.unsafe_no_sandbox) {
    return absl::FailedPreconditionError(
        absl::StrCat(support.message(), "; ", kSandboxRemedy,
                     "; or start with --unsafe-no-sandbox: what clients submit then sees the files and "
                     "processes of this user"));
  }
  spdlog::warn("{}; what is submitted sees the files and processes of this user (--unsafe-no-sandbox)",
               std::string(support.message()));
  return absl::OkStatus();
}

// Runs get control groups where this worker may make them; one line says which it is.
void PrepareControlGroups() {
  static ControlFiles kernel;
  absl::StatusOr<std::unique_ptr<DelegatedGroup>> delegated = DelegatedGroup::Take({}, &kernel);
  if (!delegated.ok()) {
    spdlog::info("limits are of single processes, not of a run's together: {}; {}",
                 std::string(delegated.status().message()), kDelegationRemedy);
    return;
  }
  spdlog::info("each run has a control group below {}", (*delegated)->folder());
  UseControlGroups(*std::move(delegated));
}

absl::Status Work(const Arguments& arguments, const sigset_t& signals) {
  TUNE_RETURN_IF_ERROR(PrepareSandbox(arguments));
  PrepareControlGroups();
  const std::string cache = arguments.cache.empty() ? DefaultCache() : arguments.cache;
  TUNE_ASSIGN_OR_RETURN(const std::string work_folder, MakeWorkFolder(cache));
  setenv("TMPDIR", work_folder.c_str(), 1);
  TUNE_ASSIGN_OR_RETURN(const std::unique_ptr<ProcessRunner> runner, ProcessRunner::Make());
  TUNE_ASSIGN_OR_RETURN(const std::unique_ptr<HostCompiler> compiler,
                        HostCompiler::Make(cache + "/binaries"));
  TUNE_ASSIGN_OR_RETURN(const std::shared_ptr<grpc::Channel> channel, Connect(arguments));

  WorkerIdentity identity;
  identity.name = arguments.name.empty() ? HostName() : arguments.name;
  TUNE_ASSIGN_OR_RETURN(const WorkerSecret secret, WorkerSecret::Take(cache, identity.name));
  identity.secret = secret.text();
  identity.session = MakeSecret();
  identity.version = kVersion;
  const v1::Device host = DescribeHost(compiler->version(), arguments.threads);
  spdlog::info("worker {} for {}: {}, {} threads, {}", identity.name, arguments.server, host.model(),
               host.cores(), host.compiler());
  const int slots = arguments.slots > 0 ? arguments.slots : host.cores();
  const absl::StatusOr<std::unique_ptr<CudaHost>> cuda =
      CudaHost::Open({arguments.devices, arguments.cuda_compiler, cache + "/cubins", slots});
  if (absl::IsInvalidArgument(cuda.status())) return cuda.status();
  TellDevices(cuda);
  TUNE_ASSIGN_OR_RETURN(const std::optional<PpcgProgram> ppcg, OpenPpcg(arguments.ppcg, cuda.ok()));

  EvaluatorTools tools;
  tools.worker = identity.name;
  tools.slots = slots;
  tools.host_threads = host.cores();
  tools.ppcg = ppcg.has_value() ? &*ppcg : nullptr;
  tools.compiler = compiler.get();
  tools.runner = runner.get();
  if (cuda.ok()) {
    // The GPU first: it is what a study gets that asks for nothing.
    identity.devices = (*cuda)->devices();
    for (v1::Device& device : identity.devices) {
      device.set_operating_system(host.operating_system());
      if (ppcg.has_value()) device.set_ppcg(ppcg->version());
    }
    identity.slots = (*cuda)->leases();
    tools.cubin = (*cuda)->compiler();
    tools.builds = (*cuda)->slots();
    tools.devices = (*cuda)->Groups();
    identity.mark_devices = [host = cuda->get()](std::vector<v1::Device>* devices) {
      host->MarkRetired(devices);
    };
  }
  identity.devices.push_back(host);
  FindPeaksOf(&identity.devices, cache, compiler.get());

  const StudyExecutorOptions options = {identity.name, cache, slots,
                                        tools.ppcg,    tools, CudaInspectorFactory(tools)};
  GrpcTransport transport(channel);
  StudyExecutor executor(options, &transport, compiler.get(), runner.get(), PipelineEvaluatorFactory(tools));
  LeaseLoop loop(identity, &transport, &executor, std::hash<std::string>()(identity.session));
  std::thread([&signals, &loop] { HandleSignals(signals, &loop); }).detach();
  const absl::Status status = loop.Run();
  if (!status.ok()) std::fprintf(stderr, "tune-worker: %s\n", std::string(status.message()).c_str());
  std::error_code ignored;
  std::filesystem::remove_all(work_folder, ignored);
  // The thread of signals, and perhaps a schedule that is still being computed, use what lives here.
  spdlog::shutdown();
  std::fflush(nullptr);
  std::_Exit(status.ok() ? 0 : 1);
}

}  // namespace
}  // namespace tune

int main(int argc, char** argv) {
  umask(077);
  prctl(PR_SET_DUMPABLE, 0);  // its memory is no file that others of the same user can open
  tune::Arguments arguments;
  CLI::App app("Builds, checks and measures candidates on this machine for tuned-server.", "tune-worker");
  tune::AddOptions(app, &arguments);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  }
  tune::StartLog("tune-worker", arguments.log_level);
  // Blocked before any thread exists, so that only sigwait gets them.
  sigset_t signals;
  sigemptyset(&signals);
  for (int signal : {SIGTERM, SIGINT, SIGUSR1}) sigaddset(&signals, signal);
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  std::signal(SIGPIPE, SIG_IGN);
  const absl::Status status = tune::Work(arguments, signals);
  std::fprintf(stderr, "tune-worker: %s\n", std::string(status.message()).c_str());
  return 1;
}
