#include "worker/reference/instrumented_program.h"

#include <algorithm>
#include <csignal>
#include <filesystem>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_split.h"
#include "common/base/file.h"
#include "common/base/fingerprint.h"
#include "common/base/subprocess.h"
#include "common/base/untrusted_file.h"
#include "common/evaluation/compile_flags.h"
#include "common/scop/row_distance.h"
#include "worker/build/bundle.h"
#include "worker/reference/instrumentation.h"
#include "worker/reference/own_members.h"
#include "worker/reference/program_record.h"
#include "worker/reference/static_memory.h"
#include "worker/reference/uninitialised_memory.h"
#include "worker/sandbox/device_access.h"
#include "worker/sandbox/sandbox.h"

namespace tune {
namespace {

constexpr char kRecorderSource[] = "tune_reference_recorder.c";
constexpr char kProgram[] = "tune_reference_program";
constexpr size_t kOutputTail = 4096;

double Mebibytes(double bytes) { return bytes / (1 << 20); }

absl::Status NeedsMemory(const std::string& what, double needed, const v1::Limits& limits) {
  return absl::ResourceExhaustedError(
      absl::StrFormat("the program needs at least %.1f MiB of memory (%s), and %.1f MiB are allowed; allow "
                      "more with --memory",
                      Mebibytes(needed), what, Mebibytes(static_cast<double>(limits.memory_bytes()))));
}

// 1. The bundle on disk, with the recorder in it.
absl::Status WriteInstrumented(const v1::StudySetup& setup, const std::string& prepare,
                               const std::string& record_folder, const std::string& folder) {
  const v1::Program& program = setup.program();
  if (program.sources().empty())
    return absl::InvalidArgumentError("the program has no source files; submit again");
  TUNE_RETURN_IF_ERROR(WriteBundle(program, folder));
  const std::string& file = setup.scop().region().file();
  TUNE_ASSIGN_OR_RETURN(const std::string content, BundledFile(program, file));
  TUNE_ASSIGN_OR_RETURN(const std::string instrumented, InstrumentSource(setup.scop(), content, prepare));
  TUNE_RETURN_IF_ERROR(WriteFile(absl::StrCat(folder, "/", file), instrumented));
  TUNE_ASSIGN_OR_RETURN(const std::string recorder,
                        PrintRecorder(setup.scop(), {record_folder, setup.limits().memory_bytes()}));
  return WriteFile(absl::StrCat(folder, "/", kRecorderSource), recorder);
}

// 2. Compiled with the user's flags; path of the program.
absl::StatusOr<std::string> Compile(const v1::StudySetup& setup, const ReferenceTools& tools,
                                    const std::string& folder, bool fill_new_memory, std::string* log) {
  v1::Program program = setup.program();
  AddCompileFlags({"-w"}, &program);  // warnings about the recorder's calls would not help anybody
  if (fill_new_memory) AddCompileFlags({kFillLocalsFlag}, &program);
  std::vector<std::string> sources(program.sources().begin(), program.sources().end());
  sources.push_back(kRecorderSource);
  const CompileLimits limits = CompileLimitsOf(setup.limits(), tools.cancellation);
  TUNE_ASSIGN_OR_RETURN(
      const CompileResult result,
      tools.compiler->CompileProgram(folder, sources, program, kProgram, RecorderLinkFlags(), limits));
  *log = result.log;
  if (result.ok) return result.binary;
  if (result.cancelled) return absl::CancelledError("cancelled");
  if (result.timed_out) {
    return absl::DeadlineExceededError(absl::StrCat("the program was not compiled in time: ", result.message,
                                                    "; allow more with --compile-time"));
  }
  if (absl::StrContains(result.log, "relocation truncated")) {
    return absl::InvalidArgumentError(
        "the program does not link: its static arrays have 2 GiB or more; make them smaller, allocate them "
        "with "
        "malloc, or add --cflags -mcmodel=medium (and allow the memory with --memory)");
  }
  return absl::InvalidArgumentError(
      absl::StrCat("the program does not compile: ", result.message,
                   "; check that the same command works by hand, and pass its -I, -D and flags to tunectl"));
}

// 3. One run under limits. The program starts in `folder`. `turn`: that watches the run; null: none does.
absl::StatusOr<SubprocessResult> RunUnderLimits(const v1::StudySetup& setup, const ReferenceTools& tools,
                                                const InstrumentedProgram::Options& run,
                                                const std::string& folder, const std::string& program,
                                                const std::string& output_file, RegionTurn* turn) {
  const v1::Limits& limits = setup.limits();
  if (const int64_t bytes = StaticMemory(program); bytes > limits.memory_bytes()) {
    return NeedsMemory("its static arrays", static_cast<double>(bytes), limits);
  }
  std::vector<std::string> command = {program};
  command.insert(command.end(), setup.program().arguments().begin(), setup.program().arguments().end());
  SubprocessOptions options;
  options.folder = folder;
  if (run.threads > 0) options.environment.push_back(absl::StrCat("OMP_NUM_THREADS=", run.threads));
  if (run.fill_new_memory) options.environment.push_back(kFillAllocations);
  options.standard_input = setup.program().standard_input();
  options.standard_output_file = output_file;
  options.wall_limit = absl::Seconds(limits.reference_seconds());
  options.memory_limit_bytes = limits.memory_bytes();
  options.file_limit_bytes =
      std::max(limits.file_bytes(), limits.memory_bytes());  // the recorder writes arrays
  if (tools.cancellation != nullptr) {
    options.cancelled = &Cancellation::Poll;
    options.cancelled_argument = tools.cancellation;
  }
  if (turn != nullptr) turn->Watch(&options);
  SandboxSettings settings;
  settings.readable = LibraryFolders();
  settings.writable = {folder, run.record_folder};
  if (run.device) AllowDevices(&settings);
  return RunSandboxed(command, settings, options);
}

// Whether the front end has put conditions before the region, and variables that its scop has.
bool HasConditions(const v1::Scop& scop) {
  return std::any_of(scop.arrays().begin(), scop.arrays().end(),
                     [](const v1::Array& array) {
                       const bool has_rows = std::any_of(
                           array.extents().begin(), array.extents().end(),
                           [](const v1::Extent& extent) { return IsRowDistance(extent.c_expression()); });
                       return has_rows || absl::StartsWith(array.name(), kAddedName);
                     }) ||
         std::any_of(scop.parameters().begin(), scop.parameters().end(), [](const v1::Parameter& parameter) {
           return parameter.factors().empty() && absl::StartsWith(parameter.name(), kAddedName);
         });
}

// Why a run did not yield a record, or OK.
absl::Status CheckRun(const v1::StudySetup& setup, const SubprocessResult& process,
                      const std::string& record_folder) {
  const v1::Limits& limits = setup.limits();
  if (process.cancelled) return absl::CancelledError("cancelled");
  if (const auto line = ReadUntrustedFile(absl::StrCat(record_folder, "/", kErrorFile), kLargestRecord);
      line.ok()) {
    return absl::FailedPreconditionError(*line);
  }
  const bool entered = ReadExecutionLog(absl::StrCat(record_folder, "/", kExecutionsFile)).entered > 0;
  const bool left = std::filesystem::exists(absl::StrCat(record_folder, "/", kRecordFile));
  const std::string where = left ? "after the region" : entered ? "in the region" : "before the region";
  if (process.timed_out) {
    return absl::DeadlineExceededError(absl::StrFormat(
        "the program had not ended after %g s (it was %s); give it a smaller problem, or more time "
        "with --reference-time",
        limits.reference_seconds(), where));
  }
  if (!process.ok()) {
    if (const auto text =
            ReadUntrustedFile(absl::StrCat(record_folder, "/", kAllocationFile), kLargestRecord);
        text.ok()) {
      const std::vector<std::string> numbers = absl::StrSplit(*text, absl::ByAnyChar(" \n"));
      double in_use = 0, asked = 0;
      if (numbers.size() >= 2 && absl::SimpleAtod(numbers[0], &in_use) &&
          absl::SimpleAtod(numbers[1], &asked)) {
        return NeedsMemory("an allocation failed", in_use + asked, limits);
      }
    }
  }
  if (process.signal != 0 || process.exceeded_memory_bytes > 0) {
    const bool stack = process.signal == SIGSEGV && !left;
    return absl::FailedPreconditionError(
        absl::StrCat("the program ", process.Describe(), " ", where, "; make it run to its end first",
                     stack ? " (large local arrays overflow the stack: make them static)" : ""));
  }
  if (process.exit_code != 0) {
    return absl::FailedPreconditionError(absl::StrCat(
        "the program ", process.Describe(), " ", where,
        "; pass what it needs with --arg, and make it return 0 (it sees no files but its own; folders in "
        "the worker's TUNE_SANDBOX_READ are shown to it)"));
  }
  if (left) return absl::OkStatus();
  if (entered) {
    return absl::FailedPreconditionError(
        "the program ended inside the region; the region must be left through its end");
  }
  if (HasConditions(setup.scop())) {
    return absl::FailedPreconditionError(
        "the program ended without reaching the region where what its code needs holds: rows to which "
        "pointers lead lie at one distance, and what it writes has no members in it that it reads; allocate "
        "rows as one block (a[i] = a[0] + i * m), or pass the arguments with which the region is reached "
        "(--arguments, --stdin)");
  }
  return absl::FailedPreconditionError(
      "the program ended without reaching the region; pass the arguments with which it does (--arguments, "
      "--stdin)");
}

absl::Status CheckDemands(const InstrumentedProgram::Options& options, bool tuned,
                          const std::string& standard_error) {
  if (options.must_run_tuned && !tuned) {
    return absl::FailedPreconditionError(
        "the tuned code did not run: its guard does not hold in its own program, or it failed");
  }
  if (options.failure_mark.empty()) return absl::OkStatus();
  for (const absl::string_view line : absl::StrSplit(standard_error, '\n')) {
    if (absl::StrContains(line, options.failure_mark)) return absl::FailedPreconditionError(line);
  }
  return absl::OkStatus();
}

// Fingerprint and tail of the program's standard output, which may be of any size.
absl::Status DescribeOutput(const std::string& path, v1::Reference* reference) {
  Fingerprinter fingerprint;
  std::string tail;
  bool silent = true;
  TUNE_RETURN_IF_ERROR(ReadUntrustedFile(path, [&](absl::string_view piece) {
    fingerprint.Add(piece);
    silent = false;
    absl::StrAppend(&tail, piece);
    if (tail.size() > kOutputTail) tail.erase(0, tail.size() - kOutputTail);
  }));
  reference->set_standard_output_fingerprint(fingerprint.Finish());
  for (char& c : tail) {
    if (static_cast<unsigned char>(c) >= 0x80 || c == '\0') c = '?';  // the field is text
  }
  reference->set_standard_output_tail(tail);
  reference->set_silent(silent);
  return absl::OkStatus();
}

// What an earlier run left must not be taken for this one's.
absl::Status ClearRecords(const std::string& record_folder, const ExecutionLog& log) {
  for (const char* file : {kEntryFile, kRecordFile, kErrorFile, kAllocationFile}) {
    std::error_code error;
    std::filesystem::remove(absl::StrCat(record_folder, "/", file), error);
    if (error) return absl::InternalError(absl::StrCat(record_folder, "/", file, ": ", error.message()));
  }
  return WriteExecutionLog(absl::StrCat(record_folder, "/", kExecutionsFile), log);
}

}  // namespace

absl::StatusOr<TemporaryFolder> MakeRecordFolder() {
  TUNE_ASSIGN_OR_RETURN(TemporaryFolder folder, TemporaryFolder::Make());
  TUNE_RETURN_IF_ERROR(MakeFolder(folder.path() + "/in"));
  TUNE_RETURN_IF_ERROR(MakeFolder(folder.path() + "/out"));
  return folder;
}

absl::StatusOr<InstrumentedProgram> InstrumentedProgram::Build(const v1::StudySetup& setup,
                                                               const ReferenceTools& tools,
                                                               const Options& options, std::string* log) {
  TUNE_ASSIGN_OR_RETURN(TemporaryFolder folder, TemporaryFolder::Make());
  const std::string bundle = folder.path() + "/program";
  TUNE_RETURN_IF_ERROR(MakeFolder(bundle));
  TUNE_RETURN_IF_ERROR(WriteInstrumented(setup, options.prepare, options.record_folder, bundle));
  TUNE_ASSIGN_OR_RETURN(std::string program, Compile(setup, tools, bundle, options.fill_new_memory, log));
  return InstrumentedProgram(setup, tools, options, std::move(folder), std::move(program));
}

absl::StatusOr<SubprocessResult> InstrumentedProgram::RunInTurn(const std::string& folder,
                                                                const std::string& output_file) const {
  if (!options_.device_turn)
    return RunUnderLimits(setup_, tools_, options_, folder, program_, output_file, nullptr);
  TUNE_ASSIGN_OR_RETURN(
      const std::unique_ptr<RegionTurn> turn,
      RegionTurn::Open(absl::StrCat(options_.record_folder, "/", kExecutionsFile),
                       absl::Seconds(setup_.limits().reference_seconds()), tools_.cancellation));
  return turn->Run(options_.device_turn, [&] {
    return RunUnderLimits(setup_, tools_, options_, folder, program_, output_file, turn.get());
  });
}

absl::StatusOr<ProgramRun> InstrumentedProgram::Run(Recording recording, std::string* log) const {
  const std::string& records = options_.record_folder;
  ExecutionLog executions;
  executions.times_only = recording == Recording::kTimes ? 1 : 0;
  executions.stops = options_.device_turn ? 1 : 0;
  TUNE_RETURN_IF_ERROR(ClearRecords(records, executions));
  // What the program writes must not be there when it runs again.
  TUNE_ASSIGN_OR_RETURN(const TemporaryFolder folder, TemporaryFolder::Make());
  const std::string bundle = folder.path() + "/program", output = folder.path() + "/output";
  TUNE_RETURN_IF_ERROR(MakeFolder(bundle));
  TUNE_RETURN_IF_ERROR(WriteBundle(setup_.program(), bundle));
  TUNE_ASSIGN_OR_RETURN(const SubprocessResult process, RunInTurn(bundle, output));
  // A link or a pipe among what it left would be followed, or waited for.
  TUNE_RETURN_IF_ERROR(CheckPlainFiles(records));
  *log = process.standard_error;
  ProgramRun run;
  TUNE_RETURN_IF_ERROR(DescribeOutput(output, &run.reference));
  absl::StrAppend(log, run.reference.standard_output_tail());
  TUNE_RETURN_IF_ERROR(CheckRun(setup_, process, records));
  TUNE_ASSIGN_OR_RETURN(const std::string record,
                        ReadUntrustedFile(absl::StrCat(records, "/", kRecordFile), kLargestRecord));
  TUNE_RETURN_IF_ERROR(ParseRecord(record, &run.reference));
  executions = ReadExecutionLog(absl::StrCat(records, "/", kExecutionsFile));
  run.reference.set_executions(executions.entered);
  for (int64_t i = 0; i < executions.later_count; ++i)
    run.later_seconds.push_back(1e-9 * static_cast<double>(executions.later_nanoseconds[i]));
  TUNE_RETURN_IF_ERROR(CheckDemands(options_, executions.tuned != 0, process.standard_error));
  if (recording == Recording::kArrays)
    TUNE_RETURN_IF_ERROR(KeepOwnMembers(setup_.scop(), records, setup_.limits().memory_bytes()));
  run.wall_seconds = absl::ToDoubleSeconds(process.wall_time);
  return run;
}

}  // namespace tune
