#include "client/profile/program_profile.h"

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <set>

#include "absl/strings/escaping.h"
#include "absl/strings/match.h"
#include "absl/strings/strip.h"
#include "absl/time/clock.h"
#include "client/profile/profile_runtime.h"
#include "client/submit/shell_words.h"
#include "common/base/c_compiler.h"
#include "common/base/file.h"
#include "common/base/source_language.h"
#include "common/base/subprocess.h"
#include "common/evaluation/compile_flags.h"

namespace tune {
namespace {

constexpr int kThreads = 256;
constexpr size_t kLastOutput = 16 << 10;     // of compilers and of the program
constexpr size_t kLargestLines = 256 << 20;  // of addresses
constexpr absl::Duration kToolLimit = absl::Minutes(10);
constexpr absl::Duration kLongestRepetition = absl::Seconds(20);

// What takes the lines of addresses away, or is strict about text that the user did not write.
bool DisturbsMeasuring(absl::string_view flag) {
  return flag == "-s" || flag == "-pedantic-errors" || absl::StartsWith(flag, "-Werror");
}

// One program, built and run in a folder of its own.
class Profile {
 public:
  Profile(const ProfileRequest& request, std::string folder)
      : request_(request), folder_(std::move(folder)), name_(NameOfCopy(request.program.file)) {}

  absl::StatusOr<ProgramProfile> Make() {
    TUNE_ASSIGN_OR_RETURN(const std::string text, ReadFile(request_.program.file));
    measured_ = MeasureNests(text, request_.nests);
    if (!request_.program.standard_input.empty()) {
      TUNE_ASSIGN_OR_RETURN(input_, ReadFile(request_.program.standard_input));
    }
    TUNE_RETURN_IF_ERROR(Build());
    TUNE_RETURN_IF_ERROR(Run());
    return AddUpRuns();
  }

 private:
  static std::string NameOfCopy(const std::string& file) {
    return std::filesystem::path(file).filename().string();
  }
  std::string Path(absl::string_view name) const { return absl::StrCat(folder_, "/", name); }

  // A multiple of a cache line, so that threads do not share one.
  int Stride() const { return (request_.nests.nests_size() / 8 + 1) * 8; }

  SubprocessOptions Options(absl::Duration limit) const {
    SubprocessOptions options;
    options.wall_limit = limit;
    options.output_limit_bytes = kLastOutput;
    options.cancelled = request_.cancelled;
    options.cancelled_argument = request_.cancelled_argument;
    return options;
  }

  static absl::StatusOr<SubprocessResult> Execute(const std::vector<std::string>& command,
                                                  const SubprocessOptions& options) {
    TUNE_ASSIGN_OR_RETURN(SubprocessResult result, RunSubprocess(command, options));
    if (result.cancelled) return absl::CancelledError("interrupted");
    return result;
  }

  absl::Status Compile(const std::vector<std::string>& command) const {
    SubprocessOptions options = Options(kToolLimit);
    options.environment = {"TMPDIR=" + folder_};  // what a compiler that is ended leaves goes with the rest
    TUNE_ASSIGN_OR_RETURN(const SubprocessResult result, Execute(command, options));
    if (result.ok()) return absl::OkStatus();
    return absl::FailedPreconditionError(absl::StrCat("the program cannot be built to be measured: `",
                                                      JoinShellWords(command), "` ", result.Describe(), ":\n",
                                                      absl::StripSuffix(result.standard_error, "\n")));
  }

  absl::Status Build() const {
    TUNE_RETURN_IF_ERROR(MakeFolder(Path("copy")));
    TUNE_RETURN_IF_ERROR(WriteFile(Path("copy/" + name_), measured_.text));
    TUNE_RETURN_IF_ERROR(WriteFile(Path("runtime.c"), kProfileRuntime));
    std::vector<std::string> flags = request_.program.compile_flags;
    if (flags.empty()) flags = CompileFlags(v1::Program());
    TUNE_RETURN_IF_ERROR(BuildRuntime(flags));
    return BuildProgram(flags);
  }

  // For the same machine as the program, in no particular dialect.
  absl::Status BuildRuntime(const std::vector<std::string>& flags) const {
    std::vector<std::string> command = CCompilerCommand();
    for (const std::string& flag : flags) {
      if (absl::StartsWith(flag, "-m")) command.push_back(flag);
    }
    const auto literal = [](absl::string_view macro, const std::string& path) {
      return absl::StrCat("-D", macro, "=\"", absl::CEscape(path), "\"");
    };
    command.insert(
        command.end(),
        {"-O1", literal("TUNE_PROFILE_SAMPLES", Path("samples")),
         literal("TUNE_PROFILE_CALLS", Path("calls")), absl::StrCat("-DTUNE_PROFILE_THREADS=", kThreads),
         absl::StrCat("-DTUNE_PROFILE_STRIDE=", Stride()), "-c", Path("runtime.c"), "-o", Path("runtime.o")});
    return Compile(command);
  }

  // A call that ends a function must come back to it to be seen in it.
  absl::Status BuildProgram(const std::vector<std::string>& flags) const {
    const FrontEndRequest& program = request_.program;
    std::vector<std::string> sources = {Path("copy/" + name_)};
    sources.insert(sources.end(), program.with.begin(), program.with.end());
    const bool cpp = std::any_of(sources.begin(), sources.end(), IsCpp);
    std::vector<std::string> command = cpp ? CppCompilerCommand() : CCompilerCommand();
    for (const std::string& flag : flags) {
      if (!DisturbsMeasuring(flag)) command.push_back(flag);
    }
    command.insert(command.end(), {"-g", "-fno-optimize-sibling-calls", "-w"});
    const std::filesystem::path beside = std::filesystem::path(program.file).parent_path();
    command.insert(command.end(), {"-iquote", beside.empty() ? "." : beside.string()});
    for (const std::string& folder : program.include_directories) command.push_back("-I" + folder);
    for (const std::string& define : program.defines) command.push_back("-D" + define);
    // By names alone a compiler of C++ would take C for C++.
    for (const std::string& source : sources)
      command.insert(command.end(), {"-x", IsCpp(source) ? "c++" : "c", source});
    command.insert(command.end(), {"-x", "none", Path("runtime.o"), "-o", Path("program")});
    for (const std::string& flag : program.link_flags) {
      if (!DisturbsMeasuring(flag)) command.push_back(flag);
    }
    command.push_back("-lm");
    return Compile(command);
  }

