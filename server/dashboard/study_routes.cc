// Routes of studies.
#include <algorithm>

#include "common/decision/configuration.h"
#include "common/evaluation/outcome.h"
#include "server/dashboard/read_api.h"
#include "server/dashboard/tuned_download.h"
#include "server/study/study_spec.h"

namespace tune {
namespace {

constexpr size_t kLongestSource = 256 << 10;

std::vector<std::string> StateWords() {
  std::vector<std::string> words;
  for (int state = v1::QUEUED; state <= v1::STOPPED; ++state) {
    words.emplace_back(StudyStateName(static_cast<v1::StudyState>(state)));
  }
  words.push_back("unfinished");
  return words;
}

// Which studies a list shows; empty accepts all. Texts are parts, in any case.
struct StudyFilter {
  std::string state, owner, name, target, device, search;

  bool Accepts(const v1::Study& study) const {
    const std::string& model = study.device().model();
    if (state == "unfinished" && IsFinished(study.state())) return false;
    if (!state.empty() && state != "unfinished" && state != StudyStateName(study.state())) return false;
    if (!target.empty() && target != TargetName(study.target())) return false;
    if (!HoldsText(study.owner(), owner) || !HoldsText(study.name(), name) || !HoldsText(model, device))
      return false;
    return search.empty() || HoldsText(study.id(), search) || HoldsText(study.name(), search) ||
           HoldsText(study.owner(), search) || HoldsText(model, search) ||
           HoldsText(study.region().file(), search) || HoldsText(study.failure(), search);
  }
};

absl::StatusOr<RouteResponse> ListStudies(const ReadSources& sources, const RouteRequest& request) {
  Query& query = *request.query;
  const StudyFilter filter = {
      query.Word("state", StateWords()),     query.Text("owner"),  query.Text("name"),
      query.Word("target", {"cpu", "cuda"}), query.Text("device"), query.Text("search")};
  const int64_t limit = query.Int("limit", 100, 1, 1000);
  const int64_t offset = query.Int("offset", 0, 0, INT64_MAX);
  TUNE_RETURN_IF_ERROR(query.Finish());
  TUNE_ASSIGN_OR_RETURN(const StudyIndex::List all, sources.index->All());
  Json studies = Json::array();
  std::map<std::string, int64_t> states;
  int64_t matching = 0;
  for (const auto& entry : all) {
    ++states[std::string(StudyStateName(entry->study.state()))];
    if (!filter.Accepts(entry->study)) continue;
    if (matching >= offset && matching - offset < limit) studies.push_back(StudyRowJson(entry->study));
    ++matching;
  }
  return JsonResponse(
      {{"studies", studies}, {"matching", matching}, {"total", all.size()}, {"states", states}});
}

absl::StatusOr<RouteResponse> ShowStudy(const ReadSources& sources, const RouteRequest& request) {
  TUNE_RETURN_IF_ERROR(request.query->Finish());
  TUNE_ASSIGN_OR_RETURN(const std::string id, StudySegment(request.segments[0]));
  TUNE_ASSIGN_OR_RETURN(const v1::Study study, sources.coordinator->GetStudy(id));
  return JsonResponse(StudyJson(study));
}

std::string WholeSource(const v1::StudySpec& spec) {
  for (const v1::SourceFile& file : spec.program().files()) {
    if (file.path() == spec.kernel().file()) return file.content().substr(0, kLongestSource);
  }
  return "";
}

// The region's lines, of hand-written kernels their file; empty where the program lacks them.
std::string RegionText(const v1::StudySpec& spec) {
  if (spec.has_kernel()) return WholeSource(spec);
  const v1::SourceRegion& region = spec.scop().region();
  for (const v1::SourceFile& file : spec.program().files()) {
    if (file.path() != region.file()) continue;
    const int64_t size = static_cast<int64_t>(file.content().size());
    const int64_t begin = std::clamp<int64_t>(region.begin_offset(), 0, size);
    const int64_t end = std::clamp<int64_t>(region.end_offset(), begin, size);
    return file.content().substr(begin, std::min<size_t>(end - begin, kLongestSource));
  }
  return "";
}

absl::StatusOr<RouteResponse> ShowSpec(const ReadSources& sources, const RouteRequest& request) {
  TUNE_RETURN_IF_ERROR(request.query->Finish());
  TUNE_ASSIGN_OR_RETURN(const std::string id, StudySegment(request.segments[0]));
  TUNE_ASSIGN_OR_RETURN(const v1::StudySpec spec, sources.coordinator->GetSpec(id));
  const auto list = [](const auto& texts) {
    Json json = Json::array();
    for (const std::string& text : texts) json.push_back(text);
    return json;
  };
  Json files = Json::array();
  for (const v1::SourceFile& file : spec.program().files()) {
    files.push_back({{"path", file.path()}, {"bytes", file.content().size()}});
  }
  const v1::SourceRegion region = RegionOf(spec);
  TUNE_ASSIGN_OR_RETURN(const std::string scop, sources.index->ScopOf(id));
  return JsonResponse({{"scop", spec.scop().name()},
                       {"scop_fingerprint", scop},
                       {"statements", spec.scop().statements_size()},
                       {"region",
                        {{"file", region.file()},
                         {"function", region.function()},
                         {"begin_line", region.begin_line()},
                         {"end_line", region.end_line()},
                         {"text", RegionText(spec)}}},
                       {"files", files},
                       {"sources", list(spec.program().sources())},
                       {"defines", list(spec.program().defines())},
                       {"compile_flags", list(spec.program().compile_flags())},
                       {"link_flags", list(spec.program().link_flags())},
                       {"arguments", list(spec.program().arguments())},
                       {"generator", spec.generator()}});
}

// One line for each key of either: null where a configuration lacks it.
Json CompareDecisions(const v1::Configuration& base, const v1::Configuration& best) {
  std::map<std::string, std::string> base_options, best_options;
  for (const auto& decision : base.decisions()) base_options[decision.key()] = decision.option();
  for (const auto& decision : best.decisions()) best_options[decision.key()] = decision.option();
  const auto option = [](const std::map<std::string, std::string>& options, const std::string& key) {
    const auto found = options.find(key);
    return found == options.end() ? Json() : Json(found->second);
  };
  Json list = Json::array();
  const auto add = [&](const std::string& key) {
    const Json before = option(base_options, key), after = option(best_options, key);
    list.push_back({{"key", key}, {"default", before}, {"best", after}, {"changed", before != after}});
  };
  for (const auto& decision : best.decisions()) add(decision.key());
  for (const auto& decision : base.decisions()) {
    if (best_options.count(decision.key()) == 0) add(decision.key());
  }
  return list;
}

absl::StatusOr<v1::Study> StudyWithBest(const ReadSources& sources, const RouteRequest& request) {
  TUNE_RETURN_IF_ERROR(request.query->Finish());
  TUNE_ASSIGN_OR_RETURN(const std::string id, StudySegment(request.segments[0]));
  TUNE_ASSIGN_OR_RETURN(v1::Study study, sources.coordinator->GetStudy(id));
  if (study.best_index() >= 0) return study;
  return absl::FailedPreconditionError(
      absl::StrCat(id, " (", StudyStateName(study.state()), ") has no correct candidate yet"));
}

absl::StatusOr<RouteResponse> ShowBest(const ReadSources& sources, const RouteRequest& request) {
  TUNE_ASSIGN_OR_RETURN(const v1::Study study, StudyWithBest(sources, request));
  TUNE_ASSIGN_OR_RETURN(const v1::Candidate best,
                        sources.coordinator->GetCandidate(study.id(), study.best_index()));
  absl::StatusOr<v1::Candidate> base = sources.coordinator->GetCandidate(study.id(), 0);
  if (absl::IsNotFound(base.status())) base = v1::Candidate();  // an imported study may lack it
  TUNE_RETURN_IF_ERROR(base.status());
  Json evaluation = EvaluationJson(best.evaluation());
  return JsonResponse({{"index", best.index()},
                       {"decisions", CompareDecisions(base->configuration(), best.configuration())},
                       {"kernels", evaluation["kernels"]}});
}

absl::StatusOr<RouteResponse> DownloadConfiguration(const ReadSources& sources, const RouteRequest& request) {
  TUNE_ASSIGN_OR_RETURN(const v1::Study study, StudyWithBest(sources, request));
  TUNE_ASSIGN_OR_RETURN(const v1::Candidate best,
                        sources.coordinator->GetCandidate(study.id(), study.best_index()));
  return TextResponse(PrintConfiguration(best.configuration()),
                      absl::StrCat(study.id(), "-", best.index(), ".configuration.txt"));
}

absl::StatusOr<RouteResponse> DownloadTuned(const ReadSources& sources, const RouteRequest& request,
                                            absl::string_view ending) {
  TUNE_RETURN_IF_ERROR(request.query->Finish());
  TUNE_ASSIGN_OR_RETURN(const std::string id, StudySegment(request.segments[0]));
  TUNE_ASSIGN_OR_RETURN(TunedDownload download, MakeTunedDownload(*sources.coordinator, id));
  if (ending == ".c") return TextResponse(std::move(download.c_text), download.c_name);
  if (download.device_name.empty()) {
    return absl::NotFoundError(absl::StrCat(id, " was tuned for a CPU and has no CUDA file"));
  }
  if (ending == ".cu") return TextResponse(std::move(download.device_text), download.device_name);
  if (download.header_name.empty()) {
    return absl::NotFoundError(
        absl::StrCat("the CUDA file of ", id, " has no entry points, so it has no header"));
  }
  return TextResponse(std::move(download.header_text), download.header_name);
}

}  // namespace

void AddStudyRoutes(const ReadSources& sources, std::vector<Route>* routes) {
  const RouteAdder add("/api/v1/studies", sources, routes);
  add("", ListStudies);
  add("/{study}", ShowStudy);
  add("/{study}/spec", ShowSpec);
  add("/{study}/best", ShowBest);
  add("/{study}/configuration", DownloadConfiguration);
  add("/{study}/tuned.c",
      [](const ReadSources& s, const RouteRequest& r) { return DownloadTuned(s, r, ".c"); });
  add("/{study}/tuned.cu",
      [](const ReadSources& s, const RouteRequest& r) { return DownloadTuned(s, r, ".cu"); });
  add("/{study}/tuned.h",
      [](const ReadSources& s, const RouteRequest& r) { return DownloadTuned(s, r, ".h"); });
}

}  // namespace tune
