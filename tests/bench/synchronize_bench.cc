// Calls of WorkerService.Synchronize a second against one server with a SQLite file, over a TCP connection a
// worker: heartbeats, and evaluations (each call delivers a result, which is stored before it is
// acknowledged, and takes the next lease).
#include <benchmark/benchmark.h>
#include <grpcpp/client_context.h>
#include <spdlog/spdlog.h>

#include "common/base/file.h"
#include "common/rpc/status.h"
#include "server/service/server.h"
#include "tests/server/access/authorities.h"
#include "tests/server/study/harness.h"
#include "tune/v1/worker_service.grpc.pb.h"

namespace tune {
namespace {

const std::vector<int> kSpaceSizes(10, 8);  // ten decisions of eight options

class RunningServer {
 public:
  RunningServer() {
    coordinator_ =
        Coordinator::Start({}, store_.get(), &Clock::Real(), SyntheticFactory(kSpaceSizes)).value();
    server_ = Server::Start({"127.0.0.1:0", authority_.get(), "", ""}, coordinator_.get()).value();
  }
  ~RunningServer() {
    coordinator_->Shutdown(absl::InfiniteDuration());
    server_->Stop();
  }
  Coordinator& coordinator() { return *coordinator_; }

  // A worker with a connection of its own.
  FakeWorker MakeWorker(const std::string& name) {
    const std::shared_ptr<grpc::Channel> channel = OpenChannel({server_->address(), "", ""}).value();
    const std::shared_ptr<v1::WorkerService::Stub> stub = v1::WorkerService::NewStub(channel);
    return FakeWorker(name, [stub](const v1::SynchronizeRequest& request) {
      grpc::ClientContext context;
      v1::SynchronizeResponse response;
      const absl::Status status = FromGrpc(stub->Synchronize(&context, request, &response));
      return status.ok() ? absl::StatusOr<v1::SynchronizeResponse>(response) : status;
    });
  }

 private:
  TemporaryFolder folder_ = TemporaryFolder::Make().value();
  std::unique_ptr<Store> store_ = OpenSqliteStore(folder_.path() + "/tuned.db").value();
  const std::unique_ptr<Authority> authority_ = AuthorityOf("");
  std::unique_ptr<Coordinator> coordinator_;
  std::unique_ptr<Server> server_;
};

std::unique_ptr<RunningServer> running;  // of the benchmark that runs; made and destroyed by its first thread

void StartServer(const benchmark::State&) { running = std::make_unique<RunningServer>(); }
void StopServer(const benchmark::State&) { running.reset(); }

std::string WorkerName(const benchmark::State& state) { return absl::StrCat("worker", state.thread_index()); }

void Heartbeat(benchmark::State& state) {
  FakeWorker worker = running->MakeWorker(WorkerName(state));
  worker.request().set_free_slots(0);
  for (auto _ : state) {
    if (!worker.Call(0).ok()) return state.SkipWithError("Synchronize failed");
  }
  state.SetItemsProcessed(state.iterations());
}

// One study a worker, so that no thread waits for another's search.
void Evaluation(benchmark::State& state) {
  FakeWorker worker = running->MakeWorker(WorkerName(state));
  const int seed = 1 + state.thread_index();
  const auto study = running->coordinator().Submit(SyntheticSpec("random", seed, 100'000), WorkerName(state));
  if (!study.ok()) return state.SkipWithError(study.status().ToString().c_str());
  const auto deliver_and_take = [&worker] {
    do {
      if (!worker.Call(60'000).ok()) return false;
    } while (worker.leases.empty());
    worker.Work();
    return true;
  };
  // Past the reference runs: from here on every study always has candidates to offer.
  while (worker.evaluations == 0) {
    if (!deliver_and_take()) return state.SkipWithError("Synchronize failed");
  }
  for (auto _ : state) {
    if (!deliver_and_take()) return state.SkipWithError("Synchronize failed");
  }
  state.SetItemsProcessed(state.iterations());
}

BENCHMARK(Heartbeat)->Setup(StartServer)->Teardown(StopServer)->UseRealTime()->ThreadRange(1, 16);
BENCHMARK(Evaluation)->Setup(StartServer)->Teardown(StopServer)->UseRealTime()->ThreadRange(1, 16);

}  // namespace
}  // namespace tune

int main(int argc, char** argv) {
  spdlog::set_level(spdlog::level::off);
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
}
