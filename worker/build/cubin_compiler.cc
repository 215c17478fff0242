#include "worker/build/cubin_compiler.h"

#include <cstdlib>

#include "absl/strings/str_split.h"
#include "common/base/file.h"
#include "common/base/fingerprint.h"
#include "common/base/launched_process.h"
#include "worker/build/compiler_process.h"

namespace tune {
namespace {

// "13.0" of "Cuda compilation tools, release 13.0, V13.0.88".
std::string ReleaseOf(absl::string_view text) {
  const absl::string_view marker = "release ";
  const size_t at = text.find(marker);
  if (at == absl::string_view::npos) return "of an unknown version";
  text.remove_prefix(at + marker.size());
  return std::string(text.substr(0, text.find_first_of(",\n")));
}

}  // namespace

absl::StatusOr<std::string> FindNvcc() {
  std::vector<std::string> folders;
  if (const char* path = std::getenv("PATH"); path != nullptr) folders = absl::StrSplit(path, ':');
  if (const char* home = std::getenv("CUDA_HOME"); home != nullptr)
    folders.push_back(std::string(home) + "/bin");
  folders.push_back("/usr/local/cuda/bin");
  for (const std::string& folder : folders) {
    if (IsExecutableFile(folder + "/nvcc")) return folder + "/nvcc";
  }
  return absl::NotFoundError(
      "no nvcc in PATH, $CUDA_HOME/bin or /usr/local/cuda/bin; install the CUDA toolkit, or set CUDA_HOME to "
      "its "
      "folder");
}

absl::StatusOr<std::unique_ptr<CubinCompiler>> CubinCompiler::MakeNvrtc(const std::string& version,
                                                                        const std::string& cache_folder) {
  TUNE_ASSIGN_OR_RETURN(std::string program, FindSiblingProgram("tune-cuda-runner"));
  TUNE_ASSIGN_OR_RETURN(BinaryCache cache, BinaryCache::Open(cache_folder));
  std::unique_ptr<CubinCompiler> compiler(new CubinCompiler(version, std::move(cache)));
  compiler->program_ = std::move(program);
  return compiler;
}

absl::StatusOr<std::unique_ptr<CubinCompiler>> CubinCompiler::MakeNvcc(const std::string& cache_folder) {
  TUNE_ASSIGN_OR_RETURN(std::string program, FindNvcc());
  SubprocessOptions options;
  options.wall_limit = absl::Seconds(30);
  TUNE_ASSIGN_OR_RETURN(const SubprocessResult answer, RunSubprocess({program, "--version"}, options));
  TUNE_ASSIGN_OR_RETURN(BinaryCache cache, BinaryCache::Open(cache_folder));
  std::unique_ptr<CubinCompiler> compiler(
      new CubinCompiler("nvcc " + ReleaseOf(answer.standard_output), std::move(cache)));
  compiler->program_ = std::move(program);
  compiler->nvcc_ = true;
  return compiler;
}

std::vector<std::string> CubinCompiler::Command(const std::string& architecture) const {
  if (nvcc_)
    return {program_, "-cubin",       "-O3", "-arch=" + architecture,
            "-w",     "candidate.cu", "-o",  "candidate.cubin"};
  return {program_, "--compile", "candidate.cu", "--arch", architecture, "--output", "candidate.cubin"};
}

absl::StatusOr<CompileResult> CubinCompiler::Compile(const std::string& source,
                                                     const std::string& architecture,
                                                     const CompileLimits& limits) {
  const std::vector<std::string> command = Command(architecture);
  const std::string key = Fingerprint(absl::StrCat(version_, "\n", architecture, "\n", source));
  if (std::string path = cache_.Find(key); !path.empty()) {
    CompileResult result;
    result.ok = result.cached = true;
    result.binary = std::move(path);
    result.command = ShortCommand(command);
    return result;
  }
  TUNE_ASSIGN_OR_RETURN(const TemporaryFolder folder, TemporaryFolder::Make());
  TUNE_RETURN_IF_ERROR(WriteFile(folder.path() + "/candidate.cu", source));
  TUNE_ASSIGN_OR_RETURN(CompileResult result, RunCompiler(command, folder.path(), limits));
  if (result.ok) {
    TUNE_ASSIGN_OR_RETURN(result.binary, cache_.Insert(key, folder.path() + "/candidate.cubin"));
  }
  return result;
}

}  // namespace tune
