// Hierarchical search against plain Nelder-Mead and random search, and rules on and off, on recorded run
// times: the experiments of Pfaffe, Grosser, Tillmann (figures 7 to 9). Usage: online_tuning_bench
// TIMES_LARGE TIMES_SMALL [TRACES]     (files of gemm_times; TRACES: seconds by iteration)
#include <algorithm>
#include <cstdio>
#include <fstream>
#include <functional>
#include <vector>

#include "libtune/search/feedback_rule.h"
#include "libtune/search/hierarchical_search.h"
#include "tests/bench/recorded_gemm.h"

namespace libtune {
namespace {

constexpr int kSeeds = 20;
constexpr int kIterations = 1000;
constexpr double kNoise = 0.02;  // each measurement is up to so much slower than the recorded time

struct Trace {
  std::vector<double> seconds;  // of each iteration, without noise
  int settled = kIterations;    // iterations
  double final_seconds = 0;     // of what it settled on; the best one where it did not
};

// A search: `next` says what to run; `observe` is told the time and says whether it has settled.
struct Search {
  std::function<Values()> next;
  std::function<bool(double seconds)> observe;
};

Trace Run(const RecordedGemm& gemm, uint64_t seed, const Search& search) {
  Random noise(seed + 1000);
  Trace trace;
  Values best;
  double least = 0;
  for (int i = 0; i < kIterations; ++i) {
    const Values values = trace.settled < kIterations ? best : search.next();
    const double seconds = gemm.Seconds(values);
    trace.seconds.push_back(seconds);
    if (trace.settled < kIterations) continue;
    const double measured = seconds * (1 + kNoise * noise.Unit());
    if (least == 0 || measured < least) {
      least = measured;
      best = values;
    }
    if (search.observe(measured)) trace.settled = i + 1;
  }
  trace.final_seconds = gemm.Seconds(best);
  return trace;
}

// The same start for all strategies: drawn uniformly.
Values Drawn(const ParameterSpace& space, Random* random) {
  Values values;
  for (int i = 0; i < space.size(); ++i) {
    const Parameter& parameter = space.at(i);
    values.push_back(parameter.nominal() ? static_cast<double>(random->Below(parameter.choices.size()))
                                         : parameter.scale->At(random->Unit()));
  }
  return values;
}

Trace Hierarchical(const RecordedGemm& gemm, uint64_t seed, const std::vector<FeedbackRule>& rules,
                   const Exploration& exploration) {
  const SearchGraph graph(gemm.space());
  Random random(seed);
  SearchOptions options;
  options.exploration = exploration;
  options.seed = seed;
  const Inputs inputs = {gemm.size()};
  HierarchicalSearch search(
      &graph, Drawn(gemm.space(), &random),
      [&](int parameter, const Values& values) {
        return std::any_of(rules.begin(), rules.end(), [&](const FeedbackRule& rule) {
          return rule.parameter == parameter && rule.Rejects(gemm.space(), values, inputs);
        });
      },
      options);
  return Run(gemm, seed,
             {[&] { return search.Next(); },
              [&](double seconds) {
                search.Observe(seconds);
                return search.settled();
              }});
}

// All parameters as numbers, whether they exist or not.
Trace PlainNelderMead(const RecordedGemm& gemm, uint64_t seed) {
  std::vector<NumericScale> scales;
  for (int i = 0; i < gemm.space().size(); ++i) {
    const Parameter& parameter = gemm.space().at(i);
    const double last = static_cast<double>(parameter.choices.size()) - 1;
    scales.push_back(parameter.nominal() ? NumericScale::Steps(0, last, 1) : *parameter.scale);
  }
  Random random(seed);
  NelderMead search(scales, Drawn(gemm.space(), &random));
  return Run(gemm, seed,
             {[&] { return search.Next(); },
              [&](double seconds) {
                search.Observe(seconds);
                return search.Converged();
              }});
}

Trace RandomSearch(const RecordedGemm& gemm, uint64_t seed) {
  Random random(seed);
  return Run(gemm, seed, {[&] { return Drawn(gemm.space(), &random); }, [](double) { return false; }});
}

// The rules of the paper for each part: r c n^3 multiplications, (r + c) n^2 + r c n^2 elements, where r and
// c are the parts of rows and columns; as many uses of an element in shared memory as a block has threads.
std::vector<FeedbackRule> PaperRules(const RecordedGemm& gemm) {
  std::vector<FeedbackRule> rules;
  // A split, or the rest: coefficient * R + constant.
  struct Length {
    double slope;
    double constant;
  };
  for (int i = 0; i < RecordedGemm::kParts; ++i) {
    const Length rows = i < 2 ? Length{1, 0} : Length{-1, 1};
    const Length columns = i % 2 == 0 ? Length{1, 0} : Length{-1, 1};
    const Factor r = {false, gemm.row_split(), 1};
    const Factor c = {false, gemm.column_split(), 1};
    const auto area = [&](int power) {
      const Factor n = {true, 0, power};
      return std::vector<Term>{{rows.slope * columns.slope, {r, c, n}},
                               {rows.slope * columns.constant, {r, n}},
                               {rows.constant * columns.slope, {c, n}},
                               {rows.constant * columns.constant, {n}}};
    };
    std::vector<Term> elements = area(2);
    const Factor square = {true, 0, 2};
    elements.push_back({rows.slope, {r, square}});
    elements.push_back({columns.slope, {c, square}});
    elements.push_back({rows.constant + columns.constant, {square}});
    const std::vector<int> splits = {gemm.row_split(), gemm.column_split()};
    const RecordedGemm::Part& part = gemm.part(i);
    rules.push_back(
        {TUNE_MIN_COMPUTE, part.platform, 1, TUNE_DEFAULT_MIN_COMPUTE, Metric(area(3)), {}, splits});
    rules.push_back({TUNE_COMPUTE_INTENSITY, part.platform, 1, TUNE_DEFAULT_COMPUTE_INTENSITY,
                     Metric(area(3)), Metric(elements), splits});
    const std::vector<Term> reuse = {{1, {{false, part.points, 1}}}};
    rules.push_back(
        {TUNE_MIN_REUSE, part.shared, 1, TUNE_DEFAULT_MIN_REUSE, Metric(reuse), {}, {part.points}});
  }
  return rules;
}

double Median(std::vector<double> numbers) {
  std::sort(numbers.begin(), numbers.end());
  return (numbers[numbers.size() / 2] + numbers[(numbers.size() - 1) / 2]) / 2;
}

double MedianOf(const std::vector<Trace>& traces, const std::function<double(const Trace&)>& fact) {
  std::vector<double> numbers;
  for (const Trace& trace : traces) numbers.push_back(fact(trace));
  return Median(numbers);
}

// The first iteration after which all until then took less time than with `seconds` each; kIterations: none.
int PaysAfter(const Trace& trace, double seconds) {
  double sum = 0;
  for (size_t i = 0; i < trace.seconds.size(); ++i) {
    sum += trace.seconds[i];
    if (sum < seconds * static_cast<double>(i + 1)) return static_cast<int>(i + 1);
  }
  return kIterations;
}

void Report(const char* name, const std::vector<Trace>& traces, double best, double reference) {
  const double settled = MedianOf(traces, [](const Trace& trace) { return trace.settled; });
  const double within = MedianOf(traces, [&](const Trace& trace) {
    double least = trace.seconds.front();
    int i = 0;
    for (; i < kIterations && least > 1.1 * best; ++i) least = std::min(least, trace.seconds[i]);
    return i;
  });
  const double slow = MedianOf(traces, [&](const Trace& trace) {
    return static_cast<double>(std::count_if(trace.seconds.begin(), trace.seconds.begin() + 200,
                                             [&](double s) { return s > 2 * best; }));
  });
  const double area = MedianOf(traces, [&](const Trace& trace) {
    double sum = 0;
    for (int i = 0; i < 200; ++i) sum += trace.seconds[i] - best;
    return sum;
  });
  std::printf("| %s | %.0f | %.0f | %.3g ms (%.2f) | %.0f | %.3g s | %.0f |\n", name, settled, within,
              1e3 * MedianOf(traces, [](const Trace& trace) { return trace.final_seconds; }),
              MedianOf(traces, [&](const Trace& trace) { return trace.final_seconds / best; }), slow, area,
              MedianOf(traces, [&](const Trace& trace) { return PaysAfter(trace, reference); }));
}

using Strategy = std::function<Trace(const RecordedGemm&, uint64_t seed)>;

std::vector<Trace> RunAll(const RecordedGemm& gemm, const Strategy& strategy) {
  std::vector<Trace> traces;
  for (uint64_t seed = 0; seed < kSeeds; ++seed) traces.push_back(strategy(gemm, seed));
  return traces;
}

void Compare(const char* file, std::ofstream* trace_file,
             const std::vector<std::pair<const char*, Strategy>>& strategies) {
  const RecordedGemm gemm(file);
  const double reference = gemm.Seconds(gemm.PollyAcc());
  std::vector<std::vector<Trace>> all;
  double best = reference;
  for (const auto& [name, strategy] : strategies) {
    all.push_back(RunAll(gemm, strategy));
    for (const Trace& trace : all.back()) best = std::min(best, trace.final_seconds);
  }
  std::printf(
      "\nn = %ld; the best of all runs %.3g ms; Polly-ACC's defaults in four parts %.3g ms\n\n"
      "| search | settles after | within 10 %% of the best after | settles on (over the best) | iterations "
      "of 200 "
      "that take twice the best | area over the best, 200 iterations | pays over the defaults after |\n"
      "|---|---|---|---|---|---|---|\n",
      gemm.size(), 1e3 * best, 1e3 * reference);
  for (size_t i = 0; i < strategies.size(); ++i) {
    Report(strategies[i].first, all[i], best, reference);
    for (size_t seed = 0; trace_file->is_open() && seed < all[i].size(); ++seed) {
      *trace_file << gemm.size() << '\t' << strategies[i].first << '\t' << seed;
      for (int iteration = 0; iteration < 200; ++iteration)
        *trace_file << '\t' << all[i][seed].seconds[iteration];
      *trace_file << '\n';
    }
  }
}

Strategy HierarchicalWith(bool rules, const Exploration& exploration) {
  return [=](const RecordedGemm& gemm, uint64_t seed) {
    return Hierarchical(gemm, seed, rules ? PaperRules(gemm) : std::vector<FeedbackRule>(), exploration);
  };
}

}  // namespace
}  // namespace libtune

int main(int argc, char** argv) {
  if (argc < 3) {
    std::fprintf(stderr, "usage: online_tuning_bench TIMES_LARGE TIMES_SMALL [TRACES]\n");
    return 2;
  }
  std::ofstream traces;
  if (argc > 3) traces.open(argv[3]);
  std::printf("%d seeds; medians\n", libtune::kSeeds);
  libtune::Compare(argv[1], &traces,
                   {{"hierarchical", libtune::HierarchicalWith(true, {})},
                    {"hierarchical, epsilon 20 %", libtune::HierarchicalWith(true, {0.2, 0.1})},
                    {"hierarchical, epsilon 20 %, decay 1 %", libtune::HierarchicalWith(true, {0.2, 0.01})},
                    {"Nelder-Mead", libtune::PlainNelderMead},
                    {"random", libtune::RandomSearch}});
  libtune::Compare(argv[2], &traces,
                   {{"hierarchical, rules on", libtune::HierarchicalWith(true, {})},
                    {"hierarchical, rules off", libtune::HierarchicalWith(false, {})},
                    {"Nelder-Mead", libtune::PlainNelderMead},
                    {"random", libtune::RandomSearch}});
  return 0;
}
