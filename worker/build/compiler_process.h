// One run of a compiler, or what is kept of an earlier one.
#pragma once

#include <string>
#include <vector>

#include "worker/build/binary_cache.h"
#include "worker/build/compiler.h"

namespace tune {

// Runs the command in a sandbox that has `folder`, where it starts and where temporary files go, and the
// installation of the compiler; CompileResult::binary is left to the caller. An error status only when the
// program could not be started.
absl::StatusOr<CompileResult> RunCompiler(const std::vector<std::string>& command, const std::string& folder,
                                          const CompileLimits& limits);

inline constexpr char kBundleFolder[] = "program";

// A source and the command that makes a binary of it, in a folder of their own.
struct CachedCompilation {
  std::string key;  // fingerprint of all that the binary depends on
  std::string source;
  std::string source_file;           // name of the file that the command reads
  std::string binary_file;           // name of the file that it makes
  std::string names_file;            // of a second one that it makes; empty: none
  std::vector<std::string> command;  // with these names
  // Whose files lie below kBundleFolder beside the source; not owned, null: there are none.
  const v1::Program* bundle = nullptr;
};

// The binary that `cache` has under the key; else RunCompiler's, which is put there. Errors also when there
// is no temporary folder or the cache is not writable.
absl::StatusOr<CompileResult> CompileCached(const CachedCompilation& compilation, BinaryCache* cache,
                                            const CompileLimits& limits);

// The command line as a person would type it: absolute paths become file names.
std::string ShortCommand(const std::vector<std::string>& command);

// The first line that tells an error, without the folder before the file's name; else the first line.
std::string FirstError(absl::string_view log);

}  // namespace tune
