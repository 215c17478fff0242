#include "client/cli/captured_studies.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_join.h"
#include "client/exchange/application_captures.h"
#include "client/exchange/captured_sizes.h"
#include "client/kernels/kernel_study.h"
#include "client/report/units.h"
#include "common/evaluation/generator.h"

namespace tune {
namespace {

constexpr size_t kMostNamedSizes = 5;

class CapturedStudies {
 public:
  CapturedStudies(Session& session, const FrontEndRequest& request, const StudyWishes& wishes,
                  const CapturedOptions& options)
      : session_(session), request_(request), wishes_(wishes), options_(options) {}

  absl::StatusOr<std::vector<v1::StudySpec>> Prepare() {
    TUNE_ASSIGN_OR_RETURN(const ApplicationCaptures captures, ReadCaptures(options_.file()));
    TUNE_ASSIGN_OR_RETURN(extraction_, ReadProgram(request_));
    const CapturedSizes found = MatchCaptures(captures, extraction_, request_, wishes_.region);
    for (const CapturedSize& captured : found.sizes) TUNE_RETURN_IF_ERROR(CheckNoneIsGiven(captured.size));
    for (const std::string& message : found.messages) Tell(message);
    std::vector<v1::StudySpec> specs;
    size_t next = 0;
    for (; next < found.sizes.size() && specs.size() < static_cast<size_t>(options_.most()); ++next) {
      absl::StatusOr<std::vector<v1::StudySpec>> spec = SpecOf(found.sizes[next]);
      if (spec.ok()) specs.push_back(std::move(spec->front()));
      if (!spec.ok())
        Tell(absl::StrCat(LinesText(found.sizes[next].lines), ", ", SizeText(found.sizes[next].size), ": ",
                          spec.status().message()));
    }
    if (next < found.sizes.size()) TellFurther({found.sizes.begin() + next, found.sizes.end()});
    if (!specs.empty()) return specs;
    return absl::InvalidArgumentError(absl::StrCat(options_.file(), " has no inputs that ", request_.file,
                                                   " can be tuned for, so nothing was submitted"));
  }

 private:
  void Tell(const std::string& message) { session_.err() << options_.file() << ", " << message << ".\n"; }

  absl::Status CheckNoneIsGiven(const ProgramSize& size) const {
    for (const auto& [name, value] : size) {
      if (wishes_.parameters.count(name) > 0)
        return UsageError(absl::StrCat("--param ", name, ": --captured gives it its values; leave one out"));
    }
    return absl::OkStatus();
  }

  // One, of one region.
  absl::StatusOr<std::vector<v1::StudySpec>> SpecOf(const CapturedSize& captured) const {
    StudyWishes wishes = wishes_;
    wishes.region = captured.region;
    if (captured.size.empty()) return MakeStudySpecs(extraction_, request_.file, wishes);
    return MakeSizedSpecs(request_, wishes, {captured.size}, [this](const FrontEndRequest& sized) {
      const bool is_read = sized.defines == request_.defines && sized.arguments == request_.arguments;
      return is_read ? absl::StatusOr<v1::Extraction>(extraction_) : ReadProgram(sized);
    });
  }

  void TellFurther(const std::vector<CapturedSize>& further) {
    std::vector<std::string> texts;
    for (size_t i = 0; i < std::min(further.size(), kMostNamedSizes); ++i)
      texts.push_back(SizeText(further[i].size));
    if (further.size() > texts.size()) texts.push_back("...");
    session_.err() << "Left out, as at most " << options_.most()
                   << " are submitted: " << FormatCount(static_cast<int64_t>(further.size()), "size")
                   << " of " << options_.file() << " (" << absl::StrJoin(texts, ", ")
                   << "); --most is for more.\n";
  }

  Session& session_;
  const FrontEndRequest& request_;
  const StudyWishes& wishes_;
  const CapturedOptions& options_;
  v1::Extraction extraction_;
};

}  // namespace

void CapturedOptions::AddTo(CLI::App& verb) {
  CLI::Option* captured =
      verb.add_option(
              "--captured", file_,
              "A study of each size in a capture file, what TUNE_CAPTURE_FILE named when a program that "
              "tunes itself ran; those of most lines first, else as they were met. A file without main is "
              "given its parameters, as by --param, a program those that --arg mentions as {NAME}")
          ->excludes(verb.get_option("--sizes"))
          ->type_name("CAPTURE")
          ->group("Program");
  verb.add_option("--most", most_, "Of --captured: at most so many studies")
      ->check(CLI::Range(1, 1000))
      ->needs(captured)
      ->capture_default_str()
      ->type_name("N")
      ->group("Program");
}

absl::StatusOr<std::vector<v1::StudySpec>> PrepareStudies(Session& session, const ProgramOptions& program,
                                                          const StudyOptions& options,
                                                          const KernelOptions& kernel,
                                                          const CapturedOptions& captured) {
  if (captured.file().empty()) return PrepareStudies(program, options, kernel);
  TUNE_ASSIGN_OR_RETURN(const FrontEndRequest request, program.Request());
  TUNE_ASSIGN_OR_RETURN(StudyWishes wishes, options.Wishes());
  wishes.constants = request.constants;
  if (IsKernelDefinition(request.file) || kernel.any())
    return UsageError("--captured is of regions, and no program captures what kernels are called with");
  if (wishes.generator == kSharedGenerator)
    return UsageError("--target cpu+cuda is of one size: submit the sizes one by one");
  return CapturedStudies(session, request, wishes, captured).Prepare();
}

}  // namespace tune
