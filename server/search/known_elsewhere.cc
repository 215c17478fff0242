#include "server/search/known_elsewhere.h"

namespace tune {
namespace {

constexpr size_t kKnownWalks = 400;
constexpr size_t kComplements = 10;

}  // namespace

std::optional<ProposalSequence::Entry> KnownElsewhere::Propose(Random* random) {
  const Prior& prior = memory_->prior();
  if (memory_->HasSuccess()) {
    const std::vector<v1::Configuration> known = prior.Promising(kKnownWalks);
    return acquisition_->MostPromising(
        static_cast<int>(known.size()),
        [&](int i, const ProposalSequence::Entry*) { return WalkAs(known[i], random); });
  }
  std::vector<Trace> made;
  for (const auto& [index, ant] : walker_->ants()) made.push_back(ant.trace);
  for (const v1::Configuration& configuration : prior.Complementing(made, kComplements)) {
    ProposalSequence::Entry entry = WalkAs(configuration, random);
    if (walker_->IsNew(entry)) return entry;
  }
  return std::nullopt;
}

ProposalSequence::Entry KnownElsewhere::WalkAs(const v1::Configuration& configuration, Random* random) {
  std::map<std::string, std::string> options;
  for (const v1::Decision& decision : configuration.decisions()) options[decision.key()] = decision.option();
  ProposalSequence::Entry entry = ants_->WalkAsKnown(options, {}, "what is known elsewhere", random);
  entry.origin = "a configuration that is known to be fast elsewhere";
  return entry;
}

}  // namespace tune
