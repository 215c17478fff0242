// How fast a walk may be, before it is evaluated.
#pragma once

#include <vector>

#include "common/base/random.h"
#include "server/model/forest.h"
#include "server/model/gaussian_process.h"
#include "server/search/decision_table.h"

namespace tune {

// Two models of the logarithm of the time, which are mixed because they err in different ways: a forest sees
// thresholds and which decisions matter, but is blind between and beyond the samples; a Gaussian process
// interpolates, and knows how far away the samples are. Both see, besides the decisions, how often two
// divides each decision's number: warps, vectors and cache lines ask for alignment, which a threshold on the
// number cannot tell (96, 112 and 128 are neighbours).
//
// Candidates slower than the median, failed ones among them, count as the median: how much slower they are
// says nothing of the fast, and both models would spend most of what they have on telling it.
//
// Where something is expected of each walk, both learn how far the times are from that.
//
// The forest learns from 300 candidates at most, as TreeGuide, the process from 64, since its cost grows
// with their square for each walk. Keeps the table, which is not owned and may grow.
class WalkModel {
 public:
  // Learns from the first `rows` of the table. `expected`: what is expected of each of them before, in
  // natural logarithms but for a constant; empty: nothing. Precondition: table->HasSuccess(rows).
  WalkModel(const DecisionTable* table, int rows, Random random, std::vector<double> expected = {});

  // By how much the walk is expected to improve on the best time that the model knows, in natural logarithms
  // of seconds; `process` is process(), or a copy that expects walks not evaluated yet. `expected`: of this
  // walk.
  double Improvement(const Trace& trace, const GaussianProcess& process, double expected = 0) const;
  const GaussianProcess& process() const { return process_; }
  // A walk as an input of the process: every attribute in which these differ from 0 to 1 over the candidates,
  // below 0 when the walk was not asked.
  std::vector<float> InputOf(const Trace& trace) const { return Scale(Widen(table_->RowOf(trace))); }

 private:
  GaussianProcess MakeProcess(int rows);
  // Of the numbered rows: logarithms of seconds, no more than the median, less what was expected.
  std::vector<double> TargetsOf(const std::vector<int>& rows) const;
  // As logarithm of seconds; 0 where nothing is expected of any walk.
  double Shifted(double expected) const;
  // The row with the powers of two behind the decisions.
  std::vector<float> Widen(std::vector<float> row) const;
  std::vector<float> Scale(const std::vector<float>& row) const;
  std::vector<std::vector<float>> WideRows(const std::vector<int>& rows) const;

  const DecisionTable* table_;
  int attributes_ = 0;        // of the table, when the model was made
  std::vector<int> aligned_;  // attributes whose powers of two count
  Forest forest_;
  std::vector<int> varying_;   // attributes of wide rows, in which the process's samples differ
  std::vector<float> lowest_;  // by place in varying_
  std::vector<float> range_;
  double best_ = 0;               // target
  double cap_ = 0;                // of targets
  std::vector<double> expected_;  // by row
  double shift_ = 0;              // to be added to what is expected
  GaussianProcess process_;
};

}  // namespace tune
