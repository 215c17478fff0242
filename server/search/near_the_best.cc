#include "server/search/near_the_best.h"

namespace tune {
namespace {

constexpr int kWalksNearTheBest = 28;  // and as many variants

}  // namespace

std::optional<ProposalSequence::Entry> NearTheBest::Propose(Random* random) {
  const auto& bests = memory_->bests();
  const AntSystem::Region region = {"a walk in the tree's region of the best so far",
                                    memory_->guide().RegionOf(bests[0].trace)};
  return acquisition_->MostPromising(2 * kWalksNearTheBest, [&](int i, const ProposalSequence::Entry*) {
    if (i < kWalksNearTheBest) return ants_->WalkIn(region, random);
    const ColonyMemory::Best& base = bests[random->Below(bests.size())];
    return ants_->WalkAsVariant(base.known, CandidateName(base.index), random);
  });
}

}  // namespace tune
