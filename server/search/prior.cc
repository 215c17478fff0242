#include "server/search/prior.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <set>

#include "common/decision/configuration.h"

namespace tune {
namespace {

constexpr double kWorstSaying = 3;
constexpr size_t kForestResults = 300;
constexpr int kPriorTrees = 10;
constexpr size_t kBestOfASource = 200;
// Variance of what a source foretells beside that of the best one: a fifteenth of the time.
constexpr double kForetoldVariance = 0.005;
// Of what may be true: options that are slow here count as one source, and leave three fifths of the
// speed.
constexpr double kDoubts = 1;
constexpr double kDoubtedShare = 0.6;
// Where nothing else is gained, what is good in the mean comes first.
constexpr double kGainOfTheMean = 1e-3;

// As a walk that had no choice.
Trace TraceOf(const v1::Configuration& configuration) {
  Trace trace;
  for (const v1::Decision& decision : configuration.decisions())
    trace.push_back({{decision.key(), {decision.option()}, {true}, 0}, 0});
  return trace;
}

double SecondsOf(const v1::KnownResult& result) {
  return result.seconds() > 0 ? result.seconds() : std::numeric_limits<double>::infinity();
}

// The fastest first.
std::vector<const v1::KnownResult*> Ranked(const v1::KnownResults& known) {
  std::vector<const v1::KnownResult*> ranked;
  for (const v1::KnownResult& result : known.results()) ranked.push_back(&result);
  std::stable_sort(ranked.begin(), ranked.end(), [](const v1::KnownResult* a, const v1::KnownResult* b) {
    return SecondsOf(*a) < SecondsOf(*b);
  });
  return ranked;
}

// The faster half of so many, and others at even distances.
std::vector<const v1::KnownResult*> Sampled(const std::vector<const v1::KnownResult*>& ranked) {
  if (ranked.size() <= kForestResults) return ranked;
  const size_t half = kForestResults / 2;
  std::vector<const v1::KnownResult*> sampled(ranked.begin(), ranked.begin() + half);
  for (size_t i = 0; i < half; ++i) sampled.push_back(ranked[half + i * (ranked.size() - half) / half]);
  return sampled;
}

double MeanSquareAround(const std::vector<double>& values) {
  const double mean = std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
  double squares = 0;
  for (const double value : values) squares += (value - mean) * (value - mean);
  return squares / static_cast<double>(values.size());
}

}  // namespace

Prior::Prior(const std::vector<v1::KnownResults>& known, uint64_t seed) {
  Random random(seed);
  for (const v1::KnownResults& results : known) AddSource(results, &random);
  if (!empty()) ChooseKnown(known);
}

void Prior::AddSource(const v1::KnownResults& known, Random* random) {
  const std::vector<const v1::KnownResult*> ranked = Ranked(known);
  if (ranked.empty() || !(ranked[0]->seconds() > 0)) return;
  const double best = ranked[0]->seconds();
  Source& source = sources_.emplace_back();
  for (const v1::KnownResult* result : ranked) {
    const double saying = std::min(kWorstSaying, std::log(SecondsOf(*result) / best));
    source.measured.try_emplace(PrintConfiguration(result->configuration()), saying);
  }
  std::vector<int> rows;
  for (const v1::KnownResult* result : Sampled(ranked)) {
    rows.push_back(table_.rows());
    const bool failed = !(result->seconds() > 0);
    table_.Add(TraceOf(result->configuration()),
               failed ? std::nullopt : std::optional<double>(result->seconds() / best));
  }
  source.forest = Forest::Grow(table_.MakeSamples(rows), kPriorTrees, random);
}

void Prior::ChooseKnown(const std::vector<v1::KnownResults>& known) {
  std::set<std::string> chosen;
  for (const v1::KnownResults& results : known) {
    const std::vector<const v1::KnownResult*> ranked = Ranked(results);
    for (size_t i = 0; i < std::min(kBestOfASource, ranked.size()); ++i) {
      const v1::Configuration& configuration = ranked[i]->configuration();
      if (!(ranked[i]->seconds() > 0) || !chosen.insert(PrintConfiguration(configuration)).second) continue;
      known_.push_back({configuration, SayingsOf(configuration)});
    }
  }
  std::map<std::string, std::set<std::string>> options;  // by key
  for (const Known& each : known_) {
    for (const v1::Decision& decision : each.configuration.decisions())
      options[decision.key()].insert(decision.option());
  }
  for (const auto& [key, of_key] : options) {
    if (of_key.size() == 1) continue;
    for (const std::string& option : of_key) doubtful_.emplace_back(key, option);
  }
}

Prior::Sayings Prior::SayingsOf(const v1::Configuration& configuration) const {
  return SayingsOf(TraceOf(configuration));
}

Prior::Sayings Prior::SayingsOf(const Trace& trace) const {
  const std::string text = PrintConfiguration(ConfigurationOf(trace));
  std::vector<float> row;
  Sayings sayings;
  for (const Source& source : sources_) {
    const auto measured = source.measured.find(text);
    if (measured == source.measured.end() && row.empty()) row = table_.RowOf(trace);
    sayings.push_back(measured != source.measured.end()
                          ? measured->second
                          : std::min(kWorstSaying, source.forest.Predict(row).mean));
  }
  return sayings;
}

double Prior::MeanOf(const Sayings& sayings) const {
  double sum = 0;
  double weights = 0;
  for (size_t i = 0; i < sources_.size(); ++i) {
    sum += sources_[i].weight * sayings[i];
    weights += sources_[i].weight;
  }
  return sum / weights;
}

void Prior::Observe(const Sayings& sayings, double seconds) {
  observations_.push_back({sayings, std::log(seconds)});
}

void Prior::Weigh() {
  if (observations_.size() < 2) return;
  std::vector<double> errors;
  for (size_t i = 0; i < sources_.size(); ++i) {
    std::vector<double> differences;
    for (const Observation& observation : observations_)
      differences.push_back(observation.logarithm - observation.sayings[i]);
    errors.push_back(MeanSquareAround(differences));
  }
  const double variance = kForetoldVariance + *std::min_element(errors.begin(), errors.end());
  for (size_t i = 0; i < sources_.size(); ++i) sources_[i].weight = std::exp(-errors[i] / (2 * variance));
}

std::vector<v1::Configuration> Prior::Promising(size_t count) const {
  std::vector<std::pair<double, const Known*>> ranked;
  for (const Known& known : known_) ranked.emplace_back(MeanOf(known.sayings), &known);
  std::stable_sort(ranked.begin(), ranked.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<v1::Configuration> configurations;
  for (size_t i = 0; i < std::min(count, ranked.size()); ++i)
    configurations.push_back(ranked[i].second->configuration);
  return configurations;
}

std::vector<double> Prior::SharesOf(const Trace& trace, const Sayings& sayings) const {
  std::vector<double> shares;
  for (const double saying : sayings) shares.push_back(std::exp(-saying));
  const double mean = std::exp(-MeanOf(sayings));
  shares.push_back(mean);
  std::set<Option> taken;
  for (const TracedDecision& traced : trace)
    taken.emplace(traced.point.key, traced.point.options[traced.chosen]);
  for (const Option& option : doubtful_)
    shares.push_back(mean * (taken.count(option) > 0 ? kDoubtedShare : 1));
  return shares;
}

std::vector<double> Prior::WeightsOfTruths() const {
  std::vector<double> weights;
  for (const Source& source : sources_) weights.push_back(source.weight);
  const double most = *std::max_element(weights.begin(), weights.end());
  for (double& weight : weights) weight /= most;
  weights.push_back(1);
  std::set<std::string> keys;
  for (const auto& [key, option] : doubtful_) keys.insert(key);
  weights.resize(weights.size() + doubtful_.size(),
                 kDoubts / static_cast<double>(std::max<size_t>(1, keys.size())));
  return weights;
}

std::vector<v1::Configuration> Prior::Complementing(const std::vector<Trace>& made, size_t count) const {
  const std::vector<double> weights = WeightsOfTruths();
  std::vector<double> reached(weights.size(), 0);
  const auto reach = [&](const std::vector<double>& shares) {
    for (size_t truth = 0; truth < reached.size(); ++truth)
      reached[truth] = std::max(reached[truth], shares[truth]);
  };
  for (const Trace& trace : made) reach(SharesOf(trace, SayingsOf(trace)));
  std::vector<std::vector<double>> shares;
  for (const Known& known : known_) shares.push_back(SharesOf(TraceOf(known.configuration), known.sayings));
  std::vector<v1::Configuration> configurations;
  while (configurations.size() < std::min(count, known_.size())) {
    size_t chosen = 0;
    double most = -1;
    for (size_t i = 0; i < shares.size(); ++i) {
      if (shares[i].empty()) continue;
      double gain = kGainOfTheMean * shares[i][sources_.size()];
      for (size_t truth = 0; truth < reached.size(); ++truth)
        gain += weights[truth] * std::max(0.0, shares[i][truth] - reached[truth]);
      if (gain <= most) continue;
      most = gain;
      chosen = i;
    }
    reach(shares[chosen]);
    shares[chosen].clear();
    configurations.push_back(known_[chosen].configuration);
  }
  return configurations;
}

}  // namespace tune
