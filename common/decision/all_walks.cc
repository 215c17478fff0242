#include "common/decision/all_walks.h"

#include <vector>

namespace tune {
namespace {

// Takes the allowed options that it is told to take, then the first ones; remembers how many there were.
class ScriptedChooser : public Chooser {
 public:
  explicit ScriptedChooser(std::vector<int> script) : script_(std::move(script)) {}

  absl::StatusOr<int> Choose(const DecisionPoint& point) override {
    const size_t decision = counts_.size();
    if (decision >= script_.size()) script_.push_back(0);
    counts_.push_back(CountAllowed(point));
    int skip = script_[decision];
    for (size_t i = 0; i < point.allowed.size(); ++i) {
      if (point.allowed[i] && skip-- == 0) return static_cast<int>(i);
    }
    return absl::InternalError(point.key + " has changed");
  }

  // The script of the next walk; empty when this was the last.
  std::vector<int> Next() const {
    std::vector<int> next(script_.begin(), script_.begin() + static_cast<long>(counts_.size()));
    while (!next.empty() && next.back() + 1 == counts_[next.size() - 1]) next.pop_back();
    if (!next.empty()) ++next.back();
    return next;
  }

 private:
  std::vector<int> script_;
  std::vector<int> counts_;  // of allowed options, by decision
};

}  // namespace

int ForAllWalks(const std::function<void(Chooser&)>& walk) {
  int count = 0;
  std::vector<int> script;
  do {
    ScriptedChooser chooser(script);
    walk(chooser);
    ++count;
    script = chooser.Next();
  } while (!script.empty());
  return count;
}

}  // namespace tune
