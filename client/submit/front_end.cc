#include "client/submit/front_end.h"

#include <google/protobuf/io/tokenizer.h>
#include <google/protobuf/text_format.h>

#include "absl/strings/match.h"
#include "absl/strings/strip.h"
#include "common/base/file.h"
#include "common/base/subprocess.h"
#include "common/isl/analysis_limit.h"

namespace tune {
namespace {

constexpr char kReportPayload[] = "tune/front_end_report";
constexpr char kFirstLine[] = "# tune.v1.Extraction";
constexpr absl::Duration kFrontEndLimit = absl::Minutes(5);
constexpr size_t kLargestExtraction = 256 << 20;

constexpr char kWaysOut[] =
    "Install Debian's libclang-cpp16 (and build tune-extract beside tunectl), or run `tunectl extract FILE.c "
    "--output FILE.scop` on a machine that has it and submit FILE.scop here.";

// Keeps the first error of the parser.
class FirstError : public google::protobuf::io::ErrorCollector {
 public:
  void AddError(int line, int column, const std::string& message) override {
    if (text_.empty()) text_ = absl::StrCat("line ", line + 1, ", column ", column + 1, ": ", message);
  }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

absl::Status CheckUsable(const v1::Extraction& extraction, absl::string_view path) {
  if (!extraction.diagnostics().empty()) {
    const v1::Diagnostic& first = extraction.diagnostics(0);
    return absl::InvalidArgumentError(absl::StrCat(first.file(), ":", first.line(), ":", first.column(), ": ",
                                                   first.reason(), "; ", first.remedy()));
  }
  if (extraction.scops().empty()) {
    return absl::InvalidArgumentError(absl::StrCat(
        path, ": holds no region; put `#pragma scop` and `#pragma endscop` around the loop nest"));
  }
  return absl::OkStatus();
}

// The message that it writes, given these further options.
template <typename Written>
absl::StatusOr<Written> RunFrontEnd(const FrontEndRequest& request, const std::string& program,
                                    const std::vector<std::string>& further = {}) {
  std::string path = program;
  if (path.empty()) {
    absl::StatusOr<std::string> sibling = FindSiblingProgram("tune-extract");
    if (!sibling.ok()) {
      return absl::FailedPreconditionError(
          absl::StrCat("the front end for C is not installed: ", sibling.status().message(), "\n", kWaysOut));
    }
    path = *sibling;
  }
  SubprocessOptions options;
  options.wall_limit = kFrontEndLimit * AnalysisLimit();
  options.output_limit_bytes = kLargestExtraction;
  std::vector<std::string> command = FrontEndCommand(path, request);
  command.insert(command.end(), further.begin(), further.end());
  const auto run = RunSubprocess(command, options);
  if (!run.ok()) {
    return absl::FailedPreconditionError(
        absl::StrCat("the front end for C does not start: ", run.status().message(), "\n", kWaysOut));
  }
  const absl::string_view report = absl::StripSuffix(run->standard_error, "\n");
  Written written;
  if (run->ok() && written.ParseFromString(run->standard_output)) return written;
  if (run->signal == 0 && !run->timed_out && run->exit_code == 1) {
    absl::Status refused = absl::InvalidArgumentError(report);
    refused.SetPayload(kReportPayload, absl::Cord("1"));
    return refused;
  }
  if (run->timed_out)
    return absl::FailedPreconditionError(absl::StrCat(
        path, " ", run->Describe(), ": the regions of ", request.file,
        " take too long to analyse; make them smaller, simplify their bounds and subscripts, or allow more "
        "with --analysis-limit"));
  // 127: the loader did not find a shared library.
  return absl::FailedPreconditionError(
      absl::StrCat(path, " ", run->ok() ? "wrote no extraction" : run->Describe(), report.empty() ? "" : ": ",
                   report, run->exit_code == 127 ? "\n" : "", run->exit_code == 127 ? kWaysOut : ""));
}

// Options that can still be given for a stored extraction.
absl::Status Amend(const FrontEndRequest& request, v1::Program* program) {
  if (!request.include_directories.empty() || !request.defines.empty() || !request.with.empty() ||
      !request.function.empty() || !request.constants.empty()) {
    return absl::InvalidArgumentError(
        absl::StrCat(request.file,
                     " is a stored extraction: -I, -D, --with, --function and --constant were fixed when it "
                     "was made; give them to `tunectl extract` instead"));
  }
  for (const std::string& flag : request.compile_flags) program->add_compile_flags(flag);
  for (const std::string& flag : request.link_flags) program->add_link_flags(flag);
  if (!request.arguments.empty()) program->clear_arguments();
  for (const std::string& argument : request.arguments) program->add_arguments(argument);
  if (!request.standard_input.empty()) {
    TUNE_ASSIGN_OR_RETURN(*program->mutable_standard_input(), ReadFile(request.standard_input));
  }
  return absl::OkStatus();
}

}  // namespace

bool IsFrontEndReport(const absl::Status& status) { return status.GetPayload(kReportPayload).has_value(); }

std::vector<std::string> FrontEndCommand(const std::string& program, const FrontEndRequest& request) {
  std::vector<std::string> command = {program, request.file};
  auto add = [&command](const char* option, const std::vector<std::string>& values) {
    for (const std::string& value : values) {
      command.push_back(option);
      command.push_back(value);
    }
  };
  // With '=', so that a value that starts with '-' is not taken for an option.
  auto add_long = [&command](const char* option, const std::vector<std::string>& values) {
    for (const std::string& value : values) command.push_back(absl::StrCat(option, "=", value));
  };
  add("-I", request.include_directories);
  add("-D", request.defines);
  add("--with", request.with);
  add_long("--cflag", request.compile_flags);
  add_long("--ldflag", request.link_flags);
  add_long("--arg", request.arguments);
  add_long("--fix", request.fixed);
  for (const auto& [name, value] : request.constants)
    add_long("--constant", {absl::StrCat(name, "=", value)});
  if (!request.standard_input.empty()) add("--stdin", {request.standard_input});
  if (!request.function.empty()) add_long("--function", {request.function});
  return command;
}

bool IsStoredExtraction(absl::string_view path, absl::string_view content) {
  return absl::EndsWith(path, ".scop") || absl::StartsWith(content, kFirstLine);
}

std::string PrintExtraction(const v1::Extraction& extraction) {
  std::string text;
  google::protobuf::TextFormat::PrintToString(extraction, &text);
  return absl::StrCat(kFirstLine, "\n", text);
}

absl::Status StoreExtraction(const v1::Extraction& extraction, const std::string& path) {
  return WriteFile(path, PrintExtraction(extraction));
}

absl::StatusOr<v1::Extraction> ParseExtraction(absl::string_view path, absl::string_view content) {
  FirstError error;
  google::protobuf::TextFormat::Parser parser;
  parser.RecordErrorsTo(&error);
  v1::Extraction extraction;
  if (!parser.ParseFromString(std::string(content), &extraction)) {
    return absl::InvalidArgumentError(
        absl::StrCat(path, ": not an extraction as `tunectl extract --output` writes it: ", error.text()));
  }
  return extraction;
}

absl::StatusOr<v1::Extraction> ReadProgram(const FrontEndRequest& request, const std::string& program) {
  TUNE_ASSIGN_OR_RETURN(const std::string content, ReadFile(request.file));
  v1::Extraction extraction;
  if (IsStoredExtraction(request.file, content)) {
    TUNE_ASSIGN_OR_RETURN(extraction, ParseExtraction(request.file, content));
    TUNE_RETURN_IF_ERROR(Amend(request, extraction.mutable_program()));
  } else {
    TUNE_ASSIGN_OR_RETURN(extraction, RunFrontEnd<v1::Extraction>(request, program));
  }
  TUNE_RETURN_IF_ERROR(CheckUsable(extraction, request.file));
  return extraction;
}

absl::StatusOr<v1::LoopNests> ReadLoopNests(const FrontEndRequest& request, const std::string& program) {
  TUNE_ASSIGN_OR_RETURN(const std::string content, ReadFile(request.file));
  if (IsStoredExtraction(request.file, content)) {
    return absl::InvalidArgumentError(absl::StrCat(
        request.file,
        " is a stored extraction, whose regions are fixed: give the C file that it was made of"));
  }
  return RunFrontEnd<v1::LoopNests>(request, program, {"--regions"});
}

}  // namespace tune
