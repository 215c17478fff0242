// A server with very many workers, each a connection of its own to another process: what a result costs it,
// how many threads it has, what those cost that are idle, and how long it takes until all are back after
// server and workers were killed at once. Workers do nothing for some seconds and make up a result.
#include <grpcpp/alarm.h>
#include <grpcpp/client_context.h>
#include <spdlog/spdlog.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <csignal>
#include <cstdio>
#include <deque>
#include <fstream>
#include <random>
#include <set>

#include "absl/cleanup/cleanup.h"
#include "absl/strings/str_split.h"
#include "common/base/file.h"
#include "common/rpc/channel.h"
#include "server/service/server.h"
#include "tests/server/access/authorities.h"
#include "tests/server/study/harness.h"
#include "tune/v1/worker_service.grpc.pb.h"

namespace tune {
namespace {

struct Arguments {
  int workers = 1000;
  int studies = 40;      // 0: the workers are idle
  double work = 5;       // mean seconds of an evaluation
  double seconds = 60;   // that are measured
  bool restart = false;  // then kill all and measure until they are back
  std::string serve;     // folder: this process is the server
};

// ---- the server's process

// Until it is killed.
int Serve(const Arguments& arguments) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  spdlog::set_level(spdlog::level::err);
  const std::unique_ptr<Store> store = OpenSqliteStore(arguments.serve + "/tuned.db").value();
  const auto coordinator =
      Coordinator::Start({}, store.get(), &Clock::Real(), SyntheticFactory(std::vector<int>(10, 8))).value();
  if (store->CountStudies().value() == 0) {
    for (int i = 0; i < arguments.studies; ++i) {
      v1::StudySpec spec = SyntheticSpec("random", static_cast<uint64_t>(i + 1), 100'000);
      spec.set_owner(absl::StrCat("owner", i));
      coordinator->Submit(spec, "").value();
    }
  }
  const auto authority = AuthorityOf("");
  const auto server =
      Server::Start({"unix:" + arguments.serve + "/socket", authority.get(), "", ""}, coordinator.get())
          .value();
  std::ofstream(arguments.serve + "/ready") << "ready";
  while (true) pause();
}

class ServerProcess {
 public:
  ServerProcess(const Arguments& arguments, const std::string& folder) : folder_(folder) {
    unlink((folder + "/ready").c_str());
    pid_ = fork();
    if (pid_ == 0) {
      const std::string studies = std::to_string(arguments.studies);
      execl("/proc/self/exe", "many_workers_bench", "--serve", folder.c_str(), "--studies", studies.c_str(),
            nullptr);
      _exit(127);
    }
    while (access((folder + "/ready").c_str(), F_OK) != 0) absl::SleepFor(absl::Milliseconds(20));
  }
  ~ServerProcess() {
    kill(pid_, SIGKILL);
    waitpid(pid_, nullptr, 0);
  }

  double CpuSeconds() const {
    std::ifstream file(absl::StrCat("/proc/", pid_, "/stat"));
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    const std::vector<std::string> fields = absl::StrSplit(text.substr(text.rfind(')') + 2), ' ');
    return (std::stod(fields[11]) + std::stod(fields[12])) / static_cast<double>(sysconf(_SC_CLK_TCK));
  }
  // "Threads:" and "VmRSS:" in kB.
  int64_t Status(const std::string& field) const {
    std::ifstream file(absl::StrCat("/proc/", pid_, "/status"));
    for (std::string name; file >> name;) {
      int64_t value = 0;
      if (name == field && file >> value) return value;
    }
    return 0;
  }

 private:
  const std::string folder_;
  pid_t pid_ = 0;
};

// ---- the workers

// What all of them have got.
struct Tally {
  absl::Mutex mutex;
  std::set<std::pair<std::string, int64_t>> acknowledged ABSL_GUARDED_BY(mutex);  // study, candidate
  int64_t results ABSL_GUARDED_BY(mutex) = 0;  // also of candidates that another worker has measured
  std::set<std::string> answered ABSL_GUARDED_BY(mutex);  // workers
  int64_t failed_calls ABSL_GUARDED_BY(mutex) = 0;

  size_t CountAcknowledged() {
    absl::MutexLock lock(&mutex);
    return acknowledged.size();
  }
  int64_t CountResults() {
    absl::MutexLock lock(&mutex);
    return results;
  }
  size_t CountAnswered() {
    absl::MutexLock lock(&mutex);
    return answered.size();
  }
};

// Speaks the protocol without a thread of its own.
class SimulatedWorker {
 public:
  SimulatedWorker(int number, const std::string& session, const std::string& address, double work,
                  Tally* tally)
      : fake_(absl::StrCat("worker", number), nullptr),
        stub_(v1::WorkerService::NewStub(OpenChannel({address, "", ""}).value())),
        random_(static_cast<uint64_t>(number)),
        work_(work),
        tally_(tally) {
    fake_.request().set_session(session);
    fake_.request().set_wait_ms(120'000);
  }
  ~SimulatedWorker() { Stop(); }

  void Call() {
    absl::MutexLock lock(&mutex_);
    CallLocked();
  }
  // As a killed process does.
  void Stop() {
    absl::MutexLock lock(&mutex_);
    stopping_ = true;
    if (context_ != nullptr) context_->TryCancel();
    if (alarm_.has_value()) alarm_->Cancel();
    mutex_.Await(absl::Condition(this, &SimulatedWorker::Quiet));
  }

 private:
  bool Quiet() const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) { return !calling_ && !sleeping_; }

