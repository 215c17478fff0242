#include "worker/ppcg/ppcg_program.h"

#include <filesystem>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "common/base/file.h"
#include "common/base/launched_process.h"
#include "common/base/subprocess.h"
#include "common/base/untrusted_file.h"
#include "worker/sandbox/sandbox.h"

namespace tune {
namespace {

constexpr char kInstall[] =
    "install PPCG 0.09 (git://repo.or.cz/ppcg.git) so that `ppcg` is in PATH, give its path "
    "with --ppcg, or use --generator builtin";
constexpr int64_t kLargestFile = int64_t{256} << 20;  // unrolling everything may print without end
constexpr size_t kMostSaid = 1 << 20;
constexpr absl::Duration kVersionLimit = absl::Seconds(30);

// "ppcg-0.09, pet-0.11.6, isl-0.25": what `ppcg --version` prints in lines, PPCG first; empty when it is not
// among them.
std::string VersionLine(const std::string& answer) {
  std::vector<std::string> others;
  std::string version;
  for (absl::string_view line : absl::StrSplit(answer, '\n')) {
    line = absl::StripAsciiWhitespace(line);
    if (absl::StartsWithIgnoreCase(line, "ppcg") && version.empty()) {
      version = std::string(line);
    } else if (!line.empty() && others.size() < 5) {
      others.emplace_back(line);
    }
  }
  if (!version.empty() && !others.empty()) absl::StrAppend(&version, ", ", absl::StrJoin(others, ", "));
  return version;
}

// The first line of what it said that tells an error, else the first line, without the folder's name.
std::string FirstError(const std::string& log, const std::string& folder) {
  const std::string text = absl::StrReplaceAll(log, {{folder + "/", ""}});
  std::string first;
  for (absl::string_view line : absl::StrSplit(text, '\n')) {
    line = absl::StripAsciiWhitespace(line);
    if (line.empty()) continue;
    if (first.empty()) first = std::string(line);
    if (absl::StrContains(line, "error:") || absl::StrContains(line, "Assertion") ||
        absl::StrContains(line, "unable to") || absl::StrContains(line, "unrecognized")) {
      return std::string(line);
    }
  }
  return first;
}

absl::Status CheckEnd(const SubprocessResult& process, const std::string& folder, const PpcgLimits& limits) {
  if (process.ok()) return absl::OkStatus();
  if (process.cancelled) return absl::CancelledError("ppcg: cancelled");
  if (process.timed_out) {
    return absl::ResourceExhaustedError(
        absl::StrFormat("ppcg had not ended after %g s; choose other options or raise its time limit",
                        absl::ToDoubleSeconds(limits.wall)));
  }
  const std::string error = FirstError(process.standard_error, folder);
  const std::string message =
      absl::StrCat("ppcg ", process.Describe(), error.empty() ? "" : absl::StrCat(": ", error));
  const bool memory = absl::StrContains(process.standard_error, "bad_alloc") ||
                      absl::StrContains(process.standard_error, "out of memory");
  return memory ? absl::ResourceExhaustedError(message) : absl::InternalError(message);
}

// A file that PPCG should have written.
absl::StatusOr<std::string> ReadOutput(const std::string& path, const SubprocessResult& process,
                                       const std::string& folder) {
  auto content = ReadUntrustedFile(path, kLargestFile);
  if (!absl::IsNotFound(content.status())) return content;
  const std::string error = FirstError(process.standard_error, folder);
  return absl::InternalError(absl::StrCat("ppcg wrote no ", std::filesystem::path(path).filename().string(),
                                          error.empty() ? "" : absl::StrCat(": ", error)));
}

}  // namespace

absl::StatusOr<PpcgProgram> PpcgProgram::Find(const std::string& path) {
  const std::string program = path.empty() ? "ppcg" : path;
  SubprocessOptions options;
  options.wall_limit = kVersionLimit;
  options.environment = {"LC_ALL=C"};
  const auto answer = RunSubprocess({program, "--version"}, options);
  if (!answer.ok())
    return absl::NotFoundError(absl::StrCat("no ppcg: ", answer.status().message(), "; ", kInstall));
  if (!answer->ok()) {
    return absl::NotFoundError(
        absl::StrCat("no usable ppcg: `", program, " --version` ", answer->Describe(), "; ", kInstall));
  }
  const std::string version = VersionLine(answer->standard_output);
  if (version.empty()) {
    return absl::NotFoundError(
        absl::StrCat("no usable ppcg: `", program, " --version` does not answer as PPCG does; ", kInstall));
  }
  return PpcgProgram(program, version);
}

absl::StatusOr<PpcgFiles> PpcgProgram::Run(const std::string& text, const std::vector<std::string>& arguments,
                                           const std::string& schedule, const PpcgLimits& limits) const {
  TUNE_ASSIGN_OR_RETURN(const TemporaryFolder folder, TemporaryFolder::Make());
  TUNE_RETURN_IF_ERROR(WriteFile(folder.path() + "/region.c", text));
  std::vector<std::string> command = {path_, "--target=cuda"};
  command.insert(command.end(), arguments.begin(), arguments.end());
  if (!schedule.empty()) {
    TUNE_RETURN_IF_ERROR(WriteFile(folder.path() + "/region.schedule", schedule));
    command.push_back("--load-schedule=region.schedule");
  }
  command.push_back("region.c");
  if (absl::StrContains(path_, '/')) {
    std::error_code error;
    const std::filesystem::path absolute = std::filesystem::absolute(path_, error);
    if (!error) command[0] = absolute.string();  // it is started in another folder
  }
  SubprocessOptions options;
  options.folder = folder.path();
  options.environment = {"LC_ALL=C", absl::StrCat("TMPDIR=", folder.path())};
  options.wall_limit = limits.wall;
  options.memory_limit_bytes = limits.memory_bytes;
  options.file_limit_bytes = kLargestFile;
  options.output_limit_bytes = kMostSaid;
  if (limits.cancellation != nullptr) {
    options.cancelled = &Cancellation::Poll;
    options.cancelled_argument = limits.cancellation;
  }
  SandboxSettings settings;
  settings.writable = {folder.path()};
  if (const auto program = FindInPath(command[0]); program.ok()) settings.readable = InstallationOf(*program);
  TUNE_ASSIGN_OR_RETURN(SubprocessResult process, RunSandboxed(command, settings, options));
  TUNE_RETURN_IF_ERROR(CheckEnd(process, folder.path(), limits));
  PpcgFiles files;
  TUNE_ASSIGN_OR_RETURN(files.host, ReadOutput(folder.path() + "/region_host.cu", process, folder.path()));
  TUNE_ASSIGN_OR_RETURN(files.kernels,
                        ReadOutput(folder.path() + "/region_kernel.cu", process, folder.path()));
  files.said = absl::StrCat(process.standard_output, "\n", process.standard_error);
  return files;
}

}  // namespace tune
