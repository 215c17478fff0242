#include "worker/build/host_compiler.h"

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "absl/strings/match.h"
#include "absl/strings/str_join.h"
#include "common/base/c_compiler.h"
#include "common/base/fingerprint.h"
#include "common/base/source_language.h"
#include "common/base/subprocess.h"
#include "common/evaluation/compile_flags.h"
#include "worker/build/compiler_process.h"
#include "worker/build/flag_check.h"

namespace tune {
namespace {

constexpr char kInstall[] =
    "install one (Debian, Ubuntu: apt install gcc libc6-dev), or set CC to the compiler's command";

constexpr char kInstallCpp[] =
    "install one (Debian, Ubuntu: apt install g++), or set CXX to the compiler's command";

std::string FirstLine(absl::string_view text) { return std::string(text.substr(0, text.find('\n'))); }

// What -march=native depends on; the cache folder may be on a file system that several machines share.
std::string ProcessorIdentity() {
  std::ifstream file("/proc/cpuinfo");
  std::string identity, line;
  while (std::getline(file, line) && !line.empty()) {
    if (absl::StartsWith(line, "model") || absl::StartsWith(line, "vendor") ||
        absl::StartsWith(line, "flags") || absl::StartsWith(line, "CPU") ||
        absl::StartsWith(line, "Features")) {
      absl::StrAppend(&identity, line, "\n");
    }
  }
  return identity;
}

// So that the compiler takes no file for an option.
std::string AsFileName(const std::string& path) {
  return absl::StartsWith(path, "-") || absl::StartsWith(path, "@") ? "./" + path : path;
}

// Compilers of C refuse standards of C++, or say so.
std::vector<std::string> FlagsForC(const v1::Program& program) {
  std::vector<std::string> flags = CompileFlags(program);
  flags.erase(std::remove_if(flags.begin(), flags.end(),
                             [](const std::string& flag) {
                               return absl::StartsWith(flag, "-std=c++") ||
                                      absl::StartsWith(flag, "-std=gnu++");
                             }),
              flags.end());
  return flags;
}

// Folders and macros of the program.
std::vector<std::string> PreprocessorFlags(const v1::Program& program) {
  std::vector<std::string> flags;
  for (const std::string& include : program.include_directories()) flags.push_back("-I" + include);
  for (const std::string& define : program.defines()) flags.push_back("-D" + define);
  return flags;
}

void AddWords(const std::vector<std::string>& more, std::vector<std::string>* words) {
  words->insert(words->end(), more.begin(), more.end());
}

std::vector<std::string> CandidateFlags(const v1::Program& program) {
  std::vector<std::string> flags = FlagsForC(program);
  // -w: what the user's flags make of warnings (-Werror) is about the user's code, not ours.
  flags.insert(flags.end(), {"-w", "-fopenmp", "-shared", "-fPIC"});
  return flags;
}

// RunCompiler, where a compiler for C++ may be missing.
absl::StatusOr<CompileResult> RunCppCompiler(const std::vector<std::string>& command,
                                             const std::string& folder, const CompileLimits& limits) {
  absl::StatusOr<CompileResult> result = RunCompiler(command, folder, limits);
  if (result.ok() || !absl::IsNotFound(result.status())) return result;
  CompileResult missing;
  missing.message = absl::StrCat("no C++ compiler: ", result.status().message(), "; ", kInstallCpp);
  return missing;
}

}  // namespace

absl::StatusOr<std::unique_ptr<HostCompiler>> HostCompiler::Make(const std::string& cache_folder) {
  const std::vector<std::string> command = CCompilerCommand();
  std::vector<std::string> ask = command;
  ask.push_back("--version");
  SubprocessOptions options;
  options.wall_limit = absl::Seconds(30);
  const auto answer = RunSubprocess(ask, options);
  if (!answer.ok()) {
    return absl::NotFoundError(absl::StrCat("no C compiler: ", answer.status().message(), "; ", kInstall));
  }
  if (!answer->ok()) {
    return absl::NotFoundError(absl::StrCat("no usable C compiler: `", absl::StrJoin(ask, " "), "` ",
                                            answer->Describe(), "; ", kInstall));
  }
  TUNE_ASSIGN_OR_RETURN(BinaryCache cache, BinaryCache::Open(cache_folder));
  const std::string version = FirstLine(answer->standard_output);
  const std::string identity =
      absl::StrCat(absl::StrJoin(command, " "), "\n", answer->standard_output, ProcessorIdentity());
  std::unique_ptr<HostCompiler> compiler(new HostCompiler(command, version, identity, std::move(cache)));
  TUNE_RETURN_IF_ERROR(compiler->CheckOpenMp());
  return compiler;
}

absl::Status HostCompiler::CheckOpenMp() {
  v1::Program program;
  program.add_compile_flags("-O1");
  TUNE_ASSIGN_OR_RETURN(
      const CompileResult result,
      CompileCandidate(
          "#include <math.h>\n#include <omp.h>\nint tune_check(void) { return omp_get_max_threads(); }\n",
          program, {}));
  if (result.ok) return absl::OkStatus();
  return absl::FailedPreconditionError(absl::StrCat(
      "the C compiler (", command_[0], ") cannot build OpenMP programs: ", result.message,
      "; install its OpenMP library (gcc: libgomp1, libc6-dev; clang: libomp-dev), or set CC=gcc"));
}

std::string HostCompiler::CandidateKey(const v1::Program& program) const {
  return Fingerprint(absl::StrCat(identity_, "\n", absl::StrJoin(CandidateFlags(program), "\n"), "\n",
                                  absl::StrJoin(program.link_flags(), "\n")));
}

std::vector<std::string> HostCompiler::CommandOf(const std::vector<std::string>& arguments) const {
  std::vector<std::string> command = command_;
  command.insert(command.end(), arguments.begin(), arguments.end());
  return command;
}

absl::StatusOr<CompileResult> HostCompiler::CompileCandidate(const std::string& source,
                                                             const v1::Program& program,
                                                             const CompileLimits& limits) {
  TUNE_RETURN_IF_ERROR(CheckFlags(program));
  std::vector<std::string> arguments = CandidateFlags(program);
  arguments.insert(arguments.end(), {"candidate.c", "-o", "candidate.so"});
  arguments.insert(arguments.end(), program.link_flags().begin(), program.link_flags().end());
  arguments.push_back("-lm");
  CachedCompilation compilation;
  compilation.key = Fingerprint(absl::StrCat(CandidateKey(program), "\n", source));
  compilation.source = source;
  compilation.source_file = "candidate.c";
  compilation.binary_file = "candidate.so";
  compilation.command = CommandOf(arguments);
  return CompileCached(compilation, &cache_, limits);
}

absl::StatusOr<CompileResult> HostCompiler::CompileProgram(const std::string& folder,
                                                           const std::vector<std::string>& sources,
                                                           const v1::Program& program,
                                                           const std::string& output,
                                                           const std::vector<std::string>& extra_link_flags,
                                                           const CompileLimits& limits) {
  TUNE_RETURN_IF_ERROR(CheckFlags(program));
  std::vector<std::string> link = {"-o", output};
  AddWords(extra_link_flags, &link);
  link.insert(link.end(), program.link_flags().begin(), program.link_flags().end());
  link.push_back("-lm");
  CompileResult result;
  if (std::any_of(sources.begin(), sources.end(), IsCpp)) {
    TUNE_ASSIGN_OR_RETURN(result, CompileParts(folder, sources, program, link, limits));
  } else {
    std::vector<std::string> arguments = CompileFlags(program);
    AddWords(PreprocessorFlags(program), &arguments);
    for (const std::string& source : sources) arguments.push_back(AsFileName(source));
    AddWords(link, &arguments);
    TUNE_ASSIGN_OR_RETURN(result, RunCompiler(CommandOf(arguments), folder, limits));
  }
  result.binary = folder + "/" + output;
  std::error_code error;
  if (result.ok &&
      std::filesystem::symlink_status(result.binary, error).type() != std::filesystem::file_type::regular) {
    result.ok = false;
    result.message = "the compiler made no regular file";
  }
  return result;
}

absl::StatusOr<CompileResult> HostCompiler::CompileParts(const std::string& folder,
                                                         const std::vector<std::string>& sources,
                                                         const v1::Program& program,
                                                         const std::vector<std::string>& link_arguments,
                                                         const CompileLimits& limits) const {
  std::vector<std::string> link = CppCompilerCommand();
  AddWords(CompileFlags(program), &link);
  std::string log;
  for (const std::string& source : sources) {
    std::vector<std::string> command = IsCpp(source) ? CppCompilerCommand() : command_;
    AddWords(IsCpp(source) ? CompileFlags(program) : FlagsForC(program), &command);
    AddWords(PreprocessorFlags(program), &command);
    const std::string object = absl::StrCat("tune_part_", link.size(), ".o");
    // Compilers take .cu and headers for other things.
    command.insert(command.end(),
                   {"-x", IsCpp(source) ? "c++" : "c", "-c", AsFileName(source), "-o", object});
    link.push_back(object);
    TUNE_ASSIGN_OR_RETURN(CompileResult result, RunCppCompiler(command, folder, limits));
    if (!result.ok) return result;
    log += result.log;
  }
  AddWords(link_arguments, &link);
  TUNE_ASSIGN_OR_RETURN(CompileResult result, RunCppCompiler(link, folder, limits));
  result.log = log + result.log;
  return result;
}

}  // namespace tune
