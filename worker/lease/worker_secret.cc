#include "worker/lease/worker_secret.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "common/base/file.h"
#include "common/base/fingerprint.h"
#include "common/base/secret.h"

namespace tune {
namespace {

constexpr size_t kSecretDigits = 64;

absl::Status Unusable(const std::string& path, absl::string_view what) {
  return absl::UnavailableError(absl::StrCat(path, ": cannot ", what, ": ", std::strerror(errno)));
}

}  // namespace

absl::StatusOr<WorkerSecret> WorkerSecret::Take(const std::string& cache, const std::string& name) {
  const std::string folder = cache + "/secrets";
  TUNE_RETURN_IF_ERROR(MakeFolder(folder));
  // A name may hold what a file's name may not.
  const std::string path = folder + "/" + Fingerprint(name);
  FileDescriptor file(open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600));
  if (!file.open()) return Unusable(path, "open it");
  if (flock(file.get(), LOCK_EX | LOCK_NB) != 0) {
    return absl::UnavailableError(
        absl::StrCat("another tune-worker runs here under the name '", name,
                     "' with the same --cache folder: end it, or give this one another --name"));
  }
  char known[kSecretDigits];
  if (pread(file.get(), known, sizeof(known), 0) == sizeof(known)) {
    return WorkerSecret(std::move(file), std::string(known, sizeof(known)));
  }
  const std::string made = MakeSecret();
  if (pwrite(file.get(), made.data(), made.size(), 0) != static_cast<ssize_t>(made.size())) {
    return Unusable(path, "write it");
  }
  return WorkerSecret(std::move(file), made);
}

}  // namespace tune
