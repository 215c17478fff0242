// A study of a hundred thousand evaluations: memory of a server that takes it up from a SQLite file and goes
// on with it, and how long it takes until the next candidate is leased. The study is the ants' own search on
// the real space of gemm on a GPU, at level 1; times, kernels, counters and texts are made up.
#include <spdlog/spdlog.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <fstream>
#include <set>

#include "absl/strings/match.h"
#include "common/base/file.h"
#include "common/base/random.h"
#include "server/search/kernel_results.h"
#include "server/search/search_options.h"
#include "server/search/strategy.h"
#include "server/study/study_spec.h"
#include "tests/common/testing/sample_scops.h"
#include "tests/server/study/harness.h"

namespace tune {
namespace {

constexpr int kStoredAtOnce = 1000;
constexpr int kMostSamples = 30;
constexpr int kCodeBytes = 2000, kDeviceFileBytes = 8000, kLogBytes = 500;
constexpr const char* kMetrics[] = {
    "executed_ipc", "achieved_occupancy", "global_load_throughput", "global_store_throughput",
    "l2_hit_rate",  "l1_hit_rate"};

struct Arguments {
  int evaluations = 100'000;
  int more = 500;  // after the restart
  int level = 1;
  std::string folder;  // empty: a temporary one
};

v1::Device Gpu() {
  v1::Device device;
  device.set_target(v1::CUDA);
  device.set_model("a GPU");
  device.set_cores(132);
  return device;
}

v1::Reference GemmReference() {
  v1::Reference reference;
  for (const char* name : {"ni", "nj", "nk"}) {
    v1::ParameterValue* parameter = reference.add_parameters();
    parameter->set_name(name);
    parameter->set_value(1000);
  }
  reference.set_sequential_seconds(1);
  return reference;
}

v1::StudySpec GemmSpec(const Arguments& arguments) {
  v1::StudySpec spec = SyntheticSpec("ants", 1, kFirstReplayIndex);
  *spec.mutable_scop() = testing::GemmScop();
  spec.mutable_scop()->mutable_region()->set_file("a.c");
  spec.set_target(v1::CUDA);
  spec.mutable_search()->set_level(arguments.level);
  FillDefaults(&spec);
  return spec;
}

// Uniform in [0, 1), the same for the same text.
double ShareOf(absl::string_view text) {
  uint64_t hash = 14695981039346656037u;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211u;
  return Random(hash).Uniform();
}

// Decisions act on the time of their kernel independently, and in pairs with the one before.
double SyntheticGemmSeconds(const v1::Configuration& configuration, absl::string_view kernel) {
  double seconds = 1e-4;
  std::string before;
  for (const v1::Decision& decision : configuration.decisions()) {
    const absl::string_view about = KernelOfKey(decision.key());
    if (!about.empty() && about != kernel) continue;
    const std::string text = absl::StrCat(decision.key(), "=", decision.option());
    seconds *= 1 + 0.5 * ShareOf(text) + 0.2 * ShareOf(absl::StrCat(before, " ", text));
    before = text;
  }
  return seconds;
}

std::string Text(int bytes, int64_t index) {
  std::string text;
  for (int line = 0; static_cast<int>(text.size()) < bytes; ++line) {
    absl::StrAppend(&text, "  const int c", line, " = blockIdx.x * ", index * 31 % 977, " + threadIdx.x + ",
                    line * index % 8191, ";\n");
  }
  return text;
}

v1::Evaluation SyntheticEvaluation(int64_t index, const v1::Configuration& configuration) {
  v1::Evaluation evaluation;
  evaluation.set_worker("gpu-host-1");
  evaluation.set_code(Text(kCodeBytes, index));
  evaluation.set_device_file(Text(kDeviceFileBytes, index + 1));
  evaluation.set_log(std::string(kLogBytes, 'l'));
  evaluation.set_code_fingerprint(Fingerprint(evaluation.code()));
  evaluation.set_compile_command("nvrtc --gpu-architecture=sm_90 --std=c++17 --use_fast_math=0 candidate.cu");
  for (const char* stage : {"generate", "compile", "wait", "run"}) {
    v1::StageTime* time = evaluation.add_stages();
    time->set_stage(stage);
    time->set_seconds(0.1);
  }
  if (ShareOf(PrintConfiguration(configuration)) < 0.15) {
    evaluation.set_outcome(v1::TIMEOUT);
    evaluation.set_message("hopeless: its first sample took more than ten times the best candidate's time");
    return evaluation;
  }
  evaluation.set_outcome(v1::CORRECT);
  std::set<std::string> kernels;
  for (const v1::Decision& decision : configuration.decisions()) {
    const absl::string_view name = KernelOfKey(decision.key());
    if (!name.empty()) kernels.emplace(name);
  }
  Random random(7, index);
  double seconds = 0;
  for (const std::string& name : kernels) {
    v1::KernelEvaluation* kernel = evaluation.add_kernels();
    kernel->set_name(name);
    kernel->set_function("kernel0");
    kernel->set_launches(1);
    kernel->set_seconds(SyntheticGemmSeconds(configuration, name));
    kernel->set_threads_per_block(256);
    kernel->set_registers(64);
    seconds += kernel->seconds();
    for (const char* name : kMetrics) {
      v1::Metric* metric = kernel->add_metrics();
      metric->set_name(name);
      metric->set_normalised(random.Uniform());
      metric->set_value(metric->normalised());
    }
  }
  std::vector<double> samples;
  for (int i = 0; i < kMostSamples; ++i) samples.push_back(seconds * (1 + 0.01 * random.Uniform()));
  *evaluation.mutable_measurement() = MakeMeasurement(samples);
  return evaluation;
}

v1::Candidate Evaluated(const Proposal& proposal) {
  v1::Candidate candidate;
  candidate.set_index(proposal.index);
  candidate.set_origin(v1::SEARCH);
  candidate.set_state(v1::EVALUATED);
  candidate.set_attempts(1);
  candidate.set_created_unix_ms(1'700'000'000'000 + proposal.index * 100);
  candidate.set_evaluated_unix_ms(1'700'000'000'050 + proposal.index * 100);
  *candidate.mutable_configuration() = proposal.configuration;
  if (proposal.failure.ok()) {
    *candidate.mutable_evaluation() = SyntheticEvaluation(proposal.index, proposal.configuration);
  } else {
    candidate.mutable_evaluation()->set_outcome(v1::COMPILE);
  }
  return candidate;
}

// MiB of this process, now and at most.
double ResidentMiB(absl::string_view field) {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (absl::StartsWith(line, field)) return std::stod(line.substr(field.size())) / 1024;
  }
  return 0;
}

// Of this process, all threads.
double ProcessorSeconds() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& time) { return time.tv_sec + 1e-6 * time.tv_usec; };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

