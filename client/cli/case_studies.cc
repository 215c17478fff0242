#include "client/cli/case_studies.h"

#include <algorithm>
#include <set>
#include <utility>

#include "absl/strings/str_join.h"
#include "client/cli/generate_options.h"
#include "client/cli/known_results.h"
#include "client/exchange/case_formats.h"
#include "common/device/compute_capability.h"
#include "common/evaluation/architecture.h"
#include "common/evaluation/generator.h"
#include "common/tuned/guard.h"

namespace tune {
namespace {

constexpr int kMostKnown = 100;  // studies of one computation, whose formats are taken

// What the server knows of the region, on all devices and with all sizes; the study's own best among it.
absl::StatusOr<v1::CaseFormats> KnownFormats(Session& session, StudyClient& client, const TunedStudy& study) {
  v1::LookUpRequest request = LookUpRequestFor(study.spec.scop(), study.spec.program(), v1::CUDA,
                                               ResultKind(study.spec.generator(), study.spec.rounding()), {});
  request.set_limit(kMostKnown);
  ExchangeClient exchange(&client);
  TUNE_ASSIGN_OR_RETURN(const v1::LookUpResponse known,
                        session.Retry([&] { return exchange.LookUp(request); }));
  TUNE_ASSIGN_OR_RETURN(const v1::Candidate best,
                        client.GetCandidate(study.study.id(), study.study.best_index()));
  v1::CaseFormats formats = CaseFormatsOf(study.study, best.configuration());
  for (const v1::Match& match : known.matches()) {
    if (match.study().id() != study.study.id())
      formats.MergeFrom(CaseFormatsOf(match.study(), match.configuration()));
  }
  return formats;
}

// Of a GPU of which the generator knows enough to map kernels for it; empty: of none.
std::string KnownArchitecture(const v1::Device& device) {
  const auto known = KnownComputeCapabilities();
  const std::pair<int, int> own = {device.cuda().compute_capability_major(),
                                   device.cuda().compute_capability_minor()};
  return std::find(known.begin(), known.end(), own) == known.end() ? "" : ArchitectureOf(device);
}

std::string SourcesText(const v1::CaseFormats& formats) {
  std::set<std::string> sources;
  for (const v1::CaseFormat& format : formats.formats()) sources.insert(format.source());
  return sources.empty() ? "" : absl::StrCat(", with formats of ", absl::StrJoin(sources, ", "));
}

absl::StatusOr<TunedStudy> ForAllSizes(Session& session, StudyClient& client, const TunedStudy& study) {
  if (!study.study.has_cases()) {
    return absl::FailedPreconditionError(absl::StrCat(
        study.study.id(), " has no cases, which other studies have: fetch it alone, or all with --one-size. ",
        absl::StrJoin(study.study.warnings(), "; ")));
  }
  TUNE_ASSIGN_OR_RETURN(const v1::CaseFormats formats, KnownFormats(session, client, study));
  v1::Extraction extraction;
  *extraction.mutable_program() = study.spec.program();
  *extraction.add_scops() = study.spec.scop();
  GenerateOptions options;
  options.cases = true;
  options.case_formats = formats;
  options.rounding = study.spec.rounding();
  options.architecture = KnownArchitecture(study.study.device());
  if (!options.architecture.empty()) options.multiprocessors = study.study.device().cores();
  TUNE_ASSIGN_OR_RETURN(const v1::CaseDiscussions made,
                        GeneratedMessage<v1::CaseDiscussions>(session, extraction, options));
  if (made.regions_size() != 1) return absl::InternalError("tune-generate answered no cases");
  return TunedStudyOfCases(study.spec, made.regions(0), "any GPU" + SourcesText(formats));
}

}  // namespace

absl::StatusOr<TunedOutput> PrintCaseStudies(Session& session, StudyClient& client,
                                             const std::vector<TunedStudy>& studies,
                                             const std::string& output) {
  std::vector<TunedStudy> regions;
  for (const TunedStudy& study : studies) {
    const bool is_there = std::any_of(regions.begin(), regions.end(), [&](const TunedStudy& region) {
      return SamePlace(region.spec.scop(), study.spec.scop());
    });
    if (is_there) continue;  // its size is one of all
    TUNE_ASSIGN_OR_RETURN(regions.emplace_back(), ForAllSizes(session, client, study));
  }
  TUNE_ASSIGN_OR_RETURN(TunedOutput tuned, PrintTuned(regions, output));
  for (const TunedStudy& study : studies) tuned.taken.push_back(study.study.id());
  return tuned;
}

}  // namespace tune
