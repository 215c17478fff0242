#include "worker/evaluate/program_samples.h"

#include <algorithm>
#include <optional>

#include "absl/time/clock.h"

namespace tune {
namespace {

// As the pairs of a program's check (WantsAnotherPair): from 6 samples on an interval needs no distribution.
// More than the most are not taken, whatever the sampling asks for: each is a run of the whole program.
constexpr int kFewestSamples = 3, kMostSamples = 7;
constexpr double kHopeless = 3;  // times as slow as the best one

void Fail(const absl::Status& status, v1::RunnerVerdict* verdict) {
  verdict->Clear();
  verdict->set_outcome(OutcomeOfProgram(status));
  verdict->set_message(std::string(status.message().substr(0, status.message().find('\n'))));
}

// One program on its way.
struct Sampled {
  std::optional<RunnableTunedProgram> program;  // while it is right
  v1::RunnerVerdict verdict;
};

absl::Status BuildAndCheck(const v1::StudySetup& setup, const ReferenceTools& tools,
                           const ReferenceData& reference, const TunedProgram& tuned, std::string* log,
                           Sampled* sampled) {
  TUNE_ASSIGN_OR_RETURN(RunnableTunedProgram program,
                        RunnableTunedProgram::Build(setup, tools, reference, tuned));
  std::string said;
  absl::StatusOr<v1::RunnerVerdict> verdict = program.Check(&said);
  log->append(said);
  TUNE_RETURN_IF_ERROR(verdict.status());
  sampled->verdict = *std::move(verdict);
  if (sampled->verdict.outcome() == v1::CORRECT) sampled->program.emplace(std::move(program));
  return absl::OkStatus();
}

}  // namespace

std::vector<v1::RunnerVerdict> SamplePrograms(const v1::StudySetup& setup, const ReferenceTools& tools,
                                              const ReferenceData& reference,
                                              const std::vector<TunedProgram>& programs,
                                              const RunLimits& limits, std::string* log) {
  const absl::Time start = absl::Now();
  const auto seconds = [&] { return absl::ToDoubleSeconds(absl::Now() - start); };
  // 1. What each of them computes.
  std::vector<Sampled> all(programs.size());
  for (size_t i = 0; i < programs.size(); ++i) {
    const absl::Status status = BuildAndCheck(setup, tools, reference, programs[i], log, &all[i]);
    if (!status.ok()) Fail(status, &all[i].verdict);
  }
  // 2. Rounds of a sample each; a round that was begun is completed.
  const double checked = seconds();
  const int fewest = std::clamp(limits.sampling.min_samples(), kFewestSamples, kMostSamples);
  const double best = limits.best != nullptr && programs.size() == 1 ? limits.best->seconds() : 0;
  double longest_round = 0;
  for (int round = 0; round < kMostSamples; ++round) {
    const double before = seconds();
    const bool late = before + longest_round > limits.wall_seconds ||
                      (round >= fewest && before - checked > limits.sampling.max_seconds());
    if (round > 0 && late) break;
    bool hopeless = false;
    for (Sampled& sampled : all) {
      if (!sampled.program.has_value()) continue;
      const absl::StatusOr<double> sample = sampled.program->Time();
      if (sample.ok()) {
        sampled.verdict.add_samples(*sample);
        hopeless = best > 0 && *sample > kHopeless * best;
        continue;
      }
      Fail(sample.status(), &sampled.verdict);
      sampled.program.reset();
    }
    longest_round = std::max(longest_round, seconds() - before);
    if (hopeless) break;
  }
  std::vector<v1::RunnerVerdict> verdicts;
  for (Sampled& sampled : all) verdicts.push_back(std::move(sampled.verdict));
  return verdicts;
}

}  // namespace tune
