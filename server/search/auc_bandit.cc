#include "server/search/auc_bandit.h"

#include <cmath>
#include <limits>

namespace tune {

void AucBandit::Add(int technique, bool gained) {
  history_.push_back({technique, gained});
  if (history_.size() > kWindow) history_.pop_front();
}

double AucBandit::Credit(int technique) const {
  double uses = 0;
  double area = 0;
  for (const Use& use : history_) {
    if (use.technique != technique) continue;
    ++uses;
    if (use.gained) area += uses;
  }
  return uses == 0 ? 0 : 2 * area / (uses * (uses + 1));
}

int AucBandit::Choose(Random* random) const {
  std::vector<int> uses(techniques_, 0);
  for (const Use& use : history_) ++uses[use.technique];
  double most = -1;
  std::vector<int> best;
  for (int technique = 0; technique < techniques_; ++technique) {
    double score = std::numeric_limits<double>::infinity();
    if (uses[technique] > 0) {
      const double exploration = std::sqrt(2 * std::log2(history_.size()) / uses[technique]);
      score = Credit(technique) + kExploration * exploration;
    }
    if (score < most) continue;
    if (score > most) best.clear();
    most = score;
    best.push_back(technique);
  }
  return best[random->Below(best.size())];
}

}  // namespace tune
