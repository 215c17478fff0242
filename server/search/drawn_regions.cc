#include "server/search/drawn_regions.h"

namespace tune {
namespace {

constexpr int kWalksOfARegion = 40;
constexpr int kClimbingSteps = 80;  // of a climb

}  // namespace

std::optional<ProposalSequence::Entry> DrawnRegions::Propose(Random* random) {
  const AntSystem::Region region = {"a walk in a region drawn from the tree",
                                    memory_->guide().DrawRegion(alpha_, random)};
  return acquisition_->MostPromising(
      kWalksOfARegion + kClimbingSteps, [&](int i, const ProposalSequence::Entry* best) {
        if (i < kWalksOfARegion || best == nullptr) return ants_->WalkIn(region, random);
        return ants_->WalkAsVariant(KnownWalkOf(best->trace), region.origin, random);
      });
}

}  // namespace tune
