// What the candidates that took an option were like: the a priori desirability of edges.
#pragma once

#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "server/search/kernel_results.h"
#include "server/search/walk_tree.h"

namespace tune {

// Mean and standard deviation of each metric over the candidates that walked an edge, and how many of these
// were CORRECT ("Coding Ants", section 6.2). Not thread safe.
class EdgeExperience {
 public:
  // Samples of a metric below which it does not count: a deviation of one sample is none.
  static constexpr int kFewestSamples = 3;

  // `kernels`: empty when the candidate failed or nothing was counted.
  void Add(const Trace& trace, bool correct, const std::vector<KernelResult>& kernels);

  // Equation 6: 1 + mean over the metrics m of (m_edge - m_best) / (sigma_edge + 1), where `best` are the
  // kernels of the best candidate so far; 1 where no metric has enough samples on the edge or in the best.
  double Desirability(const std::string& key, const std::string& option,
                      const std::vector<KernelResult>& best) const;
  // The share of correct candidates, counting one more: (correct + 1) / (all + 1). Our addition: an option
  // that never leads to a correct candidate pushes ants away.
  double Reliability(const std::string& key, const std::string& option) const;

 private:
  // Welford's running moments.
  struct Moments {
    int64_t count = 0;
    double mean = 0;
    double squares = 0;  // sum of squared differences from the mean
    void Add(double value);
    double deviation() const;  // of the population
  };
  struct Edge {
    int64_t walked = 0;
    int64_t correct = 0;
    std::map<std::string, Moments> metrics;
  };
  const Edge* Find(const std::string& key, const std::string& option) const;

  std::unordered_map<std::string, std::unordered_map<std::string, Edge>> edges_;  // key -> option -> edge
};

}  // namespace tune
