#include "server/search/search_options.h"

#include <algorithm>
#include <cmath>

#include "absl/strings/str_join.h"

namespace tune {
namespace {

absl::Status Refuse(absl::string_view field, double value, absl::string_view accepted) {
  return absl::InvalidArgumentError(absl::StrCat("search.", field, " is ", value, "; it must be ", accepted));
}

}  // namespace

absl::Status CheckCarveOptions(const v1::CarveOptions& options) {
  constexpr int kMostInspections = 100'000;
  if (options.inspections() < 0 || options.inspections() > kMostInspections) {
    return Refuse("carve.inspections", options.inspections(), absl::StrCat("from 1 to ", kMostInspections));
  }
  if (!(options.margin() >= 0 && options.margin() <= 1000)) {
    return Refuse("carve.margin", options.margin(), "from 0 to 1000");
  }
  if (options.has_uncoalesced() && !(options.uncoalesced() >= 0 && options.uncoalesced() <= 1)) {
    return Refuse("carve.uncoalesced", options.uncoalesced(), "from 0 to 1");
  }
  if (options.has_bandwidth() && !(options.bandwidth() > 0 && options.bandwidth() <= 1e6)) {
    return Refuse("carve.bandwidth", options.bandwidth(), "above 0 and at most 1e6");
  }
  if (options.has_bytes() && !(options.bytes() >= 1 && options.bytes() <= 1e6)) {
    return Refuse("carve.bytes", options.bytes(), "from 1 to 1e6");
  }
  return absl::OkStatus();
}

const std::vector<std::string>& StrategyNames() {
  static const auto* const kNames = new std::vector<std::string>{
      "ants", "tree", "local_search", "differential_evolution", "portfolio", "random", "uniform"};
  return *kNames;
}

void FillDefaults(v1::SearchOptions* options) {
  if (options->strategy().empty()) options->set_strategy("ants");
  if (options->strategy() == kCarvingStrategy) options->mutable_carve();
  if (options->has_carve() && options->carve().inspections() == 0)
    options->mutable_carve()->set_inspections(1000);
  if (options->strategy() == kCarvingStrategy && options->evaluations() == 0)
    options->set_evaluations(options->carve().inspections());
  if (options->ants() == 0) options->set_ants(10);
  if (options->iterations() == 0) options->set_iterations(5);
  if (options->evaluations() == 0) {
    const int64_t product = int64_t{options->ants()} * options->iterations();
    options->set_evaluations(static_cast<int32_t>(std::min<int64_t>(product, INT32_MAX)));
  }
  if (options->alpha() == 0) options->set_alpha(1);
  if (options->beta() == 0) options->set_beta(1);
  if (options->rho() == 0) options->set_rho(0.1);
  if (options->tau_min() == 0) options->set_tau_min(0.05);
  if (options->tau_max() == 0) options->set_tau_max(0.95);
  if (options->confirm() == 0) options->set_confirm(3);
  if (options->sigma() == 0) options->set_sigma(1);
  if (options->base_offset() == 0) options->set_base_offset(5);
  if (options->level() == 0) options->set_level(1);
}

absl::Status CheckSearchOptions(const v1::SearchOptions& options) {
  const std::vector<std::string>& known = StrategyNames();
  const bool carves = options.strategy() == kCarvingStrategy;
  if (!carves && std::find(known.begin(), known.end(), options.strategy()) == known.end()) {
    return absl::InvalidArgumentError(absl::StrCat("search.strategy is '", options.strategy(),
                                                   "'; this server knows ", absl::StrJoin(known, ", "), ", ",
                                                   kCarvingStrategy));
  }
  if (carves && options.carve().keep_all())
    return absl::InvalidArgumentError(
        "search.carve.keep_all carves nothing, which strategy carving lives on; use another strategy");
  TUNE_RETURN_IF_ERROR(CheckCarveOptions(options.carve()));
  if (options.ants() < 1 || options.ants() > 10'000) return Refuse("ants", options.ants(), "from 1 to 10000");
  if (options.iterations() < 1) return Refuse("iterations", options.iterations(), "at least 1");
  if (options.evaluations() < 1 || options.evaluations() > kFirstReplayIndex) {
    return Refuse("evaluations", options.evaluations(), absl::StrCat("from 1 to ", kFirstReplayIndex));
  }
  if (!(options.alpha() > 0 && options.alpha() <= 100)) {
    return Refuse("alpha", options.alpha(), "above 0 and at most 100");
  }
  if (!(options.beta() > 0 && options.beta() <= 100)) {
    return Refuse("beta", options.beta(), "above 0 and at most 100");
  }
  if (!(options.rho() > 0 && options.rho() <= 1))
    return Refuse("rho", options.rho(), "above 0 and at most 1");
  if (!(options.tau_min() > 0 && options.tau_min() < 1)) {
    return Refuse("tau_min", options.tau_min(), "above 0 and below 1");
  }
  if (!(options.tau_max() > options.tau_min() && options.tau_max() <= 1)) {
    return Refuse("tau_max", options.tau_max(), "above tau_min and at most 1");
  }
  // 0: of a study that was stored before there were these two.
  if (!(options.sigma() >= 0 && options.sigma() <= 100)) {
    return Refuse("sigma", options.sigma(), "above 0 and at most 100");
  }
  if (!(options.base_offset() >= 0 && options.base_offset() <= 10'000)) {
    return Refuse("base_offset", options.base_offset(), "above 0 and at most 10000");
  }
  if (!(options.seconds() >= 0)) return Refuse("seconds", options.seconds(), "0 or above");
  if (options.level() < 1 || options.level() > 3) return Refuse("level", options.level(), "1, 2 or 3");
  if (options.confirm() < 1 || options.confirm() > 100) {
    return Refuse("confirm", options.confirm(), "from 1 to 100");
  }
  return absl::OkStatus();
}

}  // namespace tune
