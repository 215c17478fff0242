// What isl reads: sets and relations, schedule trees, whole scops.
#include "common/scop/schedule_grammar.h"
#include "common/scop/scop.h"
#include "common/scop/scop_identity.h"
#include "common/scop/scop_texts.h"
#include "tests/common/testing/isl_reading.h"
#include "tests/common/testing/random_scops.h"
#include "tests/common/testing/sample_scops.h"
#include "tests/fuzz/targets.h"
#include "tests/fuzz/text_format.h"

namespace tune::testing {
namespace {

// Little, so that isl's time is not most of the time.
constexpr IslContext::Limits kLimits = {.operations = 20'000, .processor_time = absl::Seconds(5)};

void FuzzIslText(absl::string_view input) {
  constexpr absl::string_view kKinds = "csrab";  // in the order of IslKind
  const size_t kind = input.empty() ? absl::string_view::npos : kKinds.find(input[0]);
  if (kind == absl::string_view::npos) return;
  const std::string text(input.substr(1));
  const auto of_kind = static_cast<IslKind>(kind);
  if (CheckIslText(of_kind, text).ok()) ReadByIsl(of_kind, text, kLimits).IgnoreError();
}

void FuzzSchedule(absl::string_view input) {
  if (!CheckScheduleNotation(input).ok()) return;
  IslContext context(kLimits);
  context
      .Run("reading",
           [&]() -> absl::Status {
             isl::schedule(context.ctx(), std::string(input));
             return absl::OkStatus();
           })
      .IgnoreError();
}

void FuzzScop(absl::string_view input) {
  v1::Scop scop;
  if (!ReadText(input, &scop) || !CheckScopTexts(scop).ok()) return;
  IslContext context(kLimits);
  ParseScop(context, scop).IgnoreError();
}

std::vector<v1::Scop> Scops() {
  std::vector<v1::Scop> scops;
  for (const SampleScop& sample : SampleScops()) scops.push_back(sample.make());
  for (uint64_t seed = 0; seed < 10; ++seed) scops.push_back(MakeRandomScop(seed));
  return scops;
}

std::vector<std::string> IslTextSeeds() {
  std::vector<std::string> seeds = {
      "a[n] -> { S0[i, j] -> [(floor((n + i)/2))] : (1 + i) mod 2 = 0; S1[] -> [(0)] }",
      "b[n] -> L[{ S0[i] -> [(-i)] }, { S0[i] -> [(n)] }]",
      "s{ [S[i] -> A[j = i]] : exists (e0 = ceil(i/3): e0 > 1 or not (i, 2e0 <= 3)) }"};
  for (const v1::Scop& scop : Scops()) {
    seeds.push_back("c" + scop.context());
    for (const v1::Statement& statement : scop.statements()) {
      seeds.push_back("s" + statement.domain());
      for (const v1::Access& access : statement.accesses()) seeds.push_back("r" + access.relation());
    }
  }
  return seeds;
}

std::vector<std::string> ScheduleSeeds() {
  std::vector<std::string> seeds;
  for (const v1::Scop& scop : Scops()) seeds.push_back(scop.schedule());
  return seeds;
}

std::vector<std::string> ScopSeeds() {
  std::vector<std::string> seeds;
  for (const v1::Scop& scop : Scops()) seeds.push_back(WriteText(scop));
  return seeds;
}

}  // namespace

FuzzTarget IslTextTarget() { return {"isl_text", FuzzIslText, IslTextSeeds}; }
FuzzTarget ScheduleTarget() { return {"schedule", FuzzSchedule, ScheduleSeeds}; }
FuzzTarget ScopTarget() { return {"scop", FuzzScop, ScopSeeds}; }

}  // namespace tune::testing
