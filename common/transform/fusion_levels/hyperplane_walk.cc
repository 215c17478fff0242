#include "common/transform/fusion_levels/hyperplane_walk.h"

#include <algorithm>

#include "common/decision/simple_choices.h"

namespace tune {
namespace {

struct RowOption {
  Hyperplane row;
  bool allowed = true;
};

// The rows of the next statement, those along which dependences move masked where that is asked for.
std::vector<RowOption> OptionsAfter(const HyperplaneQuestion& question, const std::vector<Hyperplane>& chosen,
                                    const Hyperplane* standard) {
  std::vector<RowOption> options;
  for (const Hyperplane& row : question.set->Options(chosen, /*parallel=*/false)) options.push_back({row});
  if (!question.parallel) return options;
  const std::vector<Hyperplane> parallel = question.set->Options(chosen, /*parallel=*/true);
  if (parallel.empty()) return options;
  for (RowOption& option : options) {
    option.allowed = std::count(parallel.begin(), parallel.end(), option.row) > 0 ||
                     (question.keeps_standard && standard != nullptr && option.row == *standard);
  }
  return options;
}

absl::StatusOr<bool> ChooseSkewing(Chooser& chooser, const std::string& key,
                                   const std::vector<RowOption>& options, const Hyperplane* standard) {
  std::vector<bool> allowed(2);  // permute, skew
  for (const RowOption& option : options)
    if (option.allowed) allowed[IsSkewed(option.row) ? 1 : 0] = true;
  const int preferred = standard != nullptr && IsSkewed(*standard) ? 1 : 0;
  TUNE_ASSIGN_OR_RETURN(const int chosen,
                        ChooseUnlessForced(chooser, key, {"permute", "skew"}, preferred, allowed));
  return chosen == 1;
}

// `standard`: null when rows chosen before are not the standard ones.
absl::StatusOr<Hyperplane> ChooseRow(Chooser& chooser, const std::string& key, const std::string& statement,
                                     std::vector<RowOption> options, const Hyperplane* standard) {
  TUNE_ASSIGN_OR_RETURN(const bool skew,
                        ChooseSkewing(chooser, absl::StrCat(key, ".kind_", statement), options, standard));
  options.erase(std::remove_if(options.begin(), options.end(),
                               [&](const RowOption& option) { return IsSkewed(option.row) != skew; }),
                options.end());
  std::vector<std::string> texts;
  std::vector<bool> allowed;
  int preferred = -1;
  for (const RowOption& option : options) {
    if (standard != nullptr && option.row == *standard) preferred = static_cast<int>(texts.size());
    texts.push_back(HyperplaneText(option.row));
    allowed.push_back(option.allowed);
  }
  TUNE_ASSIGN_OR_RETURN(const int chosen, ChooseUnlessForced(chooser, absl::StrCat(key, ".row_", statement),
                                                             texts, preferred, allowed));
  return options[chosen].row;
}

}  // namespace

absl::StatusOr<std::vector<Hyperplane>> ChooseHyperplanes(Chooser& chooser,
                                                          const HyperplaneQuestion& question) {
  std::vector<Hyperplane> chosen;
  for (const std::string& statement : question.set->statements()) {
    const bool is_standard = question.standard.size() > chosen.size() &&
                             std::equal(chosen.begin(), chosen.end(), question.standard.begin());
    const Hyperplane* standard = is_standard ? &question.standard[chosen.size()] : nullptr;
    std::vector<RowOption> options = OptionsAfter(question, chosen, standard);
    if (options.empty()) return std::vector<Hyperplane>();
    TUNE_ASSIGN_OR_RETURN(Hyperplane row, ChooseRow(chooser, question.keys[chosen.size()], statement,
                                                    std::move(options), standard));
    chosen.push_back(std::move(row));
  }
  return chosen;
}

}  // namespace tune
