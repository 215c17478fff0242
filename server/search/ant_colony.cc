#include "server/search/ant_colony.h"

#include <iterator>

namespace tune {
namespace {

constexpr int64_t kTurns = 10;  // after which the sources' turns come again
// From one ant that asks what is known elsewhere to the next.
constexpr int64_t kTurnsBetweenKnown = 2;

}  // namespace

AntColony::AntColony(const v1::SearchOptions& options, Space* space, std::vector<v1::Configuration> seeds,
                     const std::vector<v1::KnownResults>& known)
    : ProposalSequence(space, std::move(seeds)),
      options_(options),
      memory_(known, options.seed()),
      ants_(options, &memory_, this),
      acquisition_(options.seed(), &memory_, this),
      best_kernels_(&memory_, &ants_, this),
      known_elsewhere_(&memory_, &ants_, &acquisition_, this),
      first_walks_(&ants_, this),
      near_the_best_(&memory_, &ants_, &acquisition_),
      anywhere_(&ants_, &acquisition_, this),
      drawn_regions_(options.alpha(), &memory_, &ants_, &acquisition_),
      peak_variants_(&memory_, &ants_, &acquisition_) {
  size_ = memory_.prior().empty() ? options_.ants() : LaterAnts();
}

int64_t AntColony::LaterAnts() const { return (options_.ants() + 1) / 2; }

std::vector<ProposalSource*> AntColony::SourcesOf(int64_t index) {
  std::vector<ProposalSource*> sources;
  if (index == first_ && kernels_improved_) sources.push_back(&best_kernels_);
  if (!memory_.prior().empty() && (number_ == 0 || index % kTurnsBetweenKnown == 0))
    sources.push_back(&known_elsewhere_);
  if (number_ == 0 && !options_.no_tree()) sources.push_back(&first_walks_);
  if (HasTree()) sources.push_back(ModelledSourceOf(index));
  sources.push_back(&ants_);
  return sources;
}

ProposalSource* AntColony::ModelledSourceOf(int64_t index) {
  const int64_t turn = index % kTurns;
  if (turn == kTurns - 1) return &drawn_regions_;
  ProposalSource* const sources[] = {&near_the_best_, &anywhere_, &peak_variants_};
  return sources[turn % std::size(sources)];
}

std::optional<ProposalSequence::Entry> AntColony::Draw(int64_t index) {
  if (tree().exhausted()) return std::nullopt;
  Random random(options_.seed(), index);
  for (ProposalSource* source : SourcesOf(index)) {
    std::optional<Entry> entry = source->Propose(&random);
    if (entry.has_value()) return entry;
  }
  return std::nullopt;
}

void AntColony::DescribeState(v1::Explanation* explanation) {
  explanation->set_iteration(number_);
  if (HasTree()) explanation->set_tree(TreeText(memory_.guide()));
}

void AntColony::DescribeGraph(v1::Explanation* explanation) {
  ants_.graph().Visit(
      [&](const std::string& key, const std::string& option, const PheromoneGraph::Edge& edge) {
        v1::GraphEdge* described = explanation->add_edges();
        described->set_key(key);
        described->set_option(option);
        described->set_pheromone(edge.tau);
        described->set_desirability(edge.eta);
        described->set_visits(edge.visits);
        for (const auto& [next, visits] : edge.next) (*described->mutable_next())[next] = visits;
      });
}

void AntColony::DescribeOptions(const DrawRecord& draw, v1::ExplainedDecision* decision) {
  const PheromoneGraph& graph = ants_.graph();
  for (v1::ExplainedOption& option : *decision->mutable_options()) {
    option.set_pheromone(graph.Tau(draw.point.key, option.option(), decision->options_size()));
    option.set_desirability(graph.Eta(draw.point.key, option.option()));
  }
}

void AntColony::Observed(int64_t) {
  if (++observed_ == size_) EndIteration();
}

void AntColony::EndIteration() {
  kernels_improved_ = false;
  for (const auto& [index, entry] : entries()) {
    const bool improved = memory_.Learn(index, entry);
    kernels_improved_ |= improved && !options_.no_kernel_updates();
  }
  ants_.EndIteration();
  memory_.EndIteration();
  acquisition_.EndIteration();
  ++number_;
  first_ += size_;
  size_ = LaterAnts();
  observed_ = 0;
  ReleaseBelow(first_);
}

}  // namespace tune
