// What a call of a settled region costs.
#include <benchmark/benchmark.h>

#include <cstdlib>
#include <filesystem>

#include "libtune/include/tune.h"

namespace {

int Nothing(void*, const tune_call*) { return 0; }

struct SettledRegion {
  // `wisdom_file`: null, or one that rare calls look at.
  explicit SettledRegion(const char* wisdom_file = nullptr) {
    tune_context* context = nullptr;
    tune_options options;
    tune_options_default(&options, sizeof(options));
    options.wisdom_file = wisdom_file;
    const tune_variant variants[] = {{"original", Nothing}, {"other", Nothing}};
    if (tune_context_create(&options, &context) != TUNE_OK) std::abort();
    tune_region_create(context, "r", &region);
    tune_add_variants(region, "variant", variants, 2, nullptr);
    tune_add_powers(region, "tile", 1, 256, 2, 1, nullptr);
    tune_call call = {};
    // Sixteen other sizes are settled, too.
    for (inputs[0] = 116; inputs[0] >= 100; --inputs[0]) {
      for (call.settled = 0; call.settled == 0;) {
        tune_next(region, inputs, 3, &call);
        tune_report(&call, 1);
      }
    }
    inputs[0] = 100;
  }
  tune_region* region = nullptr;
  long inputs[3] = {0, 200, 300};
};

SettledRegion& Shared() {
  static SettledRegion region;
  return region;
}

void BeginEnd(benchmark::State& state) {
  SettledRegion& shared = Shared();
  for (auto _ : state) {
    tune_call call;
    tune_begin(shared.region, shared.inputs, 3, &call);
    benchmark::DoNotOptimize(call.values);
    tune_end(&call);
  }
}
BENCHMARK(BeginEnd)->Threads(1)->Threads(2);

// Of calls of a second each, of which one in eight asks whether the file has news.
void NextReportWithFile(benchmark::State& state) {
  static SettledRegion region((std::filesystem::temp_directory_path() / "settled_call_bench.wisdom").c_str());
  for (auto _ : state) {
    tune_call call;
    tune_next(region.region, region.inputs, 3, &call);
    benchmark::DoNotOptimize(call.values);
    tune_report(&call, 1);
  }
}
BENCHMARK(NextReportWithFile)->Threads(1)->Threads(2);

void RunVariant(benchmark::State& state) {
  SettledRegion& shared = Shared();
  for (auto _ : state) tune_run(shared.region, shared.inputs, 3, nullptr);
}
BENCHMARK(RunVariant)->Threads(1)->Threads(2);

void NextReport(benchmark::State& state) {
  SettledRegion& shared = Shared();
  for (auto _ : state) {
    tune_call call;
    tune_next(shared.region, shared.inputs, 3, &call);
    tune_report(&call, 1);
  }
}
BENCHMARK(NextReport)->Threads(1)->Threads(2);

}  // namespace
