// Proposals a second of the strategies on the real space of gemm.
#include <benchmark/benchmark.h>

#include "common/space/cpu_space.h"
#include "server/search/search_options.h"
#include "server/search/strategy.h"
#include "tests/common/testing/sample_scops.h"

namespace tune {
namespace {

class GemmSpace : public Space {
 public:
  GemmSpace()
      : space_(*CpuSpace::Make(testing::GemmScop(), {{"ni", 200}, {"nj", 220}, {"nk", 240}},
                               {.hardware_threads = 16})) {}
  absl::Status Walk(Chooser& chooser) override { return space_->Walk(chooser).status(); }

 private:
  std::unique_ptr<CpuSpace> space_;
};

// Proposes one candidate and observes it as correct, with a time that follows from its index.
void ProposeAndObserve(benchmark::State& state, const char* strategy_name) {
  GemmSpace space;
  v1::SearchOptions options;
  options.set_strategy(strategy_name);
  options.set_seed(1);
  FillDefaults(&options);
  auto strategy = *MakeStrategy(options, &space);
  for (auto _ : state) {
    const Proposals proposals = strategy->Propose(1);
    if (proposals.candidates.empty()) {
      state.SkipWithError("the space is exhausted");
      break;
    }
    v1::Candidate candidate;
    candidate.set_index(proposals.candidates[0].index);
    *candidate.mutable_configuration() = proposals.candidates[0].configuration;
    candidate.set_state(v1::EVALUATED);
    candidate.mutable_evaluation()->set_outcome(v1::CORRECT);
    candidate.mutable_evaluation()->mutable_measurement()->set_median(1e-3 + 1e-6 * (candidate.index() % 97));
    if (const absl::Status status = strategy->Observe(candidate); !status.ok()) {
      state.SkipWithError(std::string(status.message()).c_str());
      break;
    }
  }
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK_CAPTURE(ProposeAndObserve, ants, "ants");
BENCHMARK_CAPTURE(ProposeAndObserve, random, "random");

}  // namespace
}  // namespace tune
