// The page's server with a hundred studies and ten thousand evaluations in a SQLite file: time of each view's
// data over HTTP, and what open pages cost a study that runs.
#include <benchmark/benchmark.h>
#include <httplib.h>
#include <spdlog/spdlog.h>
#include <sys/resource.h>

#include <iostream>

#include "common/base/file.h"
#include "server/dashboard/dashboard_server.h"
#include "server/study/study_spec.h"
#include "tests/server/access/authorities.h"
#include "tests/server/study/harness.h"

namespace tune {
namespace {

constexpr int kStudies = 100;
constexpr int kCandidates = 100;  // of each
constexpr int kDecisions = 25, kSamples = 60, kKernels = 3;
constexpr int kOptions = 16;  // that were taken of each decision

v1::Evaluation SampleEvaluation(int index) {
  v1::Evaluation evaluation;
  evaluation.set_outcome(index % 4 == 3 ? v1::TIMEOUT : v1::CORRECT);
  std::vector<double> samples;
  for (int i = 0; i < kSamples; ++i) samples.push_back(1e-3 * (1 + (index * 37 % 100) + 0.001 * i));
  if (evaluation.outcome() == v1::CORRECT) *evaluation.mutable_measurement() = MakeMeasurement(samples);
  evaluation.set_message(
      evaluation.outcome() == v1::CORRECT ? "" : "hopeless: ten times the best candidate's time");
  evaluation.set_log(std::string(2000, 'l'));
  evaluation.set_code(std::string(6000, 'c'));
  evaluation.set_worker("gpu-host-1");
  for (const char* stage : {"generate", "compile", "wait", "run"}) {
    v1::StageTime* time = evaluation.add_stages();
    time->set_stage(stage);
    time->set_seconds(0.1);
  }
  for (int k = 0; k < kKernels; ++k) {
    v1::KernelEvaluation* kernel = evaluation.add_kernels();
    kernel->set_name(absl::StrCat("k[S", k, "]"));
    for (const char* name : {"executed_ipc", "achieved_occupancy", "l2_hit_rate", "l1_hit_rate"}) {
      v1::Metric* metric = kernel->add_metrics();
      metric->set_name(name);
      metric->set_value(1);
    }
  }
  return evaluation;
}

v1::Candidate SampleCandidate(int study, int index) {
  v1::Candidate candidate;
  candidate.set_index(index);
  candidate.set_origin(v1::SEARCH);
  candidate.set_state(v1::EVALUATED);
  candidate.set_created_unix_ms(1'700'000'000'000 + index * 900);
  candidate.set_evaluated_unix_ms(1'700'000'001'000 + index * 1000);
  for (int d = 0; d < kDecisions; ++d) {
    v1::Decision* decision = candidate.mutable_configuration()->add_decisions();
    decision->set_key(absl::StrCat("k[S0,S1].tile_size_", d));
    decision->set_option(absl::StrCat((index * d + study) % 64));
  }
  *candidate.mutable_evaluation() = SampleEvaluation(index);
  return candidate;
}

v1::Explanation SampleSearchState() {
  v1::Explanation state;
  state.set_index(kCandidates);
  state.set_iteration(10);
  for (int edge = 0; edge < kDecisions * kOptions; ++edge) {
    const int decision = edge / kOptions;
    v1::GraphEdge* added = state.add_edges();
    added->set_key(absl::StrCat("k[S0,S1].tile_size_", decision));
    added->set_option(absl::StrCat(edge % kOptions));
    added->set_pheromone(0.5);
    added->set_visits(kCandidates / kOptions);
    (*added->mutable_next())[absl::StrCat("k[S0,S1].tile_size_", decision + 1)] = kCandidates / kOptions;
  }
  return state;
}

void FillStore(Store& store) {
  for (int s = 0; s < kStudies; ++s) {
    v1::StudySpec spec = SyntheticSpec();
    spec.set_name(absl::StrCat("program", s % 30));
    spec.mutable_program()->mutable_files(0)->set_content(std::string(50'000, ' '));
    FillDefaults(&spec);
    v1::Study study = store.AddStudy(NewStudy(spec, 1), spec, "").value();
    study.mutable_device()->set_model(s % 2 == 0 ? "NVIDIA H200" : "NVIDIA H100");
    study.mutable_reference()->set_sequential_seconds(1);
    StudyChange change;
    change.study_id = study.id();
    for (int i = 0; i < kCandidates; ++i) {
      change.candidates.push_back({SampleCandidate(s, i), absl::StrCat("lease", i)});
      CountEvaluation(change.candidates.back().candidate, &study);
    }
    study.set_state(v1::DONE);
    study.set_finished_unix_ms(2);
    change.study = study;
    change.search_state = SampleSearchState();
    if (const absl::Status status = store.Apply(change); !status.ok()) spdlog::error("{}", status.ToString());
  }
}

class Laboratory {
 public:
  Laboratory() {
    FillStore(*store_);
    coordinator_ =
        Coordinator::Start({}, store_.get(), &Clock::Real(), SyntheticFactory(std::vector<int>(10, 8)))
            .value();
    DashboardOptions options;
    options.listen = "127.0.0.1:0";
    options.authority = authority_.get();
    dashboard_ = DashboardServer::Start(options, coordinator_.get()).value();
    std::cerr << "page: " << dashboard_->url() << std::endl;
  }
  ~Laboratory() {
    dashboard_.reset();
    coordinator_->Shutdown(absl::InfiniteDuration());
  }
  Coordinator& coordinator() { return *coordinator_; }
  httplib::Client Open() const {
    httplib::Client client(dashboard_->url().substr(0, dashboard_->url().size() - 1));
    client.set_keep_alive(true);
    client.set_read_timeout(30);
    return client;
  }

 private:
  TemporaryFolder folder_ = TemporaryFolder::Make().value();
  std::unique_ptr<Store> store_ = OpenSqliteStore(folder_.path() + "/tuned.db").value();
  const std::unique_ptr<Authority> authority_ = AuthorityOf("");
  std::unique_ptr<Coordinator> coordinator_;
  std::unique_ptr<DashboardServer> dashboard_;
};

Laboratory& Lab() {
  static Laboratory laboratory;
  return laboratory;
}

// first_ms: of the first answer after the server has started, which fills the tables.
void View(benchmark::State& state, const std::string& path) {
  static std::map<std::string, double> first_ms;
  httplib::Client client = Lab().Open();
  const absl::Time start = absl::Now();
  size_t bytes = 0;
  if (const auto first = client.Get(path.c_str()); !first || first->status != 200) {
    return state.SkipWithError("no answer");
  }
  first_ms.emplace(path, absl::ToDoubleMilliseconds(absl::Now() - start));
  state.counters["first_ms"] = first_ms[path];
  for (auto _ : state) bytes = client.Get(path.c_str())->body.size();
  state.counters["KiB"] = bytes / 1024.0;
}

// What one open page does: follows the stream and reads the study again, at most every two seconds.
void FollowAsAPage(const std::string& id, const std::atomic<bool>& stop) {
  httplib::Client stream = Lab().Open(), client = Lab().Open();
  absl::Time read = absl::InfinitePast();
  stream.Get("/api/v1/events", [&](const char*, size_t) {
    if (absl::Now() - read > absl::Seconds(2)) {
      read = absl::Now();
      client.Get(("/api/v1/studies/" + id).c_str());
      client.Get(("/api/v1/studies/" + id + "/timing").c_str());
      client.Get(("/api/v1/studies/" + id + "/candidates?first=100").c_str());
    }
    return !stop;
  });
}

constexpr int kEvaluations = 1000;

// Processor time of this process, in seconds: server, worker and pages.
double CpuSeconds() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& time) { return time.tv_sec + 1e-6 * time.tv_usec; };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

// A study whose evaluations take three milliseconds each, with state.range(0) pages open on it.
void StudyWithPages(benchmark::State& state) {
  Coordinator& coordinator = Lab().coordinator();
  const double cpu = CpuSeconds();
  for (auto _ : state) {
    const std::string id = coordinator.Submit(SyntheticSpec("ants", 1, kEvaluations), "")->id();
    std::atomic<bool> stop{false};
    std::vector<std::thread> pages;
    for (int i = 0; i < state.range(0); ++i) pages.emplace_back([&] { FollowAsAPage(id, stop); });
    FakeWorker worker(
        "w", [&](const v1::SynchronizeRequest& request) { return SynchronizeNow(coordinator, request); });
    const auto evaluate = worker.evaluate;
    worker.evaluate = [&](const v1::EvaluateTask& task) {
      absl::SleepFor(absl::Milliseconds(3));
      return evaluate(task);
    };
    const absl::Time start = absl::Now();
    std::thread thread([&] {
      while (!stop && worker.Call(100).ok()) {
        while (!worker.leases.empty()) worker.Work();
      }
    });
    WaitUntilFinished(coordinator, id);
    state.SetIterationTime(absl::ToDoubleSeconds(absl::Now() - start));
    stop = true;
    // The next change ends the pages' streams.
    const std::string last = coordinator.Submit(SyntheticSpec(), "")->id();
    if (!coordinator.Cancel(last).ok()) state.SkipWithError("cannot be cancelled");
    for (std::thread& page : pages) page.join();
    thread.join();
  }
  state.counters["cpu_s"] = (CpuSeconds() - cpu) / state.iterations();
  state.SetItemsProcessed(state.iterations() * kEvaluations);
}

BENCHMARK_CAPTURE(View, studies, "/api/v1/studies?limit=50")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(View, studies_filtered, "/api/v1/studies?search=program7&state=done&device=h200")
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(View, study, "/api/v1/studies/s50")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(View, study_candidates, "/api/v1/studies/s50/candidates")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(View, study_timing, "/api/v1/studies/s51/timing")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(View, study_best, "/api/v1/studies/s50/best")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(View, study_spec, "/api/v1/studies/s50/spec")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(View, search, "/api/v1/studies/s7/search")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(View, candidate, "/api/v1/studies/s50/candidates/7")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(View, workers, "/api/v1/workers")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(View, results, "/api/v1/results")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(View, metrics, "/metrics")->Unit(benchmark::kMillisecond);
BENCHMARK(StudyWithPages)->Arg(0)->Arg(50)->UseManualTime()->Iterations(3)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace tune