double SecondsSince(absl::Time start) { return absl::ToDoubleSeconds(absl::Now() - start); }

void PrintLine(const char* what, double value, const char* unit) {
  std::printf("%-44s %10.1f %s\n", what, value, unit);
  std::fflush(stdout);
}

// The search as a server would have done it, without workers.
absl::Status Fill(const Arguments& arguments, const std::string& path) {
  const v1::StudySpec spec = GemmSpec(arguments);
  TUNE_ASSIGN_OR_RETURN(const std::unique_ptr<Store> store, OpenSqliteStore(path));
  TUNE_ASSIGN_OR_RETURN(const std::unique_ptr<Space> space, StudySpaces()(spec, GemmReference(), Gpu()));
  TUNE_ASSIGN_OR_RETURN(const std::unique_ptr<Strategy> strategy, MakeStrategy(spec.search(), space.get()));
  TUNE_ASSIGN_OR_RETURN(v1::Study study, store->AddStudy(NewStudy(spec, 1), spec, ""));
  study.set_state(v1::SEARCHING);
  *study.mutable_device() = Gpu();
  *study.mutable_reference() = GemmReference();
  const absl::Time start = absl::Now();
  int64_t decisions = 0, bytes = 0;
  StudyChange change;
  for (int i = 0; i < arguments.evaluations; ++i) {
    const Proposals proposals = strategy->Propose(1);
    if (proposals.candidates.empty()) return absl::InternalError("the space is exhausted");
    v1::Candidate candidate = Evaluated(proposals.candidates[0]);
    CountEvaluation(candidate, &study);
    TUNE_RETURN_IF_ERROR(strategy->Observe(candidate));
    decisions += candidate.configuration().decisions_size();
    bytes += candidate.ByteSizeLong() - kCodeBytes - kDeviceFileBytes - kLogBytes;
    change.candidates.push_back({std::move(candidate), absl::StrCat("1-", i)});
    if (static_cast<int>(change.candidates.size()) < kStoredAtOnce && i + 1 < arguments.evaluations) continue;
    change.study_id = study.id();
    change.study = study;
    TUNE_RETURN_IF_ERROR(store->Apply(change));
    change.candidates.clear();
  }
  const double evaluations = arguments.evaluations;
  PrintLine("proposed, observed and stored", evaluations / SecondsSince(start), "a second");
  PrintLine("decisions of a candidate", decisions / evaluations, "");
  PrintLine("a candidate without its texts", bytes / evaluations, "bytes");
  PrintLine("the process that made them, at most", ResidentMiB("VmHWM:"), "MiB");
  return absl::OkStatus();
}

