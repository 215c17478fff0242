// Whether workers with devices of one kind find the same: some candidates are measured by several of them.
#pragma once

#include <deque>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "common/base/random.h"
#include "server/dispatch/task.h"

namespace tune {

struct TrustOptions {
  // Of a worker's first evaluations every second one is a check, and of those after them such a share. While
  // there is something to find out about it two of three are, until so many times were compared.
  int first_evaluations = 12;
  double share = 0.1;
  int most_compared = 40;
  // Times that differ by more than this from those of the others, with 99 % confidence, from so many compared
  // times on: candidates that differ by less are a matter of the hosts (honest medians repeat within 2 to 5
  // %), and a bias of that size changes hardly which candidate is best.
  double bias = 0.1;
  size_t least_compared = 10;
  int strikes = 2;  // verdicts against those of two others
};

// What a worker made of a candidate: correct, in so many seconds; or not as the reference (v1::CORRECTNESS).
struct CandidateVote {
  std::string worker;
  bool correct = true;
  double seconds = 0;
};

// What is held against a worker. With two workers nobody can tell which one is wrong: then both are told, and
// none is set aside.
struct Distrust {
  std::string worker;
  bool set_aside = false;
  std::string why;  // "takes 1.21 times as long as others for the same candidates (14 compared)"
};

// Bounds of the median of what `values` were drawn from, with 99 % confidence, by Wilcoxon's signed ranks:
// order statistics of the means of all pairs. Not empty.
struct MedianBounds {
  double low = 0, high = 0;
};
MedianBounds BoundsOfMedian(const std::vector<double>& values);

// Not thread safe. The same calls with the same seed tell the same.
class WorkerTrust {
 public:
  explicit WorkerTrust(const TrustOptions& options = {}, uint64_t seed = 1)
      : options_(options), random_(seed) {}

  // The worker has run a candidate, as the first one or as a check. `counts`: what it found is a vote; else
  // it failed in some other way. Tells what is held against workers now: each worker once for one reason.
  std::vector<Distrust> Add(const TaskId& candidate, const CandidateVote& vote, bool counts);

  // A candidate that the worker is to measure next although others have: first, and at any time, one on which
  // two disagree. None mostly.
  std::optional<TaskId> NextCheck(const std::string& worker);

  void ForgetWorker(const std::string& worker);
  void ForgetStudy(int64_t study);

 private:
  struct Candidate {
    TaskId task;
    std::vector<CandidateVote> votes;

    bool HasVoteOf(const std::string& worker) const;
    bool IsContested() const;
    bool IsUndecided() const;  // one against one
  };
  // Of times of the same candidate: logarithm of the worker's over the other's.
  struct Ratio {
    std::string other;
    double log_ratio = 0;
  };
  struct Record {
    int64_t evaluations = 0;
    bool due = false;  // a check is
    std::deque<Ratio> ratios;
    double bias = 0;           // of its log times, against an origin that all share
    std::set<TaskId> strikes;  // candidates with two others' verdict against its own
    bool told = false;         // that it disagrees with the only other one
  };

  Candidate& Find(const TaskId& task);
  std::vector<Distrust> AddVote(Candidate& candidate, const CandidateVote& vote);
  void Compare(const std::vector<CandidateVote>& votes, const CandidateVote& vote);
  void CountStrikes(const Candidate& candidate);
  // Brings the worker's bias up to date with its ratios and the others' biases.
  void Estimate(Record* record);
  // Median of the biases of those that were compared often enough; none when these are too few to tell who is
  // the odd one.
  std::optional<double> Origin() const;
  bool IsSuspect(const std::string& worker, const Record& record) const;
  bool IsDue(const std::string& worker, const Record& record);
  std::optional<Distrust> JudgeVerdicts(const std::string& worker, const Record& record) const;
  std::optional<Distrust> JudgeTimes(const std::string& worker, const Record& record,
                                     const std::optional<double>& origin) const;
  // Of two workers that are alone.
  std::vector<Distrust> JudgePair();

  const TrustOptions options_;
  Random random_;
  std::deque<Candidate> candidates_;  // the latest
  std::map<std::string, Record> records_;
};

}  // namespace tune
