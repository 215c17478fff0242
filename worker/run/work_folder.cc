#include "worker/run/work_folder.h"

#include <signal.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "common/base/file.h"

namespace tune {
namespace {

namespace fs = std::filesystem;

std::string Prefix() {
  utsname names;
  return absl::StrCat("work.", uname(&names) == 0 ? names.nodename : "localhost", ".");
}

bool IsGone(int process) { return kill(process, 0) != 0 && errno == ESRCH; }

}  // namespace

absl::StatusOr<std::string> MakeWorkFolder(const std::string& parent) {
  TUNE_RETURN_IF_ERROR(MakeFolder(parent));
  const std::string prefix = Prefix();
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(parent, error)) {
    const std::string name = entry.path().filename().string();
    int process = 0;
    if (!absl::StartsWith(name, prefix) || !absl::SimpleAtoi(name.substr(prefix.size()), &process)) continue;
    std::error_code ignored;
    if (process == getpid() || IsGone(process)) fs::remove_all(entry.path(), ignored);
  }
  const std::string folder = fs::absolute(absl::StrCat(parent, "/", prefix, getpid()), error).string();
  TUNE_RETURN_IF_ERROR(MakeFolder(folder));
  return folder;
}

}  // namespace tune
