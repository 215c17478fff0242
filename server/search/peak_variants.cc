#include "server/search/peak_variants.h"

namespace tune {
namespace {

constexpr int kVariantsOfAPeak = 40;

}  // namespace

std::optional<ProposalSequence::Entry> PeakVariants::Propose(Random* random) {
  const std::vector<Peaks::Peak>& peaks = memory_->peaks().all();
  const Peaks::Peak& peak = peaks[random->Below(peaks.size())];
  const std::string name = CandidateName(peak.index);
  return acquisition_->MostPromising(kVariantsOfAPeak, [&](int, const ProposalSequence::Entry*) {
    return ants_->WalkAsVariant(peak.known, name, random);
  });
}

}  // namespace tune
