#include "common/base/sandbox_support.h"

#include <cstdlib>
#include <filesystem>

#include "absl/base/call_once.h"
#include "absl/strings/strip.h"
#include "common/base/launched_process.h"
#include "common/base/subprocess.h"

namespace tune {
namespace {

constexpr absl::Duration kCheckLimit = absl::Seconds(30);

absl::Status NoSandbox(const std::string& why) {
  return absl::FailedPreconditionError(absl::StrCat("this machine permits no sandbox: ", why));
}

absl::Status CheckSupport() {
  TUNE_ASSIGN_OR_RETURN(const std::string program, FindSandboxProgram());
  SubprocessOptions options;
  options.wall_limit = kCheckLimit;
  TUNE_ASSIGN_OR_RETURN(const SubprocessResult run, RunSubprocess({program, "--check"}, options));
  if (run.ok()) return absl::OkStatus();
  const absl::string_view said = absl::StripPrefix(run.standard_error, "tune-sandbox: ");
  return NoSandbox(said.empty() ? run.Describe() : std::string(said.substr(0, said.find('\n'))));
}

}  // namespace

absl::StatusOr<std::string> FindSandboxProgram() {
  absl::StatusOr<std::string> found = FindSiblingProgram("tune-sandbox");
  if (found.ok()) return found;
  std::error_code error;
  const std::string folder = std::filesystem::read_symlink("/proc/self/exe", error).parent_path().string();
  const std::string beside = folder + "/tune-sandbox";
  return IsExecutableFile(beside) ? beside : found;
}

absl::Status SandboxSupport() {
  const char* const setting = std::getenv("TUNE_SANDBOX_NAMESPACES");
  if (setting != nullptr && absl::string_view(setting) == "off") {
    return NoSandbox("namespaces are switched off by TUNE_SANDBOX_NAMESPACES=off");
  }
  static absl::once_flag once;
  static absl::Status* support;
  absl::call_once(once, [] { support = new absl::Status(CheckSupport()); });
  return *support;
}

}  // namespace tune