absl::Status TakeUp(const Arguments& arguments, const std::string& path) {
  PrintLine("a process without a study", ResidentMiB("VmRSS:"), "MiB");
  const absl::Time start = absl::Now();
  TUNE_ASSIGN_OR_RETURN(const std::unique_ptr<Store> store, OpenSqliteStore(path));
  TUNE_ASSIGN_OR_RETURN(const int64_t bytes, store->Size());
  TUNE_ASSIGN_OR_RETURN(const auto late, store->ListCandidates("s1", {arguments.evaluations, INT64_MAX}));
  const int64_t stored = arguments.evaluations + static_cast<int64_t>(late.size());
  PrintLine("size of the file", bytes / 1048576.0, "MiB");
  PrintLine("file opened and checked after", SecondsSince(start), "s");
  TUNE_ASSIGN_OR_RETURN(const std::unique_ptr<Coordinator> coordinator,
                        Coordinator::Start({}, store.get(), &Clock::Real(), StudySpaces()));
  PrintLine("server takes calls after", SecondsSince(start), "s");
  FakeWorker worker(
      "w", [&](const v1::SynchronizeRequest& request) { return SynchronizeNow(*coordinator, request); });
  *worker.request().mutable_devices(0) = Gpu();
  worker.evaluate = [](const v1::EvaluateTask& task) {
    return SyntheticEvaluation(task.candidate_index(), task.configuration());
  };
  const auto work = [&]() -> absl::Status {
    if (!worker.leases.empty()) worker.Work();
    return worker.Call(1000).status();
  };
  // Candidates that were handed out before are first.
  while (worker.leases.empty() || worker.leases[0].evaluate().candidate_index() < stored) {
    TUNE_RETURN_IF_ERROR(work());
  }
  PrintLine("next new candidate leased after", SecondsSince(start), "s");
  PrintLine("processor time until then", ProcessorSeconds(), "s");
  PrintLine("memory then", ResidentMiB("VmRSS:"), "MiB");
  const absl::Time search = absl::Now();
  const int before = worker.evaluations;
  while (worker.evaluations < before + arguments.more) TUNE_RETURN_IF_ERROR(work());
  PrintLine("evaluations after that", arguments.more / SecondsSince(search), "a second");
  PrintLine("memory then", ResidentMiB("VmRSS:"), "MiB");
  PrintLine("memory at most", ResidentMiB("VmHWM:"), "MiB");
  coordinator->Shutdown(absl::InfiniteDuration());
  return absl::OkStatus();
}

// Each part in a process of its own, so that their memory is told apart.
bool InChild(const std::function<absl::Status()>& part) {
  std::fflush(stdout);
  const pid_t child = fork();
  if (child == 0) {
    const absl::Status status = part();
    if (!status.ok()) std::fprintf(stderr, "%s\n", status.ToString().c_str());
    std::fflush(stdout);
    _exit(status.ok() ? 0 : 1);
  }
  int status = 0;
  return child > 0 && waitpid(child, &status, 0) == child && status == 0;
}

int Run(const Arguments& arguments) {
  const absl::StatusOr<TemporaryFolder> temporary = TemporaryFolder::Make();
  if (!temporary.ok()) return 1;
  const std::string folder = arguments.folder.empty() ? temporary->path() : arguments.folder;
  const std::string path = folder + "/tuned.db";
  if (access(path.c_str(), F_OK) != 0 && !InChild([&] { return Fill(arguments, path); })) return 1;
  return InChild([&] { return TakeUp(arguments, path); }) ? 0 : 1;
}

}  // namespace
}  // namespace tune

int main(int argc, char** argv) {
  tune::Arguments arguments;
  CLI::App app("A study of many evaluations: time of the restart and memory of the server");
  app.add_option("--evaluations", arguments.evaluations, "of the study")->capture_default_str();
  app.add_option("--more", arguments.more, "after the restart")->capture_default_str();
  app.add_option("--level", arguments.level, "of the schedule's decisions")->capture_default_str();
  app.add_option("--folder", arguments.folder, "keeps the database, or takes up the one that is there");
  CLI11_PARSE(app, argc, argv);
  spdlog::set_level(spdlog::level::warn);
  return tune::Run(arguments);
}
