#include "client/report/timing.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "client/report/table.h"
#include "client/report/units.h"

namespace tune {
namespace {

std::string Percent(double part, double whole) {
  return whole > 0 ? absl::StrFormat("%.1f%%", 100 * part / whole) : "-";
}

double Ratio(double part, double whole) { return whole > 0 ? part / whole : 0; }

// The entry of that stage. A new one goes behind that of `previous`, the stage before it in the same
// evaluation, so that a stage that only some evaluations have stands where it belongs.
StageShare& FindStage(std::vector<StageShare>& stages, const std::string& stage,
                      const std::string& previous) {
  const auto named = [&](const std::string& name) {
    return std::find_if(stages.begin(), stages.end(),
                        [&](const StageShare& share) { return share.stage == name; });
  };
  if (const auto found = named(stage); found != stages.end()) return *found;
  const auto before = named(previous);
  const auto place = previous.empty() ? stages.begin() : before == stages.end() ? before : before + 1;
  return *stages.insert(place, StageShare{stage, 0, 0});
}

}  // namespace

Timing TimingOf(const std::vector<v1::Candidate>& candidates) {
  Timing timing;
  int64_t first = 0, last = 0;
  for (const v1::Candidate& candidate : candidates) {
    const bool evaluated = candidate.state() == v1::EVALUATED || candidate.state() == v1::POISONED;
    const bool by_worker = !candidate.evaluation().worker().empty();
    if (candidate.origin() == v1::REPLAY || !evaluated || !by_worker) continue;
    first =
        timing.evaluations == 0 ? candidate.created_unix_ms() : std::min(first, candidate.created_unix_ms());
    last = std::max(last, candidate.evaluated_unix_ms());
    ++timing.evaluations;
    std::string previous;
    for (const v1::StageTime& stage : candidate.evaluation().stages()) {
      StageShare& share = FindStage(timing.stages, stage.stage(), previous);
      ++share.evaluations;
      share.seconds += stage.seconds();
      timing.stage_seconds += stage.seconds();
      previous = stage.stage();
    }
  }
  timing.wall_seconds = std::max<int64_t>(0, last - first) * 1e-3;
  return timing;
}

std::string TimingTable(const Timing& timing) {
  if (timing.evaluations == 0) return "no evaluations yet\n";
  std::string text =
      absl::StrCat(FormatCount(timing.evaluations, "evaluation"), " in ", FormatSeconds(timing.wall_seconds));
  if (timing.wall_seconds > 0) {
    absl::StrAppendFormat(&text, ": %.3g a second", timing.EvaluationsPerSecond());
  }
  text += "\n";
  if (timing.stages.empty()) return text;
  using Align = Table::Align;
  Table table({{"stage"},
               {"evaluations", Align::kRight},
               {"sum", Align::kRight},
               {"mean", Align::kRight},
               {"share", Align::kRight},
               {"of wall time", Align::kRight}});
  for (const StageShare& stage : timing.stages) {
    table.AddRow({stage.stage, absl::StrCat(stage.evaluations), FormatSeconds(stage.seconds),
                  FormatSeconds(stage.seconds / stage.evaluations),
                  Percent(stage.seconds, timing.stage_seconds), Percent(stage.seconds, timing.wall_seconds)});
  }
  table.AddRow({"all", absl::StrCat(timing.evaluations), FormatSeconds(timing.stage_seconds),
                FormatSeconds(timing.stage_seconds / timing.evaluations),
                Percent(timing.stage_seconds, timing.stage_seconds),
                Percent(timing.stage_seconds, timing.wall_seconds)});
  return text + table.Print();
}

Json ToJson(const Timing& timing) {
  Json stages = Json::array();
  for (const StageShare& stage : timing.stages) {
    stages.push_back({{"stage", stage.stage},
                      {"evaluations", stage.evaluations},
                      {"seconds", stage.seconds},
                      {"mean_seconds", stage.seconds / stage.evaluations},
                      {"share", Ratio(stage.seconds, timing.stage_seconds)},
                      {"of_wall_time", Ratio(stage.seconds, timing.wall_seconds)}});
  }
  return {{"evaluations", timing.evaluations},
          {"wall_seconds", timing.wall_seconds},
          {"evaluations_per_second", timing.EvaluationsPerSecond()},
          {"stages", stages}};
}

}  // namespace tune