  void CallLocked() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
    calling_ = !stopping_;
    if (stopping_) return;
    context_ = std::make_unique<grpc::ClientContext>();
    fake_.request().set_free_slots(fake_.leases.empty() ? 1 : 0);
    fake_.request().clear_active();
    for (const v1::Lease& lease : fake_.leases) fake_.request().add_active()->set_lease_id(lease.lease_id());
    stub_->async()->Synchronize(context_.get(), &fake_.request(), &response_,
                                [this](grpc::Status status) { Answered(status); });
  }

  void Answered(const grpc::Status& status) {
    absl::MutexLock lock(&mutex_);
    calling_ = false;
    if (!status.ok()) {
      if (!stopping_) {
        absl::MutexLock tally_lock(&tally_->mutex);
        ++tally_->failed_calls;
      }
      return After(1, [this] { Call(); });
    }
    TakeIn();
    if (fake_.leases.empty()) {
      return After(static_cast<double>(response_.next_synchronization_ms()) / 1000, [this] { Call(); });
    }
    const double seconds = fake_.leases[0].has_evaluate()
                               ? std::uniform_real_distribution<double>(0.5 * work_, 1.5 * work_)(random_)
                               : 0;
    After(seconds, [this] {
      absl::MutexLock lock(&mutex_);
      while (!fake_.leases.empty()) fake_.Work();
      CallLocked();
    });
  }

  // Results that were acknowledged, and leases.
  void TakeIn() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
    const std::set<std::string> done(response_.acknowledged().begin(), response_.acknowledged().end());
    absl::MutexLock lock(&tally_->mutex);
    tally_->answered.insert(fake_.request().worker());
    auto* results = fake_.request().mutable_results();
    for (int i = results->size() - 1; i >= 0; --i) {
      const v1::LeaseResult& result = results->Get(i);
      if (done.count(result.lease_id()) == 0) continue;
      if (result.has_evaluate()) {
        tally_->acknowledged.insert({result.study_id(), result.evaluate().candidate_index()});
        ++tally_->results;
      }
      results->DeleteSubrange(i, 1);
    }
    for (const std::string& id : response_.cancelled()) {
      std::erase_if(fake_.leases, [&](const v1::Lease& lease) { return lease.lease_id() == id; });
      for (int i = results->size() - 1; i >= 0; --i) {
        if (results->Get(i).lease_id() == id) results->DeleteSubrange(i, 1);
      }
    }
    for (const v1::Lease& lease : response_.leases()) fake_.leases.push_back(lease);
  }

  void After(double seconds, std::function<void()> then) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
    if (stopping_) return;
    sleeping_ = true;
    alarm_.emplace().Set(absl::ToChronoTime(absl::Now() + absl::Seconds(seconds)),
                         [this, then = std::move(then)](bool fired) {
                           {
                             absl::MutexLock lock(&mutex_);
                             sleeping_ = false;
                             fired = fired && !stopping_;
                             calling_ = fired;  // nothing goes away until `then` has begun
                           }
                           if (fired) then();
                         });
  }

  absl::Mutex mutex_;
  FakeWorker fake_;
  std::unique_ptr<v1::WorkerService::Stub> stub_;
  std::mt19937_64 random_;
  const double work_;
  Tally* const tally_;
  std::unique_ptr<grpc::ClientContext> context_;
  v1::SynchronizeResponse response_;
  std::optional<grpc::Alarm> alarm_;
  bool calling_ = false, sleeping_ = false, stopping_ = false;
};

std::deque<SimulatedWorker> MakeWorkers(const Arguments& arguments, const std::string& session,
                                        const std::string& folder, Tally* tally) {
  std::deque<SimulatedWorker> workers;
  for (int i = 0; i < arguments.workers; ++i) {
    workers.emplace_back(i, session, "unix:" + folder + "/socket", arguments.work, tally);
  }
  return workers;
}

// Seconds until every worker had an answer, or 300.
double AwaitAll(const Arguments& arguments, Tally* tally) {
  const absl::Time start = absl::Now();
  while (tally->CountAnswered() < static_cast<size_t>(arguments.workers) &&
         absl::Now() < start + absl::Minutes(5)) {
    absl::SleepFor(absl::Milliseconds(100));
  }
  return absl::ToDoubleSeconds(absl::Now() - start);
}

// ---- what is measured

