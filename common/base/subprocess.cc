#include "common/base/subprocess.h"

#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "common/base/launched_process.h"
#include "common/base/process_supervisor.h"

namespace tune {

std::string SubprocessResult::Describe() const {
  if (cancelled) return "was cancelled";
  if (timed_out)
    return absl::StrCat("ran out of time after ",
                        absl::FormatDuration(absl::Trunc(wall_time, absl::Milliseconds(1))));
  if (exceeded_memory_bytes > 0) {
    return absl::StrCat("was killed for lack of memory: its processes together may have ",
                        exceeded_memory_bytes >> 20, " MiB");
  }
  if (signal != 0) return absl::StrCat("was killed by signal ", signal, " (", strsignal(signal), ")");
  return absl::StrCat("exited with status ", exit_code);
}

absl::StatusOr<SubprocessResult> RunSubprocess(const std::vector<std::string>& argv,
                                               const SubprocessOptions& options) {
  TUNE_ASSIGN_OR_RETURN(LaunchedProcess process, LaunchProcess(argv, options));
  if (options.standard_input.empty()) process.input.Close();
  ProcessSupervisor supervisor(process.pid, options);
  supervisor.SetStreams(std::move(process.input), std::move(process.output), std::move(process.error));
  return supervisor.Wait();
}

absl::StatusOr<std::string> FindSiblingProgram(absl::string_view name) {
  std::string folder;
  if (const char* libexec = std::getenv("TUNE_LIBEXEC"); libexec != nullptr && *libexec != '\0') {
    folder = libexec;
  } else {
    std::error_code error;
    folder = std::filesystem::read_symlink("/proc/self/exe", error).parent_path().string();
    if (error) return absl::NotFoundError(absl::StrCat("/proc/self/exe: ", error.message()));
  }
  const std::string path = absl::StrCat(folder, "/", name);
  std::error_code ignored;
  if (IsExecutableFile(path)) return std::filesystem::absolute(path, ignored).string();
  return absl::NotFoundError(absl::StrCat(path,
                                          ": no such program; it is installed beside the others, or set "
                                          "TUNE_LIBEXEC to the folder that holds it"));
}

}  // namespace tune
