#include "worker/generate/generation_server.h"

#include <algorithm>

#include "common/base/frames.h"
#include "common/base/message_process.h"
#include "common/space/cuda_device_options.h"
#include "common/space/shared_space.h"
#include "worker/cases/case_discussion.h"
#include "worker/codegen/code_generator.h"
#include "worker/parts/shared_generator.h"

namespace tune {
namespace {

bool IsExact(const v1::GenerationRequest& request) { return request.rounding() == v1::ROUNDING_EXACT; }

absl::StatusOr<std::unique_ptr<CodeGenerator>> GeneratorFor(const v1::GenerationRequest& request) {
  const v1::Device& device = request.device();
  if (IsOfSharedSpace(request.configurations(0)))
    return MakeSharedGenerator(request.scop(), request.reference(), device.model(), IsExact(request));
  if (device.target() == v1::CUDA) {
    return MakeCudaGenerator(request.scop(), request.reference(), CudaOptionsOf(device, request.rounding()));
  }
  return MakeOpenMpGenerator(request.scop(), request.reference(), std::max(1, device.cores()));
}

std::string FirstLine(const absl::Status& status) {
  const std::string text(status.message());
  return text.substr(0, text.find('\n'));
}

// Without code, which is made where it is wanted. Registers are estimated, so that it is the same everywhere.
void AddCases(const v1::GenerationRequest& request, v1::GenerationAnswer* answer) {
  std::vector<std::string> notes;
  CaseWishes wishes;
  wishes.exact = IsExact(request);
  absl::StatusOr<v1::CaseDiscussion> discussion = DiscussCases(request.scop(), wishes, &notes);
  if (!discussion.ok()) {
    answer->set_cases_failure(FirstLine(discussion.status()));
    return;
  }
  discussion->clear_code();
  discussion->clear_device_file();
  *answer->mutable_cases() = *std::move(discussion);
}

}  // namespace

v1::GenerationAnswer GenerateCodes(const v1::GenerationRequest& request) {
  v1::GenerationAnswer answer;
  const absl::StatusOr<std::unique_ptr<CodeGenerator>> generator =
      request.configurations().empty() ? absl::NotFoundError("nothing is to be generated")
                                       : GeneratorFor(request);
  for (const v1::Configuration& configuration : request.configurations()) {
    v1::GeneratedCode& code = *answer.add_codes();
    if (!generator.ok()) {
      code.set_failure(FirstLine(generator.status()));
      continue;
    }
    absl::StatusOr<GeneratedProgram> program = (*generator)->Generate(configuration);
    if (!program.ok()) {
      code.set_failure(FirstLine(program.status()));
      continue;
    }
    code.set_code(std::move(program->code));
    code.set_device_file(std::move(program->device_file));
  }
  if (request.cases()) AddCases(request, &answer);
  return answer;
}

absl::Status ServeGeneration(int input, int output) {
  v1::GenerationRequest request;
  while (true) {
    TUNE_ASSIGN_OR_RETURN(const bool more, ReadMessage(input, MessageProcess::kMaxMessage, &request));
    if (!more) return absl::OkStatus();
    TUNE_RETURN_IF_ERROR(WriteMessage(output, GenerateCodes(request)));
  }
}

}  // namespace tune
