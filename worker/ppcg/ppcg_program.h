// An installed PPCG as a child process.
#pragma once

#include <string>
#include <vector>

#include "absl/time/time.h"
#include "common/base/status.h"
#include "worker/run/cancellation.h"

namespace tune {

struct PpcgLimits {
  absl::Duration wall = absl::Seconds(60);
  int64_t memory_bytes = int64_t{8} << 30;  // of address space
  Cancellation* cancellation = nullptr;     // may be null
};

// What PPCG wrote.
struct PpcgFiles {
  std::string kernels;  // *_kernel.cu
  std::string host;     // *_host.cu
  std::string said;     // on standard output, then on standard error
};

// Thread safe.
class PpcgProgram {
 public:
  // `path`: the program, or empty: `ppcg` in PATH. Starts it once to ask for its version. NOT_FOUND when
  // there is none, or when it does not answer as PPCG does; one line that says what to do.
  static absl::StatusOr<PpcgProgram> Find(const std::string& path = "");

  // `ppcg --target=cuda` with `arguments` on a C file that holds `text`, in a folder of its own. `schedule`,
  // when not empty, is the text of a schedule tree for it to load. Errors are the candidate's:
  // RESOURCE_EXHAUSTED at a limit; INTERNAL when PPCG fails or writes no files, with what it said; CANCELLED.
  // Else UNAVAILABLE.
  absl::StatusOr<PpcgFiles> Run(const std::string& text, const std::vector<std::string>& arguments,
                                const std::string& schedule, const PpcgLimits& limits) const;

  const std::string& path() const { return path_; }
  const std::string& version() const { return version_; }  // one line

 private:
  PpcgProgram(std::string path, std::string version) : path_(std::move(path)), version_(std::move(version)) {}
  std::string path_;
  std::string version_;
};

}  // namespace tune
