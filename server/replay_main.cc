// tune-replay-space: runs search strategies on recorded spaces, without a device. `tunectl replay-space`
// starts it.
#include <CLI/CLI.hpp>
#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "absl/strings/numbers.h"
#include "absl/strings/str_join.h"
#include "common/evaluation/objective.h"
#include "server/replay/recorded_file.h"
#include "server/replay/space_replay.h"
#include "server/search/search_options.h"

namespace tune {
namespace {

using Json = nlohmann::ordered_json;

struct Arguments {
  std::string file;
  std::vector<std::string> studies;
  std::vector<std::string> known;
  std::vector<std::string> strategies = {"ants"};
  std::string seeds = "1..30";
  v1::SearchOptions search;
  bool json = false;
};

struct SeedRange {
  uint64_t first = 0;
  uint64_t last = 0;
};

absl::StatusOr<SeedRange> ParseSeeds(const std::string& text) {
  const size_t dots = text.find("..");
  SeedRange range;
  const std::string first = text.substr(0, dots);
  const std::string last = dots == std::string::npos ? first : text.substr(dots + 2);
  if (!absl::SimpleAtoi(first, &range.first) || !absl::SimpleAtoi(last, &range.last) ||
      range.last < range.first)
    return absl::InvalidArgumentError(
        absl::StrCat("--seeds ", text, ": must be A..B with A <= B, or one number"));
  return range;
}

void AddOptions(CLI::App& app, Arguments* arguments) {
  v1::SearchOptions& search = arguments->search;
  app.add_option("FILE", arguments->file,
                 "Kernel Tuner cache or T4 results, JSON, also gzipped; or an archive of own studies, as "
                 "`tunectl export STUDY... -o FILE` writes it")
      ->required()
      ->check(CLI::ExistingFile);
  app.add_option("--study", arguments->studies,
                 "of an archive: these studies alone, by their ids in it; all must be of one space");
  app.add_option(
         "--known", arguments->known,
         "Files of the same kernel on other devices or of other sizes, as FILE: what ants and portfolio know "
         "before they begin")
      ->check(CLI::ExistingFile);
  app.add_option("--strategy", arguments->strategies,
                 absl::StrCat(absl::StrJoin(StrategyNames(), ", "), "; several are compared"))
      ->check(CLI::IsMember(StrategyNames()))
      ->capture_default_str();
  app.add_option_function<int>(
         "--budget", [&search](int value) { search.set_evaluations(value); }, "evaluations of each run (200)")
      ->check(CLI::PositiveNumber);
  app.add_option("--seeds", arguments->seeds, "A..B: one run for each")->capture_default_str();
  app.add_option_function<int>(
         "--ants", [&search](int value) { search.set_ants(value); }, "of an iteration (10)")
      ->check(CLI::PositiveNumber);
  app.add_option_function<double>(
         "--sigma", [&search](double value) { search.set_sigma(value); },
         "of the tree, samples of a round for each decision (1)")
      ->check(CLI::Range(1e-6, 100.0));
  app.add_option_function<double>(
         "--base-offset", [&search](double value) { search.set_base_offset(value); },
         "of the tree, samples of a round besides (5)")
      ->check(CLI::Range(1e-6, 10000.0));
  app.add_option_function<std::string>(
      "--objective", [&search](const std::string& name) { search.set_objective(name); },
      "Judge candidates by this: time, energy, power, edp, or a quantity that the file has. Default: what "
      "the "
      "file was tuned for");
  app.add_flag_callback(
      "--maximise", [&search] { search.set_maximise(true); }, "More of the --objective is better");
  app.add_flag_callback(
      "--no-tree", [&search] { search.set_no_tree(true); }, "ants without the regression tree");
  app.add_flag_callback(
      "--no-metrics", [&search] { search.set_no_metrics(true); }, "ants without counters");
  app.add_flag_callback(
      "--no-kernel-updates", [&search] { search.set_no_kernel_updates(true); },
      "ants without updates by kernel");
  app.add_flag("--json", arguments->json,
               "every run's best time, or cost by the objective, after each evaluation, and the summaries");
  app.footer(
      "Prints the space's best time, or other objective, over the best found (1: the optimum), the median, "
      "mean "
      "and\nworst of the seeds, "
      "after 25, 50, 100, ... evaluations. A configuration outside the file is not offered; a failed one "
      "counts.\n"
      "Exit codes: 0 done, 1 the file cannot be used (says why), 2 wrong arguments.");
}

std::vector<int> Marks(int budget) {
  std::vector<int> marks;
  for (int mark = 25; mark < budget; mark *= 2) marks.push_back(mark);
  marks.push_back(budget);
  return marks;
}

Json CurveOf(const SpaceReplay& replay) {
  Json curve = Json::array();
  for (const double best : replay.best_so_far) curve.push_back(std::isfinite(best) ? Json(best) : Json());
  return {{"seed", replay.seed}, {"best_so_far", curve}};
}

absl::StatusOr<Json> ReplayStrategy(const Arguments& arguments, const std::string& strategy,
                                    const std::vector<v1::KnownResults>& known, RecordedSpace* space) {
  v1::SearchOptions search = arguments.search;
  search.set_strategy(strategy);
  if (search.evaluations() == 0) search.set_evaluations(200);
  FillDefaults(&search);
  TUNE_ASSIGN_OR_RETURN(const SeedRange seeds, ParseSeeds(arguments.seeds));
  std::vector<SpaceReplay> replays;
  Json runs = Json::array();
  for (uint64_t seed = seeds.first; seed <= seeds.last; ++seed) {
    search.set_seed(seed);
    TUNE_ASSIGN_OR_RETURN(SpaceReplay replay, ReplaySpace(search, space, known));
    runs.push_back(CurveOf(replay));
    replays.push_back(std::move(replay));
  }
  Json summaries = Json::array();
  for (const int mark : Marks(search.evaluations())) {
    const ReplaySummary summary = Summarise(replays, space->best_seconds(), mark);
    summaries.push_back({{"evaluations", mark},
                         {"median", summary.median},
                         {"mean", summary.mean},
                         {"worst", summary.worst}});
  }
  return Json{{"strategy", strategy}, {"summaries", summaries}, {"runs", runs}};
}

void PrintTable(const Json& result) {
  std::printf("%zu candidates, %d of them correct; best %s %g\n", result.at("candidates").get<size_t>(),
              result.at("correct").get<int>(), result.at("objective").get<std::string>().c_str(),
              result.at("best_value").get<double>());
  std::printf("%-22s %12s %8s %8s %8s\n", "strategy", "evaluations", "median", "mean", "worst");
  for (const Json& strategy : result.at("strategies")) {
    for (const Json& summary : strategy.at("summaries")) {
      std::printf("%-22s %12d %8.3f %8.3f %8.3f\n", strategy.at("strategy").get<std::string>().c_str(),
                  summary.at("evaluations").get<int>(), summary.at("median").get<double>(),
                  summary.at("mean").get<double>(), summary.at("worst").get<double>());
    }
  }
}

absl::Status Run(Arguments arguments) {
  if (arguments.search.maximise() && IsTimeObjective(arguments.search))
    return absl::InvalidArgumentError("--maximise: name the --objective of which more is better");
  TUNE_ASSIGN_OR_RETURN(std::vector<RecordedCandidate> candidates,
                        ReadRecordedFile(arguments.file, arguments.studies, &arguments.search));
  absl::StatusOr<std::unique_ptr<RecordedSpace>> made = RecordedSpace::Make(std::move(candidates));
  if (!made.ok()) {
    return absl::InvalidArgumentError(absl::StrCat(arguments.file, ": ", made.status().message()));
  }
  const std::unique_ptr<RecordedSpace> space = *std::move(made);
  if (space->correct() == 0) {
    return absl::InvalidArgumentError(absl::StrCat(arguments.file, ": no candidate is correct"));
  }
  const std::string objective = ObjectiveOf(arguments.search);
  arguments.search.set_objective(objective);  // what is known of others is judged by it, too
  if (!std::isfinite(space->best_seconds())) {
    return absl::InvalidArgumentError(absl::StrCat(arguments.file, ": no candidate has a value of ",
                                                   objective,
                                                   " above 0; name another --objective, such as time"));
  }
  const bool maximise = arguments.search.maximise();
  Json result = {{"file", arguments.file},
                 {"candidates", space->size()},
                 {"correct", space->correct()},
                 {"with_kernel_times", space->with_kernel_times()},
                 {"with_metrics", space->with_metrics()},
                 {"objective", objective},
                 {"best", space->best_seconds()},
                 {"best_value", maximise ? 1 / space->best_seconds() : space->best_seconds()},
                 {"strategies", Json::array()}};
  std::vector<v1::KnownResults> known;
  for (const std::string& file : arguments.known) {
    TUNE_ASSIGN_OR_RETURN(const std::vector<RecordedCandidate> there,
                          ReadRecordedFile(file, {}, &arguments.search));
    known.push_back(KnownOf(file, there));
  }
  for (const std::string& strategy : arguments.strategies) {
    TUNE_ASSIGN_OR_RETURN(Json replayed, ReplayStrategy(arguments, strategy, known, space.get()));
    result["strategies"].push_back(std::move(replayed));
  }
  if (arguments.json) {
    std::printf("%s\n", result.dump().c_str());
  } else {
    PrintTable(result);
  }
  return absl::OkStatus();
}

}  // namespace
}  // namespace tune

int main(int argc, char** argv) {
  tune::Arguments arguments;
  CLI::App app("Runs search strategies on a recorded space: nothing is built or measured.",
               "tunectl replay-space");
  tune::AddOptions(app, &arguments);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  }
  const absl::Status status = tune::Run(arguments);
  if (status.ok()) return 0;
  std::fprintf(stderr, "tunectl replay-space: %s\n", std::string(status.message()).c_str());
  return 1;
}