void Measure(const Arguments& arguments, const ServerProcess& server, Tally* tally) {
  const double cpu = server.CpuSeconds();
  const int64_t before = tally->CountResults();
  int64_t threads = 0, resident = 0;
  const absl::Time start = absl::Now();
  while (absl::Now() < start + absl::Seconds(arguments.seconds)) {
    absl::SleepFor(absl::Seconds(1));
    threads = std::max(threads, server.Status("Threads:"));
    resident = std::max(resident, server.Status("VmRSS:"));
  }
  const double seconds = absl::ToDoubleSeconds(absl::Now() - start);
  const double used = server.CpuSeconds() - cpu;
  const auto results = static_cast<double>(tally->CountResults() - before);
  std::printf("%d workers, %d studies, %.0f s: %.1f results/s, %.1f %% of a core", arguments.workers,
              arguments.studies, seconds, results / seconds, 100 * used / seconds);
  if (results > 0) std::printf(", %.2f ms of CPU a result", 1000 * used / results);
  std::printf("; at most %ld threads, %ld MiB\n", static_cast<long>(threads),
              static_cast<long>(resident / 1024));
  std::fflush(stdout);
}

// How many acknowledged results are not in the store.
int64_t CountLost(const std::string& folder, Tally* tally) {
  const std::unique_ptr<Store> store = OpenSqliteStore(folder + "/tuned.db").value();
  std::set<std::pair<std::string, int64_t>> stored;
  const std::vector<v1::Study> studies = store->ListStudies(INT64_MAX, 1000).value();
  for (const v1::Study& study : studies) {
    const auto candidates = store->ListCandidates(study.id(), {0, INT64_MAX, false}).value();
    for (const StoredCandidate& entry : candidates) {
      if (entry.candidate.state() == v1::EVALUATED) stored.insert({study.id(), entry.candidate.index()});
    }
  }
  absl::MutexLock lock(&tally->mutex);
  return std::count_if(tally->acknowledged.begin(), tally->acknowledged.end(),
                       [&](const auto& result) { return stored.count(result) == 0; });
}

void Run(const Arguments& arguments) {
  const TemporaryFolder folder = TemporaryFolder::Make().value();
  Tally tally;
  auto server = std::make_unique<ServerProcess>(arguments, folder.path());
  std::printf("a server without workers: %ld threads, %ld MiB\n",
              static_cast<long>(server->Status("Threads:")),
              static_cast<long>(server->Status("VmRSS:") / 1024));
  std::deque<SimulatedWorker> workers = MakeWorkers(arguments, "first", folder.path(), &tally);
  const double cpu = server->CpuSeconds();
  for (SimulatedWorker& worker : workers) worker.Call();
  if (arguments.studies > 0) {
    std::printf("all have an answer after %.1f s", AwaitAll(arguments, &tally));
  } else {
    absl::SleepFor(absl::Seconds(20));
    std::printf("20 s later");
  }
  std::printf(", %.1f s of the server's CPU\n", server->CpuSeconds() - cpu);
  Measure(arguments, *server, &tally);
  if (arguments.restart) {
    server.reset();
    workers.clear();
    {
      absl::MutexLock lock(&tally.mutex);
      tally.answered.clear();
    }
    workers = MakeWorkers(arguments, "second", folder.path(), &tally);
    for (SimulatedWorker& worker : workers) worker.Call();
    const absl::Time start = absl::Now();
    server = std::make_unique<ServerProcess>(arguments, folder.path());
    std::printf("after all were killed: server back after %.1f s",
                absl::ToDoubleSeconds(absl::Now() - start));
    const double back = AwaitAll(arguments, &tally);
    std::printf(", %zu workers %.1f s later\n", tally.CountAnswered(), back);
    Measure(arguments, *server, &tally);
  }
  workers.clear();
  server.reset();
  std::printf("%zu candidates' results acknowledged, %ld of them lost\n", tally.CountAcknowledged(),
              static_cast<long>(CountLost(folder.path(), &tally)));
}

}  // namespace
}  // namespace tune

int main(int argc, char** argv) {
  tune::Arguments arguments;
  CLI::App app("Measures tuned-server's services with very many workers.");
  app.add_option("--workers", arguments.workers)->capture_default_str();
  app.add_option("--studies", arguments.studies, "0: the workers are idle")->capture_default_str();
  app.add_option("--work", arguments.work, "mean seconds of an evaluation")->capture_default_str();
  app.add_option("--seconds", arguments.seconds, "that are measured")->capture_default_str();
  app.add_flag("--restart", arguments.restart, "kill server and workers, measure until all are back");
  app.add_option("--serve", arguments.serve, "be the server, in this folder; for the program itself");
  CLI11_PARSE(app, argc, argv);
  rlimit files;
  getrlimit(RLIMIT_NOFILE, &files);
  files.rlim_cur = files.rlim_max;
  setrlimit(RLIMIT_NOFILE, &files);
  if (!arguments.serve.empty()) return tune::Serve(arguments);
  tune::Run(arguments);
}
