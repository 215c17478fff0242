// A shell script in PPCG's place.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <string>

#include "common/base/file.h"
#include "worker/ppcg/ppcg_program.h"

namespace tune::testing {

// It runs without namespaces, for a script may keep notes in folder(), until kSandboxSwitch is unset.
class FakePpcg {
 public:
  static constexpr char kSandboxSwitch[] = "TUNE_SANDBOX_NAMESPACES";

  // `run`: shell commands for a run on region.c in the working folder. `version`: those for --version.
  explicit FakePpcg(const std::string& run, const std::string& version = "echo 'ppcg 0.09 (a script)'")
      : folder_(TemporaryFolder::Make().value()), path_(folder_.path() + "/ppcg") {
    const std::string text =
        absl::StrCat("#!/bin/sh\nif [ \"$1\" = --version ]; then\n", version, "\nexit\nfi\n", run, "\n");
    written_ = WriteFile(path_, text);
    std::filesystem::permissions(path_, std::filesystem::perms::owner_all);
    setenv(kSandboxSwitch, "off", 1);
  }
  ~FakePpcg() { unsetenv(kSandboxSwitch); }
  FakePpcg(const FakePpcg&) = delete;
  FakePpcg& operator=(const FakePpcg&) = delete;

  const std::string& path() const { return path_; }
  const std::string& folder() const { return folder_.path(); }
  PpcgProgram Program() const { return PpcgProgram::Find(path_).value(); }

 private:
  TemporaryFolder folder_;
  std::string path_;
  absl::Status written_;
};

// Shell commands that write PPCG's two files.
inline std::string WriteOutput(const std::string& kernels, const std::string& host) {
  return absl::StrCat("cat > region_kernel.cu <<'END_OF_FILE'\n", kernels, "\nEND_OF_FILE\n",
                      "cat > region_host.cu <<'END_OF_FILE'\n", host, "\nEND_OF_FILE\n");
}

}  // namespace tune::testing
