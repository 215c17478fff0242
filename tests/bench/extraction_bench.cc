// Time from a C file to its scops, for each of tests/programs.
#include <benchmark/benchmark.h>

#include "client/extract/scop_extractor.h"
#include "tests/common/testing/programs.h"

namespace tune {
namespace {

void Extract(benchmark::State& state, const std::string& name) {
  ExtractionRequest request;
  request.file = testing::ProgramPath(name);
  for (auto _ : state) {
    const v1::Extraction extraction = ExtractScops(request);
    if (extraction.diagnostics_size() > 0) state.SkipWithError(extraction.diagnostics(0).reason().c_str());
  }
}

const bool registered = [] {
  for (const std::string& name : testing::ProgramNames())
    benchmark::RegisterBenchmark(("Extract/" + name).c_str(), Extract, name)
        ->Unit(benchmark::kMillisecond)
        ->UseRealTime();  // it parses on a thread of its own
  return true;
}();

}  // namespace
}  // namespace tune
