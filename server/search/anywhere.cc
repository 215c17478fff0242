#include "server/search/anywhere.h"

namespace tune {
namespace {

constexpr int kWalksAnywhere = 60;
constexpr int kStepsAnywhere = 60;
constexpr char kAnywhere[] = "a walk without trails";

// An option counts for each walk that it leads to, for one where nobody has counted.
class CountingChooser : public DrawingChooser {
 public:
  using DrawingChooser::DrawingChooser;
  absl::StatusOr<int> Choose(const DecisionPoint& point) override { return DrawFrom(point, point.allowed); }

 protected:
  std::vector<double> WeightsOf(const DecisionPoint& point, const std::vector<bool>& open) const override {
    if (!point.walks.empty()) return point.walks;
    return {open.begin(), open.end()};
  }
};

}  // namespace

std::optional<ProposalSequence::Entry> Anywhere::Propose(Random* random) {
  return acquisition_->MostPromising(
      kWalksAnywhere + kStepsAnywhere, [&](int i, const ProposalSequence::Entry* best) {
        if (i < kWalksAnywhere || best == nullptr) return WalkWithoutTrails(random);
        return ants_->WalkAsVariant(KnownWalkOf(best->trace), kAnywhere, random);
      });
}

ProposalSequence::Entry Anywhere::WalkWithoutTrails(Random* random) {
  std::vector<DrawRecord> draws;
  CountingChooser chooser(random, walker_->explaining() ? &draws : nullptr);
  ProposalSequence::Entry entry = walker_->Walk(chooser);
  entry.origin = kAnywhere;
  entry.draws = std::move(draws);
  return entry;
}

}  // namespace tune
