#include "client/cli/shared_check.h"

#include "absl/strings/str_cat.h"
#include "client/cli/generate_options.h"
#include "common/evaluation/generator.h"
#include "tune/v1/extraction.pb.h"

namespace tune {
namespace {

absl::Status CheckRegion(Session& session, const v1::StudySpec& spec) {
  v1::Extraction extraction;
  *extraction.add_scops() = spec.scop();
  *extraction.mutable_program() = spec.program();
  GenerateOptions options;
  options.target = kSharedGenerator;
  options.rounding = spec.rounding();
  return Annotate(RunGenerator(session, extraction, options).status(), spec.scop().region().file());
}

}  // namespace

absl::Status CheckShareable(Session& session, const std::vector<v1::StudySpec>& specs) {
  for (const v1::StudySpec& spec : specs) {
    if (spec.generator() != kSharedGenerator) continue;
    if (spec.has_kernel())
      return absl::InvalidArgumentError(
          "--target cpu+cuda divides regions of C files; hand-written kernels run where their language says: "
          "leave it out");
    if (!spec.program().has_main())
      return absl::InvalidArgumentError(absl::StrCat(
          spec.scop().region().file(),
          ": with --target cpu+cuda candidates run in your program, and the file has no main: name the file "
          "that has it with --with FILE"));
    TUNE_RETURN_IF_ERROR(CheckRegion(session, spec));
  }
  return absl::OkStatus();
}

}  // namespace tune
