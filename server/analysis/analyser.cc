#include "server/analysis/analyser.h"

#include "absl/strings/ascii.h"
#include "absl/strings/escaping.h"
#include "common/base/subprocess.h"

namespace tune {
namespace {

constexpr size_t kShownLog = 500;  // bytes of what the process said, from its end
constexpr int kNiceness = 5;       // the server's own answers go first

std::string Said(const std::string& log) {
  const absl::string_view text = absl::StripAsciiWhitespace(log);
  if (text.empty()) return "";
  return absl::StrCat(": ", absl::CHexEscape(text.substr(text.size() - std::min(text.size(), kShownLog))));
}

}  // namespace

absl::StatusOr<std::vector<std::string>> AnalyserProgram() {
  TUNE_ASSIGN_OR_RETURN(std::string program, FindSiblingProgram("tune-analyser"));
  return std::vector<std::string>{std::move(program)};
}

absl::StatusOr<std::unique_ptr<Analyser>> Analyser::Start(const AnalyserOptions& options) {
  SubprocessOptions process_options;
  process_options.memory_limit_bytes = options.memory_bytes;
  process_options.file_limit_bytes = 1;  // it has no file to write
  process_options.niceness = kNiceness;
  absl::StatusOr<std::unique_ptr<MessageProcess>> process =
      MessageProcess::Start(options.program, process_options);
  if (!process.ok())
    return absl::UnavailableError(absl::StrCat("tune-analyser: ", process.status().message()));
  return std::unique_ptr<Analyser>(new Analyser(*std::move(process), options.answer_limit));
}

absl::StatusOr<v1::AnalysisAnswer> Analyser::Ask(const v1::AnalysisRequest& request,
                                                 const std::function<bool()>& cancelled) {
  const auto ask = [](void* function) { return (*static_cast<const std::function<bool()>*>(function))(); };
  const MessageAnswer answer = process_->Exchange(request.SerializeAsString(), limit_, ask,
                                                  const_cast<std::function<bool()>*>(&cancelled));
  if (answer.end == MessageAnswer::kCancelled) return absl::CancelledError("ended");
  if (answer.end == MessageAnswer::kTimedOut) {
    return absl::ResourceExhaustedError(absl::StrCat(
        "the region was looked at for ", absl::FormatDuration(limit_),
        " without an end: split it into smaller regions, or simplify its bounds and subscripts"));
  }
  if (answer.end != MessageAnswer::kAnswered) {
    return absl::ResourceExhaustedError(absl::StrCat(
        "the process that looked at the region ", answer.reason,
        ": split the region into smaller ones, or simplify its bounds and subscripts", Said(answer.log)));
  }
  v1::AnalysisAnswer result;
  if (!result.ParseFromString(answer.message))
    return absl::InternalError("the process that looks at regions answered what is no message");
  if (result.code() != 0 && !result.has_part())
    return absl::Status(static_cast<absl::StatusCode>(result.code()), result.message());
  return result;
}

}  // namespace tune
