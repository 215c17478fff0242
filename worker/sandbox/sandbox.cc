#include "worker/sandbox/sandbox.h"

#include <cstdlib>
#include <filesystem>

#include "absl/strings/match.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "common/base/cuda_toolkit.h"
#include "common/base/launched_process.h"
#include "common/base/sandbox_support.h"
#include "worker/confine/failure.h"
#include "worker/sandbox/clean_environment.h"

namespace tune {
namespace {

namespace fs = std::filesystem;

// As in worker/confine/private_root.cc.
constexpr const char* kSystemFolders[] = {"/usr/",   "/bin/",   "/sbin/",  "/lib/",
                                          "/lib32/", "/lib64/", "/libx32/"};

std::vector<std::string>& FurtherReadable() {
  static auto* const folders = new std::vector<std::string>;
  return *folders;
}

// Of all runs; null: they have none.
std::unique_ptr<DelegatedGroup>& Delegated() {
  static auto* const delegated = new std::unique_ptr<DelegatedGroup>;
  return *delegated;
}

// The run's group, or null.
absl::StatusOr<std::unique_ptr<ControlGroup>> MakeGroup(const ControlGroupLimits& limits) {
  if (Delegated() == nullptr) return nullptr;
  return Delegated()->MakeRun(limits);
}

// Whether all of the folder may be shown: not one that holds users' files.
bool IsInstallation(const fs::path& folder) {
  const char* const home = std::getenv("HOME");
  const std::string inside = absl::StrCat(folder.string(), "/");
  return folder != "/" && folder.parent_path() != "/home" &&
         (home == nullptr || !absl::StartsWith(absl::StrCat(home, "/"), inside));
}

bool IsOfSystem(const std::string& path) {
  for (const char* folder : kSystemFolders) {
    if (absl::StartsWith(path, folder)) return true;
  }
  return false;
}

// What tune-sandbox says of itself, in one line.
std::string OneLine(const SubprocessResult& run) {
  const absl::string_view said = absl::StripPrefix(run.standard_error, "tune-sandbox: ");
  return said.empty() ? run.Describe() : std::string(said.substr(0, said.find('\n')));
}

const char* NameOf(SandboxSettings::Calls calls) {
  return calls == SandboxSettings::kDevice ? "device" : "program";
}

void AddLimit(const char* option, int64_t value, std::vector<std::string>* command) {
  if (value > 0) command->insert(command->end(), {option, absl::StrCat(value)});
}

void AddPaths(const char* option, const std::vector<std::string>& paths, std::vector<std::string>* command) {
  for (const std::string& path : paths) command->insert(command->end(), {option, path});
}

}  // namespace

void AddReadableFolders(const std::vector<std::string>& folders) {
  std::error_code ignored;
  for (const std::string& folder : folders)
    FurtherReadable().push_back(fs::absolute(folder, ignored).string());
}

std::vector<std::string> InstallationOf(const std::string& program) {
  std::error_code error;
  const std::string real = fs::canonical(program, error).string();
  std::vector<std::string> needed;
  for (const std::string& path : {program, real}) {
    if (path.empty() || IsOfSystem(path)) continue;
    const fs::path folder = fs::path(path).parent_path(), prefix = folder.parent_path();
    const bool installed = folder.filename() == "bin" && IsInstallation(prefix);
    needed.push_back(installed ? prefix.string() : path);
  }
  return needed;
}

std::vector<std::string> LibraryFolders() {
  std::vector<std::string> found;
  for (const char* name : {"LD_LIBRARY_PATH", "CUDA_HOME", "CUDA_PATH"}) {
    const char* const value = std::getenv(name);
    for (const absl::string_view folder :
         absl::StrSplit(value == nullptr ? "" : value, ':', absl::SkipEmpty())) {
      std::error_code error;
      const std::string path(folder);
      if (path[0] == '/' && !IsOfSystem(path) && IsInstallation(path) && fs::is_directory(path, error)) {
        found.push_back(path);
      }
    }
  }
  if (const absl::StatusOr<std::string> nvcc = FindNvcc(); nvcc.ok()) {
    for (std::string& path : InstallationOf(*nvcc)) found.push_back(std::move(path));
  }
  return found;
}

void UseControlGroups(std::unique_ptr<DelegatedGroup> delegated) { Delegated() = std::move(delegated); }

absl::StatusOr<SandboxedCommand> MakeSandboxed(const std::vector<std::string>& argv,
                                               const SandboxSettings& settings,
                                               const SubprocessOptions& options) {
  if (argv.empty()) return absl::InvalidArgumentError("no program to run");
  TUNE_ASSIGN_OR_RETURN(const std::string sandbox, FindSandboxProgram());
  TUNE_ASSIGN_OR_RETURN(const std::string program, FindInPath(argv[0]));
  SandboxedCommand made = {{sandbox}, options};
  if (SandboxSupport().ok()) {
    AddPaths("--read", FurtherReadable(), &made.argv);
    AddPaths("--read", settings.readable, &made.argv);
    if (!IsOfSystem(program)) AddPaths("--read", {program}, &made.argv);
    AddPaths("--write", settings.writable, &made.argv);
    AddPaths("--device", settings.devices, &made.argv);
    if (settings.system_state) made.argv.push_back("--system-state");
    AddLimit("--processes", settings.processes, &made.argv);
  } else {
    made.argv.push_back("--no-namespaces");
  }
  if (!options.folder.empty()) made.argv.insert(made.argv.end(), {"--folder", options.folder});
  if (settings.calls != SandboxSettings::kOfRunner)
    made.argv.insert(made.argv.end(), {"--calls", NameOf(settings.calls)});
  // The program's limits, not those of tune-sandbox.
  AddLimit("--memory", options.memory_limit_bytes, &made.argv);
  AddLimit("--file-size", options.file_limit_bytes, &made.argv);
  if (options.cpu_limit != absl::InfiniteDuration()) {
    AddLimit("--cpu",
             std::max<int64_t>(1, absl::ToInt64Seconds(absl::Ceil(options.cpu_limit, absl::Seconds(1)))),
             &made.argv);
  }
  made.argv.push_back("--");
  made.argv.push_back(program);
  made.argv.insert(made.argv.end(), argv.begin() + 1, argv.end());
  made.options.memory_limit_bytes = made.options.file_limit_bytes = 0;
  made.options.cpu_limit = absl::InfiniteDuration();
  made.options.whole_environment = true;
  std::vector<std::string> environment = CleanEnvironment(options.folder);
  environment.insert(environment.end(), options.environment.begin(), options.environment.end());
  made.options.environment = std::move(environment);
  return made;
}

absl::StatusOr<SubprocessResult> RunSandboxed(const std::vector<std::string>& argv,
                                              const SandboxSettings& settings,
                                              const SubprocessOptions& options) {
  TUNE_ASSIGN_OR_RETURN(SandboxedCommand command, MakeSandboxed(argv, settings, options));
  const int64_t memory =
      settings.group_memory_bytes > 0 ? settings.group_memory_bytes : options.memory_limit_bytes;
  TUNE_ASSIGN_OR_RETURN(const std::unique_ptr<ControlGroup> group,
                        MakeGroup({memory, settings.processes, settings.processors}));
  if (group != nullptr) {
    command.argv.insert(command.argv.begin() + 1, {"--group", group->folder()});
  }
  TUNE_ASSIGN_OR_RETURN(SubprocessResult run, RunSubprocess(command.argv, command.options));
  if (group != nullptr && !run.ok() && group->OutOfMemory()) run.exceeded_memory_bytes = memory;
  if (run.signal == 0 && run.exit_code == kSandboxFailed && !run.timed_out && !run.cancelled) {
    return absl::InternalError(
        absl::StrCat("the sandbox of ", argv[0], " could not be made: ", OneLine(run)));
  }
  return run;
}

}  // namespace tune
