#include "worker/build/cubin_compiler.h"

#include <sys/stat.h>

#include "absl/strings/match.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "common/base/cuda_toolkit.h"
#include "common/base/fingerprint.h"
#include "common/base/subprocess.h"
#include "common/base/untrusted_file.h"
#include "worker/build/compiler_process.h"

namespace tune {
namespace {

constexpr char kSourceFile[] = "candidate.cu", kBinaryFile[] = "candidate.cubin";
constexpr char kNamesFile[] = "candidate.names";
constexpr int64_t kMostNameBytes = 1 << 20;

// "13.0" of "Cuda compilation tools, release 13.0, V13.0.88".
std::string ReleaseOf(absl::string_view text) {
  const absl::string_view marker = "release ";
  const size_t at = text.find(marker);
  if (at == absl::string_view::npos) return "of an unknown version";
  text.remove_prefix(at + marker.size());
  return std::string(text.substr(0, text.find_first_of(",\n")));
}

// Size and time of change of a file.
std::string StateOf(const std::string& path) {
  struct stat info = {};
  if (stat(path.c_str(), &info) != 0) return "";
  return absl::StrCat(info.st_size, " ", info.st_mtim.tv_sec, ".", info.st_mtim.tv_nsec);
}

}  // namespace

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
  if (!answer.ok()) {
    return absl::FailedPreconditionError(
        absl::StrCat(program, " --version ", answer.Describe(), ": ", FirstError(answer.standard_error),
                     "; repair the CUDA toolkit, or set CUDA_HOME to the folder of another one"));
  }
  TUNE_ASSIGN_OR_RETURN(BinaryCache cache, BinaryCache::Open(cache_folder));
  std::unique_ptr<CubinCompiler> compiler(
      new CubinCompiler("nvcc " + ReleaseOf(answer.standard_output), std::move(cache)));
  compiler->program_ = std::move(program);
  compiler->nvcc_ = true;
  return compiler;
}

std::vector<std::string> CubinCompiler::Command(const std::string& architecture,
                                                const std::vector<std::string>& kernels,
                                                const std::vector<std::string>& flags) const {
  const char* const kind = absl::StartsWith(architecture, "compute_") ? "-ptx" : "-cubin";
  std::vector<std::string> command =
      nvcc_ ? std::vector<std::string>{program_, kind,        "-O3", "-arch=" + architecture,
                                       "-w",     kSourceFile, "-o",  kBinaryFile}
            : std::vector<std::string>{program_,     "--compile", kSourceFile, "--arch",
                                       architecture, "--output",  kBinaryFile};
  if (!nvcc_ && !kernels.empty()) {
    command.insert(command.end(), {"--names", kNamesFile});
    for (const std::string& kernel : kernels) command.push_back("--kernel=" + kernel);
  }
  if (!nvcc_ && !flags.empty()) command.push_back("--");
  command.insert(command.end(), flags.begin(), flags.end());
  return command;
}

absl::StatusOr<CompileResult> CubinCompiler::Compile(const std::string& source,
                                                     const std::string& architecture,
                                                     const CompileLimits& limits,
                                                     const std::vector<std::string>& flags) {
  CachedCompilation compilation;
  // Another build of the compiler, or of the runner that calls it, may make another binary.
  compilation.key = Fingerprint(absl::StrCat(version_, "\n", StateOf(program_), "\n", architecture, "\n",
                                             absl::StrJoin(flags, " "), flags.empty() ? "" : "\n", source));
  compilation.source = source;
  compilation.source_file = kSourceFile;
  compilation.binary_file = kBinaryFile;
  compilation.command = Command(architecture, {}, flags);
  return CompileCached(compilation, &cache_, limits);
}

absl::StatusOr<NamedCubin> CubinCompiler::CompileKernels(const KernelSource& source,
                                                         const std::string& architecture,
                                                         const CompileLimits& limits) {
  std::vector<std::string> flags = source.flags;
  flags.push_back(absl::StrCat("-I", kBundleFolder));
  for (const std::string& place : source.files->include_directories())
    flags.push_back(absl::StrCat("-I", kBundleFolder, "/", place));
  CachedCompilation compilation;
  compilation.source = source.text;
  compilation.source_file = kSourceFile;
  compilation.binary_file = kBinaryFile;
  if (!nvcc_) compilation.names_file = kNamesFile;
  compilation.bundle = source.files;
  compilation.command = Command(architecture, source.kernels, flags);
  std::string files;
  for (const v1::SourceFile& file : source.files->files())
    absl::StrAppend(&files, Fingerprint(file.SerializeAsString()), "\n");
  compilation.key =
      Fingerprint(absl::StrCat(version_, "\n", StateOf(program_), "\n",
                               absl::StrJoin(compilation.command, "\n"), "\n", files, source.text));
  NamedCubin kernels;
  TUNE_ASSIGN_OR_RETURN(kernels.compiled, CompileCached(compilation, &cache_, limits));
  if (!kernels.compiled.ok || nvcc_) return kernels;
  TUNE_ASSIGN_OR_RETURN(const std::string names, ReadUntrustedFile(kernels.compiled.names, kMostNameBytes));
  kernels.names = absl::StrSplit(names, '\n', absl::SkipEmpty());
  if (kernels.names.size() == source.kernels.size()) return kernels;
  return absl::InternalError(
      absl::StrCat("the compiler told the names of ", kernels.names.size(), " of ", source.kernels.size(),
                   " kernels; is tune-cuda-runner of the same version as this program?"));
}

}  // namespace tune
