#include "worker/build/compiler_process.h"

#include <filesystem>

#include "absl/strings/match.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "common/base/file.h"
#include "common/base/fingerprint.h"
#include "common/base/launched_process.h"
#include "worker/build/bundle.h"
#include "worker/sandbox/sandbox.h"

namespace tune {
namespace {

// Compilers run beside measurements on a GPU, whose launches must not wait for a processor.
constexpr int kNiceness = 10;

// A compiler needs address space for itself; templates of memory use are about 1 GiB at most for C.
// Sanitizers, with which tune-cuda-runner may be built, reserve terabytes.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr int64_t kCompilerMemory = 0;
#else
constexpr int64_t kCompilerMemory = int64_t{8} << 30;
#endif
constexpr int64_t kCompilerProcessors = 2;  // it and its assembler at most
constexpr int64_t kLargestOutput = int64_t{4} << 30;

// The compiler is what comes before the first flag: "ccache gcc".
SandboxSettings SettingsOf(const std::vector<std::string>& command, const std::string& folder) {
  SandboxSettings settings;
  settings.writable = {folder};
  settings.processors = kCompilerProcessors;
  for (const std::string& word : command) {
    if (absl::StartsWith(word, "-")) break;
    const absl::StatusOr<std::string> program = FindInPath(word);
    if (!program.ok()) break;
    for (std::string& path : InstallationOf(*program)) settings.readable.push_back(std::move(path));
  }
  for (std::string& path : LibraryFolders()) settings.readable.push_back(std::move(path));
  return settings;
}

}  // namespace

std::string ShortCommand(const std::vector<std::string>& command) {
  std::vector<std::string> words;
  for (const std::string& word : command) {
    words.push_back(absl::StartsWith(word, "/") ? std::filesystem::path(word).filename().string() : word);
  }
  return absl::StrJoin(words, " ");
}

std::string FirstError(absl::string_view log) {
  for (absl::string_view line : absl::StrSplit(log, '\n')) {
    if (absl::StartsWith(line, "collect2:")) continue;  // says no more than that the linker failed
    if (absl::StrContains(line, "error:") || absl::StrContains(line, "undefined reference") ||
        absl::StrContains(line, "multiple definition") || absl::StrContains(line, "relocation truncated")) {
      const size_t blank = line.find(' ');
      const size_t slash = line.substr(0, blank).rfind('/');
      if (absl::StartsWith(line, "/") && slash != absl::string_view::npos) line.remove_prefix(slash + 1);
      return std::string(line);
    }
  }
  return std::string(log.substr(0, log.find('\n')));
}

absl::StatusOr<CompileResult> RunCompiler(const std::vector<std::string>& command, const std::string& folder,
                                          const CompileLimits& limits) {
  SubprocessOptions options;
  options.niceness = kNiceness;
  options.folder = folder;
  options.wall_limit = limits.wall;
  options.memory_limit_bytes = kCompilerMemory;
  options.file_limit_bytes = kLargestOutput;
  options.environment = {"LC_ALL=C", absl::StrCat("TMPDIR=", folder)};
  if (limits.cancellation != nullptr) {
    options.cancelled = &Cancellation::Poll;
    options.cancelled_argument = limits.cancellation;
  }
  TUNE_ASSIGN_OR_RETURN(const SubprocessResult process,
                        RunSandboxed(command, SettingsOf(command, folder), options));
  CompileResult result;
  result.ok = process.ok();
  result.timed_out = process.timed_out;
  result.cancelled = process.cancelled;
  result.log = process.standard_error + process.standard_output;
  result.command = ShortCommand(command);
  if (process.timed_out) {
    result.message =
        absl::StrFormat("the compiler had not ended after %g s", absl::ToDoubleSeconds(limits.wall));
  } else if (process.exceeded_memory_bytes > 0) {
    result.message = absl::StrCat("the compiler ", process.Describe());
  } else if (!result.ok) {
    result.message = FirstError(result.log);
    if (result.message.empty()) result.message = absl::StrCat("the compiler ", process.Describe());
  }
  return result;
}

absl::StatusOr<CompileResult> CompileCached(const CachedCompilation& compilation, BinaryCache* cache,
                                            const CompileLimits& limits) {
  const bool has_names = !compilation.names_file.empty();
  const std::string names_key = Fingerprint(absl::StrCat(compilation.key, "\nnames"));
  std::string binary = cache->Find(compilation.key), names = has_names ? cache->Find(names_key) : "";
  if (!binary.empty() && has_names == !names.empty()) {
    CompileResult result;
    result.ok = result.cached = true;
    result.binary = std::move(binary);
    result.names = std::move(names);
    result.command = ShortCommand(compilation.command);
    return result;
  }
  TUNE_ASSIGN_OR_RETURN(const TemporaryFolder folder, TemporaryFolder::Make());
  TUNE_RETURN_IF_ERROR(
      WriteFile(absl::StrCat(folder.path(), "/", compilation.source_file), compilation.source));
  if (compilation.bundle != nullptr)
    TUNE_RETURN_IF_ERROR(WriteBundle(*compilation.bundle, absl::StrCat(folder.path(), "/", kBundleFolder)));
  TUNE_ASSIGN_OR_RETURN(CompileResult result, RunCompiler(compilation.command, folder.path(), limits));
  if (result.ok) {
    TUNE_ASSIGN_OR_RETURN(
        result.binary,
        cache->Insert(compilation.key, absl::StrCat(folder.path(), "/", compilation.binary_file)));
  }
  if (result.ok && has_names) {
    TUNE_ASSIGN_OR_RETURN(result.names,
                          cache->Insert(names_key, absl::StrCat(folder.path(), "/", compilation.names_file)));
  }
  return result;
}

}  // namespace tune
