#include "worker/reference/tuned_program.h"

#include <algorithm>
#include <cstring>
#include <filesystem>

#include "absl/strings/match.h"
#include "common/array/element_type.h"
#include "common/base/file.h"
#include "common/evaluation/compile_flags.h"
#include "common/evaluation/measurement.h"
#include "common/tuned/tuned_file.h"
#include "worker/build/bundle.h"
#include "worker/reference/differing_inputs.h"
#include "worker/reference/instrumentation.h"
#include "worker/reference/instrumented_program.h"
#include "worker/reference/program_comparison.h"
#include "worker/run/guarded_memory.h"
#include "worker/run/output_check.h"

namespace tune {
namespace {

// Addresses, for a program that reserves many: more than processes have.
constexpr int64_t kNoMemoryLimit = int64_t{1} << 46;

// The study of the program with the tuned file in place of the original one; the region is now what
// stands where it stood.
absl::StatusOr<v1::StudySetup> ReplaceRegion(const v1::StudySetup& setup, const v1::Reference& reference,
                                             const TunedProgram& tuned) {
  v1::StudySetup changed = setup;
  v1::SourceRegion* const region = changed.mutable_scop()->mutable_region();
  TUNE_ASSIGN_OR_RETURN(const std::string original, BundledFile(setup.program(), region->file()));
  // Code that may fail has run where it says so.
  const bool may_fail = absl::StrContains(tuned.code, kTuneDone);
  const std::string code =
      may_fail ? absl::StrCat("{\n", tuned.code, "if (", kTuneDone, ") { ", kTellTuned, " }\n}\n")
               : absl::StrCat("{ ", kTellTuned, "\n", tuned.code, "\n}\n");
  TUNE_ASSIGN_OR_RETURN(const std::string text,
                        PrintTunedFile(setup.program(), setup.scop(), reference, code, {}));
  for (v1::SourceFile& file : *changed.mutable_program()->mutable_files()) {
    if (file.path() == region->file()) file.set_content(text);
  }
  for (const auto& [path, content] : tuned.files) {
    v1::SourceFile* const file = changed.mutable_program()->add_files();
    file->set_path(path);
    file->set_content(content);
  }
  // In C++ declarations come before the file's own text.
  const auto longer = static_cast<int64_t>(text.size()) - static_cast<int64_t>(original.size());
  const auto moved = static_cast<int64_t>(text.find(original.substr(0, region->begin_offset())));
  region->set_body_begin_offset(region->begin_offset() + moved);
  region->set_body_end_offset(region->end_offset() + longer);
  v1::Program* const program = changed.mutable_program();
  AddCompileFlags(tuned.compile_flags, program);
  program->mutable_link_flags()->Add(tuned.link_flags.begin(), tuned.link_flags.end());
  if (!tuned.limit_memory) changed.mutable_limits()->set_memory_bytes(kNoMemoryLimit);
  return changed;
}

// One array, at entry and exit of the region, of `size` bytes an element.
struct ArrayRun {
  const char* in;
  const char* out;
  bool Touches(int64_t at, size_t size) const { return std::memcmp(in + at, out + at, size) != 0; }
};

// What the tuned program's region left, but for elements that it and the reference's left as they found them:
// there, as expected. In memory that the program does not set, each run finds something else.
std::vector<char> LeftWhereTouched(const ArrayRun& reference, const ArrayRun& tuned, int64_t bytes,
                                   size_t size) {
  std::vector<char> left(tuned.out, tuned.out + bytes);
  for (int64_t at = 0; at < bytes; at += static_cast<int64_t>(size)) {
    if (!reference.Touches(at, size) && !tuned.Touches(at, size))
      std::memcpy(left.data() + at, reference.out + at, size);
  }
  return left;
}

// Parallel to the arrays that the region writes.
absl::StatusOr<std::vector<v1::ArrayError>> CompareOutputs(const v1::StudySetup& setup,
                                                           const ReferenceData& reference,
                                                           const ReferenceData& found) {
  TUNE_ASSIGN_OR_RETURN(const std::vector<v1::RunnerArray> arrays,
                        RunnerArrays(setup.scop().arrays(), reference, /*compare_outputs=*/true));
  const OutputTolerance tolerance = ToleranceFrom(setup.tolerance());
  std::vector<v1::ArrayError> errors;
  for (const v1::RunnerArray& array : arrays) {
    if (array.expected_file().empty()) continue;
    const std::vector<int64_t> extents(array.extents().begin(), array.extents().end());
    TUNE_ASSIGN_OR_RETURN(const int64_t bytes, ArrayBytes(array.name(), array.element_type(), extents));
    const auto open = [&](const std::string& path) { return MappedFile::Open(path, bytes); };
    const std::string name = array.name() + ".bin";
    TUNE_ASSIGN_OR_RETURN(const MappedFile input, open(array.input_file()));
    TUNE_ASSIGN_OR_RETURN(const MappedFile expected, open(array.expected_file()));
    TUNE_ASSIGN_OR_RETURN(const MappedFile tuned_input, open(absl::StrCat(found.folder, "/in/", name)));
    TUNE_ASSIGN_OR_RETURN(const MappedFile tuned_output, open(absl::StrCat(found.folder, "/out/", name)));
    const auto run = [](const MappedFile& in, const MappedFile& out) {
      return ArrayRun{static_cast<const char*>(in.data()), static_cast<const char*>(out.data())};
    };
    const auto compare = [&](const void* left) {
      return CompareArray(array.name(), array.element_type(), extents, expected.data(), left, tolerance,
                          RuleOf(array));
    };
    errors.push_back(compare(tuned_output.data()));
    if (!errors.back().exceeded()) continue;
    errors.back() = compare(LeftWhereTouched(run(input, expected), run(tuned_input, tuned_output), bytes,
                                             ElementSize(array.element_type()))
                                .data());
  }
  return errors;
}

absl::Status MakeEmpty(const std::string& folder) {
  std::error_code error;
  std::filesystem::remove_all(folder, error);
  if (error) return absl::InternalError(absl::StrCat(folder, ": ", error.message()));
  return MakeFolder(folder);
}

// Sets fresh and warm.
absl::Status CompareTimesOfPrograms(const v1::StudySetup& setup, const ReferenceTools& tools,
                                    const InstrumentedProgram& tuned, int threads, v1::ProgramCheck* check) {
  TUNE_ASSIGN_OR_RETURN(const TemporaryFolder folder, MakeRecordFolder());
  InstrumentedProgram::Options options;
  options.record_folder = folder.path();
  options.threads = threads;
  std::string log;
  const absl::StatusOr<InstrumentedProgram> original =
      InstrumentedProgram::Build(setup, tools, options, &log);
  if (original.ok()) return CompareInTurns(*original, tuned, check);
  if (absl::IsCancelled(original.status())) return original.status();
  check->set_message(
      absl::StrCat("the times were not compared: in the original ", original.status().message()));
  return absl::OkStatus();
}

// Sets everything but index and, where the result is an error, outcome and message.
absl::Status Check(const v1::StudySetup& setup, const ReferenceTools& tools, const ReferenceData& reference,
                   const TunedProgram& tuned, v1::ProgramCheck* check) {
  // 1. The program with the tuned file.
  TUNE_ASSIGN_OR_RETURN(const RunnableTunedProgram program,
                        RunnableTunedProgram::Build(setup, tools, reference, tuned));
  // 2. What its tuned code leaves.
  std::string log;
  TUNE_ASSIGN_OR_RETURN(const v1::RunnerVerdict verdict, program.Check(&log));
  check->set_seconds(verdict.first_seconds());
  check->set_outcome(verdict.outcome());
  check->set_message(verdict.message());
  if (verdict.outcome() != v1::CORRECT) return absl::OkStatus();
  // 3. How long both programs take.
  return CompareTimesOfPrograms(setup, tools, program.program(), tuned.threads, check);
}

}  // namespace

absl::StatusOr<RunnableTunedProgram> RunnableTunedProgram::Build(const v1::StudySetup& setup,
                                                                 const ReferenceTools& tools,
                                                                 const ReferenceData& reference,
                                                                 const TunedProgram& tuned) {
  TUNE_ASSIGN_OR_RETURN(const v1::StudySetup changed, ReplaceRegion(setup, reference.reference, tuned));
  TUNE_ASSIGN_OR_RETURN(TemporaryFolder folder, MakeRecordFolder());
  InstrumentedProgram::Options options;
  options.record_folder = folder.path();
  options.prepare = tuned.prepare;
  options.threads = tuned.threads;
  options.device = tuned.device;
  options.device_turn = tuned.device_turn;
  options.must_run_tuned = !tuned.falls_back;
  options.failure_mark = tuned.failure_mark;
  std::string log;
  TUNE_ASSIGN_OR_RETURN(InstrumentedProgram program,
                        InstrumentedProgram::Build(changed, tools, options, &log));
  return RunnableTunedProgram(setup, tools, reference, std::move(folder), std::move(program));
}

absl::StatusOr<v1::RunnerVerdict> RunnableTunedProgram::Check(std::string* log) const {
  TUNE_ASSIGN_OR_RETURN(const ProgramRun run, program_.Run(InstrumentedProgram::Recording::kArrays, log));
  TUNE_ASSIGN_OR_RETURN(const std::vector<v1::ArrayError> errors,
                        CompareOutputs(*setup_, *reference_, {folder_.path(), run.reference}));
  v1::RunnerVerdict verdict;
  verdict.set_outcome(v1::CORRECT);
  verdict.set_first_seconds(run.reference.sequential_seconds());
  JudgeOutputs(errors, &verdict);
  if (verdict.outcome() == v1::CORRECTNESS) {
    TUNE_ASSIGN_OR_RETURN(const std::string cause,
                          DifferingInput(*setup_, *tools_, *reference_, folder_.path()));
    if (!cause.empty()) verdict.set_message(absl::StrCat(verdict.message(), "; ", cause));
  }
  TUNE_RETURN_IF_ERROR(MakeEmpty(folder_.path() + "/in"));
  TUNE_RETURN_IF_ERROR(MakeEmpty(folder_.path() + "/out"));
  return verdict;
}

absl::StatusOr<double> RunnableTunedProgram::Time() const {
  std::string log;
  TUNE_ASSIGN_OR_RETURN(const ProgramRun run, program_.Run(InstrumentedProgram::Recording::kTimes, &log));
  return run.later_seconds.empty() ? run.reference.sequential_seconds() : Median(run.later_seconds);
}

v1::Outcome OutcomeOfProgram(const absl::Status& status) {
  if (absl::IsInvalidArgument(status)) return v1::COMPILE;
  if (absl::IsDeadlineExceeded(status)) return v1::TIMEOUT;
  if (absl::IsResourceExhausted(status)) return v1::OOM;
  if (absl::IsCancelled(status)) return v1::CANCELLED;
  return v1::RUNTIME;
}

v1::ProgramCheck CheckTunedProgram(const v1::StudySetup& setup, const ReferenceTools& tools,
                                   const ReferenceData& reference, const TunedProgram& tuned) {
  v1::ProgramCheck check;
  if (!setup.program().has_main()) {
    check.set_message("the file has no main that could be run");
    return check;
  }
  if (const absl::Status status = Check(setup, tools, reference, tuned, &check); !status.ok()) {
    check.set_outcome(OutcomeOfProgram(status));
    check.set_message(std::string(status.message().substr(0, status.message().find('\n'))));
  }
  return check;
}

}  // namespace tune
