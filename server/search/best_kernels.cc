#include "server/search/best_kernels.h"

namespace tune {

std::optional<ProposalSequence::Entry> BestKernels::Propose(Random* random) {
  const ColonyMemory::Best& best = memory_->bests()[0];
  ProposalSequence::Entry entry = ants_->WalkAsKnown(memory_->kernel_bests().Recombine(best.trace), {},
                                                     "the best of each kernel", random);
  if (!walker_->IsNew(entry)) return std::nullopt;
  entry.origin = absl::StrCat(CandidateName(best.index), " with the best decisions of each kernel");
  return entry;
}

}  // namespace tune
