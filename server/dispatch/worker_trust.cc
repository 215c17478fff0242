#include "server/dispatch/worker_trust.h"

#include <algorithm>
#include <cmath>

#include "absl/strings/str_format.h"
#include "common/evaluation/measurement.h"
#include "common/evaluation/paired_ratio.h"

namespace tune {
namespace {

constexpr double kNormalQuantile = 2.576;  // of 99 %, two-sided
constexpr size_t kKeptCandidates = 256;    // that may be measured again
constexpr size_t kKeptRatios = 64;         // of a worker
constexpr size_t kLeastForOrigin = 5;      // ratios of a worker that others are judged by
constexpr size_t kLeastForSuspicion = 3;
constexpr double kSuspicion = 0.4;  // of the bias that is too much

std::string TimesText(const MedianBounds& bounds, size_t compared, const std::string& others) {
  return absl::StrFormat("takes %.2f to %.2f times as long as %s for the same candidates (%d compared)",
                         std::exp(bounds.low), std::exp(bounds.high), others, compared);
}

}  // namespace

MedianBounds BoundsOfMedian(const std::vector<double>& values) {
  const std::vector<double> means = SortedWalshAverages(values);
  const double n = static_cast<double>(values.size());
  const double rank = n * (n + 1) / 4 - kNormalQuantile * std::sqrt(n * (n + 1) * (2 * n + 1) / 24);
  const size_t outside = static_cast<size_t>(std::max(0.0, rank));
  return {means[outside], means[means.size() - 1 - outside]};
}

bool WorkerTrust::Candidate::HasVoteOf(const std::string& worker) const {
  return std::any_of(votes.begin(), votes.end(), [&](const auto& vote) { return vote.worker == worker; });
}

bool WorkerTrust::Candidate::IsUndecided() const { return votes.size() == 2 && IsContested(); }

bool WorkerTrust::Candidate::IsContested() const {
  return std::any_of(votes.begin(), votes.end(),
                     [&](const CandidateVote& vote) { return vote.correct != votes[0].correct; });
}

// ---- what workers found

std::vector<Distrust> WorkerTrust::Add(const TaskId& task, const CandidateVote& vote, bool counts) {
  Record& record = records_[vote.worker];
  ++record.evaluations;
  std::vector<Distrust> found;
  if (counts) found = AddVote(Find(task), vote);
  for (const Distrust& distrust : found)
    if (distrust.set_aside) ForgetWorker(distrust.worker);
  if (const auto still = records_.find(vote.worker); still != records_.end())
    still->second.due = still->second.due || IsDue(vote.worker, still->second);
  return found;
}

// What the vote tells of its worker and of those that have voted before.
std::vector<Distrust> WorkerTrust::AddVote(Candidate& candidate, const CandidateVote& vote) {
  if (candidate.HasVoteOf(vote.worker)) return {};
  Compare(candidate.votes, vote);
  candidate.votes.push_back(vote);
  if (candidate.votes.size() == 1) return {};
  CountStrikes(candidate);
  std::vector<Distrust> found = JudgePair();
  const std::optional<double> origin = Origin();
  for (const CandidateVote& voter : candidate.votes) {
    const Record& record = records_[voter.worker];
    std::optional<Distrust> distrust = JudgeVerdicts(voter.worker, record);
    if (!distrust.has_value()) distrust = JudgeTimes(voter.worker, record, origin);
    if (distrust.has_value()) found.push_back(*std::move(distrust));
  }
  return found;
}

WorkerTrust::Candidate& WorkerTrust::Find(const TaskId& task) {
  for (Candidate& candidate : candidates_)
    if (candidate.task == task) return candidate;
  candidates_.push_back({task, {}});
  if (candidates_.size() > kKeptCandidates) candidates_.pop_front();
  return candidates_.back();
}

void WorkerTrust::Compare(const std::vector<CandidateVote>& votes, const CandidateVote& vote) {
  const auto add = [](Record* record, const std::string& other, double log_ratio) {
    record->ratios.push_back({other, log_ratio});
    if (record->ratios.size() > kKeptRatios) record->ratios.pop_front();
  };
  if (!vote.correct || vote.seconds <= 0) return;
  for (const CandidateVote& earlier : votes) {
    if (!earlier.correct || earlier.seconds <= 0) continue;
    Record& own = records_[vote.worker];
    Record& other = records_[earlier.worker];
    const double log_ratio = std::log(vote.seconds / earlier.seconds);
    add(&own, earlier.worker, log_ratio);
    add(&other, vote.worker, -log_ratio);
    Estimate(&own);
    Estimate(&other);
  }
}

void WorkerTrust::Estimate(Record* record) {
  std::vector<double> biases;
  for (const Ratio& ratio : record->ratios) biases.push_back(ratio.log_ratio + records_[ratio.other].bias);
  record->bias = Median(std::move(biases));
}

void WorkerTrust::CountStrikes(const Candidate& candidate) {
  const size_t correct = static_cast<size_t>(std::count_if(candidate.votes.begin(), candidate.votes.end(),
                                                           [](const auto& vote) { return vote.correct; }));
  const size_t wrong = candidate.votes.size() - correct;
  if (correct == wrong || std::max(correct, wrong) < 2) return;
  for (const CandidateVote& vote : candidate.votes)
    if (vote.correct != (correct > wrong)) records_[vote.worker].strikes.insert(candidate.task);
}

// ---- whom to check, and with what

bool WorkerTrust::IsSuspect(const std::string& worker, const Record& record) const {
  if (!record.strikes.empty()) return true;
  const bool contests = std::any_of(candidates_.begin(), candidates_.end(), [&](const Candidate& candidate) {
    return candidate.HasVoteOf(worker) && candidate.IsUndecided();
  });
  if (contests) return true;
  if (record.ratios.size() < kLeastForSuspicion) return false;
  std::vector<double> biases;
  for (const auto& [name, other] : records_)
    if (!other.ratios.empty()) biases.push_back(other.bias);
  return std::abs(record.bias - Median(std::move(biases))) > std::log1p(options_.bias) * kSuspicion;
}

bool WorkerTrust::IsDue(const std::string& worker, const Record& record) {
  const bool much_compared = record.ratios.size() >= static_cast<size_t>(options_.most_compared);
  if (!much_compared && IsSuspect(worker, record)) return record.evaluations % 3 != 0;
  if (record.evaluations <= options_.first_evaluations) return record.evaluations % 2 == 1;
  return random_.Uniform() < options_.share;
}

std::optional<TaskId> WorkerTrust::NextCheck(const std::string& worker) {
  const auto found = records_.find(worker);
  if (found == records_.end()) return std::nullopt;
  const bool due = found->second.due;
  const auto compared = [&](const std::string& other) {
    return std::count_if(found->second.ratios.begin(), found->second.ratios.end(),
                         [&](const Ratio& ratio) { return ratio.other == other; });
  };
  const bool wants_wrong = random_.Below(2) == 0;
  // The best by these three, the newest of equal ones.
  using Rank = std::tuple<bool, bool, int64_t>;  // undecided, of the wanted verdict, rarely compared
  std::optional<std::pair<Rank, TaskId>> best;
  for (const Candidate& candidate : candidates_) {
    if (candidate.HasVoteOf(worker) || !(due || candidate.IsUndecided())) continue;
    const CandidateVote& first = candidate.votes[0];
    const Rank rank(candidate.IsUndecided(), first.correct != wants_wrong, -compared(first.worker));
    if (!best.has_value() || rank >= best->first) best = {rank, candidate.task};
  }
  if (!best.has_value()) return std::nullopt;
  found->second.due = false;
  return best->second;
}

// ---- judgement

std::optional<double> WorkerTrust::Origin() const {
  std::vector<double> biases;
  for (const auto& [worker, record] : records_)
    if (record.ratios.size() >= kLeastForOrigin) biases.push_back(record.bias);
  if (biases.size() < 3) return std::nullopt;
  return Median(std::move(biases));
}

std::optional<Distrust> WorkerTrust::JudgeVerdicts(const std::string& worker, const Record& record) const {
  if (static_cast<int>(record.strikes.size()) < options_.strikes) return std::nullopt;
  return Distrust{
      worker, true,
      absl::StrCat("two others disagree with its verdict on ", record.strikes.size(), " candidates")};
}

std::optional<Distrust> WorkerTrust::JudgeTimes(const std::string& worker, const Record& record,
                                                const std::optional<double>& origin) const {
  if (record.ratios.size() < options_.least_compared) return std::nullopt;
  const double most = std::log1p(options_.bias);
  // Mostly this is all there is to see.
  if (!origin.has_value() || std::abs(record.bias - *origin) <= most) return std::nullopt;
  std::vector<double> biases;
  for (const Ratio& ratio : record.ratios) {
    const auto other = records_.find(ratio.other);
    if (other == records_.end() || other->second.ratios.size() < kLeastForOrigin) continue;
    biases.push_back(ratio.log_ratio + other->second.bias - *origin);
  }
  if (biases.size() < options_.least_compared) return std::nullopt;
  const MedianBounds bounds = BoundsOfMedian(biases);
  if (bounds.low <= most && bounds.high >= -most) return std::nullopt;
  return Distrust{worker, true, TimesText(bounds, biases.size(), "others")};
}

std::vector<Distrust> WorkerTrust::JudgePair() {
  if (records_.size() != 2) return {};
  auto& [name, first] = *records_.begin();
  auto& [other_name, second] = *records_.rbegin();
  if (first.told) return {};
  std::vector<double> ratios;
  for (const Ratio& ratio : first.ratios) ratios.push_back(ratio.log_ratio);
  const auto contested = std::count_if(candidates_.begin(), candidates_.end(),
                                       [](const Candidate& candidate) { return candidate.IsContested(); });
  std::string why, other_why;
  if (contested >= options_.strikes) {
    why = other_why = absl::StrCat("disagrees about the verdict on ", contested, " candidates with ");
    why += other_name;
    other_why += name;
  } else if (ratios.size() >= options_.least_compared) {
    const MedianBounds bounds = BoundsOfMedian(ratios);
    const double most = std::log1p(options_.bias);
    if (bounds.low <= most && bounds.high >= -most) return {};
    why = TimesText(bounds, ratios.size(), other_name);
    other_why = TimesText({-bounds.high, -bounds.low}, ratios.size(), name);
  } else {
    return {};
  }
  first.told = second.told = true;
  return {{name, false, why}, {other_name, false, other_why}};
}

// ---- who and what has gone

void WorkerTrust::ForgetWorker(const std::string& worker) {
  records_.erase(worker);
  for (auto& [name, record] : records_) {
    std::erase_if(record.ratios, [&](const Ratio& ratio) { return ratio.other == worker; });
    record.told = false;
  }
  for (Candidate& candidate : candidates_)
    std::erase_if(candidate.votes, [&](const CandidateVote& vote) { return vote.worker == worker; });
  std::erase_if(candidates_, [](const Candidate& candidate) { return candidate.votes.empty(); });
}

void WorkerTrust::ForgetStudy(int64_t study) {
  std::erase_if(candidates_, [&](const Candidate& candidate) { return candidate.task.study == study; });
}

}  // namespace tune