  absl::Status Run() {
    std::vector<std::string> command = {Path("program")};
    command.insert(command.end(), request_.program.arguments.begin(), request_.program.arguments.end());
    const size_t counters = static_cast<size_t>(kThreads) * static_cast<size_t>(Stride());
    const std::string no_calls(counters * sizeof(uint64_t), '\0');
    const absl::Time end = absl::Now() + std::min(request_.limit, kLongestRepetition);
    SubprocessOptions options = Options(request_.limit);
    options.standard_input = input_;
    double used = 0;
    while (profile_.runs < kMostRuns && used < absl::ToDoubleSeconds(request_.enough)) {
      if (profile_.runs > 0 && absl::Now() >= end) break;
      TUNE_RETURN_IF_ERROR(WriteFile(Path("samples"), ""));
      TUNE_RETURN_IF_ERROR(WriteFile(Path("calls"), no_calls));
      TUNE_ASSIGN_OR_RETURN(const SubprocessResult result, Execute(command, options));
      TUNE_RETURN_IF_ERROR(CheckRun(result));
      TUNE_ASSIGN_OR_RETURN(const std::string bytes, ReadFile(Path("samples")));
      for (ProgramSample& sample : ParseSamples(bytes)) {
        used += sample.seconds;
        samples_.push_back(std::move(sample));
      }
      if (++profile_.runs == 1) TUNE_RETURN_IF_ERROR(ReadCalls());
    }
    profile_.samples = static_cast<int64_t>(samples_.size());
    return absl::OkStatus();
  }

  absl::Status CheckRun(const SubprocessResult& result) const {
    if (result.ok()) return absl::OkStatus();
    const std::string said(absl::StripSuffix(result.standard_error, "\n"));
    const char* const remedy =
        result.timed_out
            ? "give it less to do (--arg, --stdin, -D), or more time (--time-limit)"
            : "it is run with what --arg and --stdin give it, and its loops are told of where it "
              "ends with status 0";
    return absl::FailedPreconditionError(absl::StrCat(request_.program.file, " ", result.Describe(), ": ",
                                                      remedy, said.empty() ? "" : "\n", said));
  }

  absl::Status ReadCalls() {
    TUNE_ASSIGN_OR_RETURN(const std::string bytes, ReadFile(Path("calls")));
    for (size_t nest = 0; nest < measured_.nests.size(); ++nest) {
      std::optional<int64_t>& calls = profile_.calls.emplace_back();
      if (!measured_.nests[nest].counted) continue;
      calls = 0;
      const size_t row = static_cast<size_t>(Stride()) * sizeof(uint64_t);
      for (size_t at = nest * sizeof(uint64_t); at + sizeof(uint64_t) <= bytes.size(); at += row) {
        uint64_t of_thread = 0;
        std::memcpy(&of_thread, bytes.data() + at, sizeof of_thread);
        *calls += static_cast<int64_t>(of_thread);
      }
    }
    return absl::OkStatus();
  }

  absl::StatusOr<ProgramProfile> AddUpRuns() {
    std::set<uint64_t> addresses;
    for (const ProgramSample& sample : samples_)
      addresses.insert(sample.addresses.begin(), sample.addresses.end());
    std::string text;
    for (const uint64_t address : addresses) absl::StrAppend(&text, "0x", absl::Hex(address), "\n");
    SubprocessOptions options = Options(kToolLimit);
    options.standard_input = text;
    options.output_limit_bytes = kLargestLines;
    const absl::StatusOr<SubprocessResult> lines =
        Execute({"addr2line", "--exe=" + Path("program"), "--addresses", "--inlines"}, options);
    if (absl::IsCancelled(lines.status())) return lines.status();
    if (!lines.ok() || !lines->ok())
      return absl::FailedPreconditionError(absl::StrCat(
          "addr2line, which tells the lines of addresses, ",
          lines.ok() ? lines->Describe() : std::string(lines.status().message()), ": install binutils"));
    NestTimes& times = profile_.times;
    times =
        AddUp(samples_, ParseAddressLines(lines->standard_output), Path("copy/" + name_), measured_.nests);
    times.total /= profile_.runs;
    times.outside /= profile_.runs;
    for (double& seconds : times.seconds) seconds /= profile_.runs;
    return std::move(profile_);
  }

  const ProfileRequest& request_;
  const std::string folder_, name_;
  MeasuredText measured_;
  std::string input_;
  std::vector<ProgramSample> samples_;
  ProgramProfile profile_;
};

}  // namespace

absl::StatusOr<ProgramProfile> ProfileProgram(const ProfileRequest& request) {
  if (!request.nests.has_main())
    return absl::InvalidArgumentError(absl::StrCat(request.program.file,
                                                   " has no `main` to be run: give the C file that has it "
                                                   "with --with, and further ones of the program"));
  TUNE_ASSIGN_OR_RETURN(const TemporaryFolder folder, TemporaryFolder::Make());
  std::error_code error;
  const std::string path = std::filesystem::canonical(folder.path(), error).string();
  return Profile(request, error ? folder.path() : path).Make();
}

}  // namespace tune
