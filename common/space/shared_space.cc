#include "common/space/shared_space.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "common/decision/configuration.h"
#include "common/decision/offer.h"
#include "common/decision/simple_choices.h"

namespace tune {
namespace {

constexpr char kDivisionKey[] = "shared.division";
constexpr char kOriginal[] = "original";
constexpr char kOnTables[] = "tables";

// Parts in the order of iterations.
const std::vector<std::string>& Divisions() {
  static const auto* const divisions = new std::vector<std::string>{
      kOriginal,        "cpu", "gpu", "cpu+gpu", "gpu+cpu", "cpu+gpu+cpu", "gpu+cpu+gpu", "cpu+gpu+cpu+gpu",
      "gpu+cpu+gpu+cpu"};
  return *divisions;
}

std::vector<std::string> PlatformsOf(const std::string& division) {
  std::vector<std::string> platforms;
  for (size_t at = 0; at < division.size(); at += 4) platforms.push_back(division.substr(at, 3));
  return platforms;
}

// Percent: the faster of two platforms may be some fifty times as fast.
NumberOffer ShareOffer(size_t part) {
  NumberOffer offer{absl::StrCat("shared.share_", part + 1), {}, {}};
  for (const int64_t percent : {1,  2,  3,  5,  7,  10, 15, 20, 25, 30, 35, 40, 45, 50,
                                55, 60, 65, 70, 75, 80, 85, 90, 93, 95, 97, 98, 99})
    offer.Add(percent, true);
  return offer;
}

// "cpu:20,gpu:80"
absl::StatusOr<std::string> AskShares(const std::vector<std::string>& platforms, Chooser& chooser) {
  std::vector<std::string> parts;
  double left = 100;
  for (size_t part = 0; part < platforms.size(); ++part) {
    double share = left;
    if (part + 1 < platforms.size()) {
      // By default all parts are of one size.
      const NumberOffer offer = ShareOffer(part);
      const auto even = static_cast<int64_t>(100 / (platforms.size() - part));
      TUNE_ASSIGN_OR_RETURN(const int64_t percent, Ask(chooser, offer, offer.Nearest(even)));
      share = left * static_cast<double>(percent) / 100;
    }
    left -= share;
    parts.push_back(platforms.size() == 1 ? platforms[part] : absl::StrCat(platforms[part], ":", share));
  }
  return absl::StrJoin(parts, ",");
}

// Threads along x, then along y.
struct BlockOption {
  int64_t x, y;
};
constexpr BlockOption kBlocks[] = {{32, 1},  {64, 1}, {128, 1}, {256, 1}, {512, 1}, {16, 8},
                                   {16, 16}, {32, 2}, {32, 4},  {32, 8},  {32, 16}, {64, 4}};

absl::StatusOr<SharedFormat> AskFormat(Chooser& chooser) {
  std::vector<std::string> options = {kOnTables};
  for (const BlockOption& block : kBlocks) options.push_back(absl::StrCat(block.x, "x", block.y));
  TUNE_ASSIGN_OR_RETURN(const int chosen, ChooseOption(chooser, "shared.block", options, 0));
  SharedFormat format;
  format.of_tables = chosen == 0;
  if (format.of_tables) return format;
  format.x = kBlocks[chosen - 1].x;
  format.y = kBlocks[chosen - 1].y;
  TUNE_ASSIGN_OR_RETURN(format.points, Ask(chooser, NumberOffer{"shared.points", {1, 2, 4}, {}}, 1));
  TUNE_ASSIGN_OR_RETURN(format.strip, Ask(chooser, NumberOffer{"shared.strip", {1, 8, 32}, {}}, 32));
  return format;
}

// Takes the division, and of all else the default.
class DivisionChooser : public Chooser {
 public:
  explicit DivisionChooser(std::string division) : division_(std::move(division)) {}
  absl::StatusOr<int> Choose(const DecisionPoint& point) override {
    if (point.key != kDivisionKey) return point.default_option;
    for (size_t i = 0; i < point.options.size(); ++i) {
      if (point.options[i] == division_) return static_cast<int>(i);
    }
    return absl::InternalError(absl::StrCat("no division ", division_));
  }

 private:
  const std::string division_;
};

}  // namespace

absl::StatusOr<SharedPlan> WalkShared(Chooser& chooser) {
  const std::vector<std::string>& divisions = Divisions();
  TUNE_ASSIGN_OR_RETURN(const int chosen, ChooseOption(chooser, kDivisionKey, divisions, 2));
  SharedPlan plan;
  plan.parts = kOriginal;
  if (divisions[chosen] == kOriginal) return plan;
  const std::vector<std::string> platforms = PlatformsOf(divisions[chosen]);
  for (const std::string& platform : platforms) (platform == "cpu" ? plan.on_cpu : plan.on_gpu) = true;
  TUNE_ASSIGN_OR_RETURN(plan.parts, AskShares(platforms, chooser));
  if (plan.on_cpu) {
    TUNE_ASSIGN_OR_RETURN(const int threads,
                          ChooseOption(chooser, "shared.threads", {"all", "half", "quarter"}, 0));
    plan.fewer_threads = int64_t{1} << threads;
  }
  if (plan.on_gpu) {
    TUNE_ASSIGN_OR_RETURN(plan.format, AskFormat(chooser));
  }
  return plan;
}

std::vector<v1::Configuration> SharedSeeds() {
  std::vector<v1::Configuration> seeds;
  for (const char* const division : {kOriginal, "cpu", "cpu+gpu"}) {
    DivisionChooser decided(division);
    RecordingChooser recorded(&decided);
    if (WalkShared(recorded).ok()) seeds.push_back(recorded.configuration());
  }
  return seeds;
}

bool IsOfSharedSpace(const v1::Configuration& configuration) {
  return configuration.decisions_size() > 0 && configuration.decisions(0).key() == kDivisionKey;
}

}  // namespace tune
