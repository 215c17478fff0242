// Routes of the server, its workers, and the results of all studies.
#include <algorithm>

#include "absl/strings/str_join.h"
#include "common/evaluation/generator.h"
#include "common/evaluation/objective.h"
#include "common/evaluation/rounding.h"
#include "common/rpc/version.h"
#include "server/dashboard/page_files.h"
#include "server/dashboard/read_api.h"

namespace tune {
namespace {

absl::StatusOr<RouteResponse> ShowServer(const ReadSources& sources, const RouteRequest& request) {
  TUNE_RETURN_IF_ERROR(request.query->Finish());
  TUNE_ASSIGN_OR_RETURN(const v1::ServerInfo info, sources.coordinator->Info());
  return JsonResponse({{"version", kVersion},
                       {"page_libraries", HasPageLibraries()},
                       {"schema_version", info.schema_version()},
                       {"started", info.started_unix_ms()},
                       {"studies", info.studies()},
                       {"workers", info.workers()}});
}

absl::StatusOr<RouteResponse> ListWorkers(const ReadSources& sources, const RouteRequest& request) {
  TUNE_RETURN_IF_ERROR(request.query->Finish());
  Json workers = Json::array();
  for (const v1::WorkerView& worker : sources.coordinator->ListWorkers())
    workers.push_back(WorkerJson(worker));
  return JsonResponse({{"workers", workers}});
}

// "n = 1000, A[1000][1000]": what two studies of one scop must share to be compared.
std::string SizeText(const v1::Reference& reference) {
  std::vector<std::string> parts;
  for (const auto& value : reference.parameters()) {
    parts.push_back(absl::StrCat(value.name(), " = ", value.value()));
  }
  if (!parts.empty()) return absl::StrJoin(parts, ", ");
  for (const auto& array : reference.arrays()) {
    std::string part = array.name();
    for (const int64_t extent : array.extents()) absl::StrAppend(&part, "[", extent, "]");
    if (array.extents_size() > 0) parts.push_back(part);
  }
  return absl::StrJoin(parts, " ");
}

// Identity of a size: values alone, because names do not matter.
std::string SizeKey(const v1::Reference& reference) {
  std::string key;
  for (const auto& value : reference.parameters()) absl::StrAppend(&key, value.value(), ",");
  for (const auto& array : reference.arrays()) {
    absl::StrAppend(&key, "/");
    for (const int64_t extent : array.extents()) absl::StrAppend(&key, extent, ",");
  }
  return key;
}

struct Result {
  std::shared_ptr<const IndexedStudy> best;
  std::string scop;  // fingerprint
  int studies = 0;
  int64_t evaluations = 0;
};

Json ResultJson(const Result& result) {
  const v1::Study& study = result.best->study;
  const auto positive = [](double value) { return value > 0 ? Json(value) : Json(); };
  return {{"program", study.name()},
          {"scop_fingerprint", result.scop},
          {"size", SizeText(study.reference())},
          {"device", study.device().model()},
          {"target", TargetName(study.device().target())},
          {"generator", GeneratorOf(study.generator())},
          {"rounding", RoundingName(study.rounding())},
          {"study", study.id()},
          {"candidate", study.best_index()},
          {"owner", study.owner()},
          {"seconds", positive(BestSeconds(study))},
          {"default_seconds", positive(DefaultSeconds(study))},
          {"sequential_seconds", positive(SequentialSeconds(study))},
          {"objective", ObjectiveJson(study)},
          {"gain_over_default", positive(study.gain_over_default())},
          {"gain_over_sequential", positive(study.gain_over_sequential())},
          {"confirmed", study.has_confirmation()},
          {"studies", result.studies},
          {"evaluations", result.evaluations},
          {"found", TimeOrNull(study.finished_unix_ms())}};
}

// Scop (or name, without one), size, device, generator and objective of studies that belong together.
using ResultKey = std::vector<std::string>;

// Of two studies with one objective. Times are those of the confirmation, where there is one.
bool IsBetter(const v1::Study& a, const v1::Study& b) {
  if (IsTimeObjective(a.search())) return BestSeconds(a) < BestSeconds(b);
  return IsLessCost(BestCost(a.search(), a), BestCost(b.search(), b));
}

// The best of the studies that share a key.
absl::StatusOr<std::map<ResultKey, Result>> CollectResults(StudyIndex& index) {
  TUNE_ASSIGN_OR_RETURN(const StudyIndex::List all, index.All());
  std::map<ResultKey, Result> results;
  for (const auto& entry : all) {
    const v1::Study& study = entry->study;
    if (BestSeconds(study) <= 0) continue;
    const absl::StatusOr<std::string> scop = index.ScopOf(study.id());
    if (absl::IsNotFound(scop.status())) continue;  // it has just gone
    TUNE_RETURN_IF_ERROR(scop.status());
    const std::string program = scop->empty() ? absl::StrCat("named ", study.name()) : *scop;
    Result& result = results[{program, SizeKey(study.reference()), study.device().model(),
                              ResultKind(study.generator(), study.rounding()),
                              absl::StrCat(ObjectiveOf(study.search()), study.search().maximise())}];
    result.scop = *scop;
    ++result.studies;
    result.evaluations += study.evaluated();
    if (result.best == nullptr || IsBetter(study, result.best->study)) result.best = entry;
  }
  return results;
}

// One row for each key, by program.
absl::StatusOr<RouteResponse> ListResults(const ReadSources& sources, const RouteRequest& request) {
  const std::string search = request.query->Text("search");
  const std::string target = request.query->Word("target", {"cpu", "cuda"});
  const int64_t limit = request.query->Int("limit", 1000, 1, 10'000);
  const int64_t offset = request.query->Int("offset", 0, 0, INT64_MAX);
  TUNE_RETURN_IF_ERROR(request.query->Finish());
  TUNE_ASSIGN_OR_RETURN(const auto results, CollectResults(*sources.index));
  std::vector<const Result*> shown;
  for (const auto& [key, result] : results) {
    const v1::Study& study = result.best->study;
    if (!target.empty() && target != TargetName(study.device().target())) continue;
    const std::string text =
        absl::StrCat(study.name(), "\n", SizeText(study.reference()), "\n", study.device().model());
    if (HoldsText(text, search)) shown.push_back(&result);
  }
  std::stable_sort(shown.begin(), shown.end(), [](const Result* a, const Result* b) {
    return a->best->study.name() < b->best->study.name();
  });
  Json list = Json::array();
  const int64_t matching = static_cast<int64_t>(shown.size());
  for (int64_t i = offset; i < matching && i - offset < limit; ++i) {
    list.push_back(ResultJson(*shown[i]));
  }
  return JsonResponse({{"results", list}, {"matching", matching}, {"total", results.size()}});
}

absl::StatusOr<RouteResponse> ShowOpenApi(const ReadSources&, const RouteRequest& request) {
  TUNE_RETURN_IF_ERROR(request.query->Finish());
  return RouteResponse{200, RouteResponse().type, std::string(FindPageFile("openapi.json")->text), ""};
}

}  // namespace

void AddServerRoutes(const ReadSources& sources, std::vector<Route>* routes) {
  const RouteAdder add("/api/v1", sources, routes);
  add("/server", ShowServer);
  add("/workers", ListWorkers);
  add("/results", ListResults);
  add("/openapi.json", ShowOpenApi);
}

}  // namespace tune
