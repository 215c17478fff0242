// The compilers of this machine, for C and C++.
#pragma once

#include <memory>

#include "worker/build/binary_cache.h"
#include "worker/build/compiler.h"

namespace tune {

// `cc`, or the command in the environment variable CC; for files in C++ `c++`, or that in CXX. Candidates are
// C whatever the program is in.
class HostCompiler : public Compiler {
 public:
  // Binaries of candidates are kept in `cache_folder`. NOT_FOUND when there is no C compiler,
  // FAILED_PRECONDITION when it cannot build OpenMP programs; both say what to install.
  static absl::StatusOr<std::unique_ptr<HostCompiler>> Make(const std::string& cache_folder);

  absl::StatusOr<CompileResult> CompileCandidate(const std::string& source, const v1::Program& program,
                                                 const CompileLimits& limits) override;
  absl::StatusOr<CompileResult> CompileProgram(const std::string& folder,
                                               const std::vector<std::string>& sources,
                                               const v1::Program& program, const std::string& output,
                                               const std::vector<std::string>& extra_link_flags,
                                               const CompileLimits& limits) override;
  const std::string& version() const override { return version_; }
  std::string CandidateKey(const v1::Program& program) const override;

 private:
  HostCompiler(std::vector<std::string> command, std::string version, std::string identity, BinaryCache cache)
      : command_(std::move(command)),
        version_(std::move(version)),
        identity_(std::move(identity)),
        cache_(std::move(cache)) {}
  absl::Status CheckOpenMp();
  // Of a program with files in C++: each file by the compiler of its language, linked by that of C++.
  absl::StatusOr<CompileResult> CompileParts(const std::string& folder,
                                             const std::vector<std::string>& sources,
                                             const v1::Program& program,
                                             const std::vector<std::string>& link_arguments,
                                             const CompileLimits& limits) const;
  std::vector<std::string> CommandOf(const std::vector<std::string>& arguments) const;

  std::vector<std::string> command_;  // "cc", or "ccache gcc" split
  std::string version_;
  std::string identity_;
  BinaryCache cache_;
};

}  // namespace tune
