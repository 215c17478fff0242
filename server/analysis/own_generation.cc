#include "server/analysis/own_generation.h"

#include "common/base/message_process.h"
#include "common/base/subprocess.h"

namespace tune {
namespace {

constexpr int kGenerationNiceness = 5;  // the server's own answers go first

absl::StatusOr<v1::GenerationAnswer> AskGenerator(const OwnGenerationOptions& options,
                                                  const v1::GenerationRequest& request) {
  SubprocessOptions process_options;
  process_options.memory_limit_bytes = options.memory_bytes;
  process_options.file_limit_bytes = 1;  // it has no file to write
  process_options.niceness = kGenerationNiceness;
  const absl::StatusOr<std::unique_ptr<MessageProcess>> process =
      MessageProcess::Start(options.program, process_options);
  if (!process.ok())
    return absl::UnavailableError(absl::StrCat("tune-generate: ", process.status().message()));
  const MessageAnswer answer = (*process)->Exchange(request.SerializeAsString(), options.answer_limit);
  if (answer.end == MessageAnswer::kTimedOut) {
    return absl::ResourceExhaustedError(absl::StrCat(
        "tune-generate was at it for ", absl::FormatDuration(options.answer_limit), " without an end"));
  }
  if (answer.end != MessageAnswer::kAnswered)
    return absl::ResourceExhaustedError(absl::StrCat("tune-generate ", answer.reason));
  v1::GenerationAnswer codes;
  if (!codes.ParseFromString(answer.message) || codes.codes_size() != request.configurations_size())
    return absl::InternalError("tune-generate answered what is no code for each configuration");
  return codes;
}

}  // namespace

absl::StatusOr<std::vector<std::string>> GenerationProgram() {
  TUNE_ASSIGN_OR_RETURN(std::string program, FindSiblingProgram("tune-generate"));
  return std::vector<std::string>{std::move(program), "--serve"};
}

CodeGeneration OwnGeneration(const OwnGenerationOptions& options) {
  return [options](const v1::GenerationRequest& request) { return AskGenerator(options, request); };
}

}  // namespace tune
