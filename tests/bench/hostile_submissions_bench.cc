// How long it takes one client to submit a study while another sends regions that are changed at random or
// that keep isl busy for as long as it is let.
#include <grpcpp/client_context.h>
#include <spdlog/spdlog.h>

#include <CLI/CLI.hpp>
#include <cstdio>

#include "absl/strings/str_join.h"
#include "common/base/file.h"
#include "common/rpc/channel.h"
#include "common/rpc/message_parts.h"
#include "common/rpc/status.h"
#include "server/analysis/scop_check.h"
#include "server/service/server.h"
#include "tests/common/testing/mutated_scop.h"
#include "tests/server/access/authorities.h"
#include "tests/server/study/harness.h"
#include "tune/v1/study_service.grpc.pb.h"

namespace tune {
namespace {

struct Arguments {
  int submissions = 300;
  int hostile = 8;  // calls of the other client at once
};

constexpr char kAlice[] = "secret-of-alice-16", kMallory[] = "secret-of-mallory";

// isl takes its domain apart into 2^14 pieces.
v1::Scop BusyScop(int number) {
  v1::Scop scop = testing::GemmScop();
  std::vector<std::string> holds;
  for (const int prime : {3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47}) {
    holds.push_back(absl::StrCat("(i mod ", prime, " = 1 or i mod ", prime, " = ", 2 + number % 2, ")"));
  }
  v1::Statement* statement = scop.mutable_statements(0);
  statement->set_domain("[ni, nj, nk] -> { S0[i, j] : 0 <= i < ni and 0 <= j < nj and " +
                        absl::StrJoin(holds, " and ") + " }");
  scop.set_name(absl::StrCat("busy", number));
  return scop;
}

absl::StatusOr<std::string> Submit(v1::StudyService::Stub& stub, const v1::Scop& scop) {
  v1::SubmitRequest request;
  *request.mutable_spec() = SyntheticSpec("random", 1, 10);
  *request.mutable_spec()->mutable_scop() = scop;
  request.mutable_spec()->mutable_scop()->mutable_region()->set_file("a.c");
  v1::SubmitResponse response;
  grpc::ClientContext context;
  const auto writer = stub.Submit(&context, &response);
  if (SendInParts(request, [&](const v1::FilePart& part) { return writer->Write(part); }))
    writer->WritesDone();
  const absl::Status status = FromGrpc(writer->Finish());
  if (!status.ok()) return status;
  return response.study().id();
}

void Cancel(v1::StudyService::Stub& stub, const std::string& id) {
  grpc::ClientContext context;
  v1::CancelRequest request;
  request.set_study_id(id);
  v1::CancelResponse response;
  stub.Cancel(&context, request, &response);
}

class Lab {
 public:
  Lab() {
    const AnalyserOptions analyser{{TUNE_BINARY_DIR "/bin/tune-analyser"}};
    check_ = std::make_unique<ScopCheck>(ScopCheckOptions{.analyser = analyser});
    store_ = OpenSqliteStore(folder_.path() + "/tuned.db", [this](const v1::Scop& scop) {
               return check_->Identify(scop);
             }).value();
    coordinator_ = Coordinator::Start({}, store_.get(), &Clock::Real(), SyntheticFactory({2, 2})).value();
    authority_ = AuthorityOf(TokenLine("client", "alice", kAlice) + TokenLine("client", "mallory", kMallory));
    server_ =
        Server::Start({"unix:" + folder_.path() + "/socket", authority_.get(), "", ""}, coordinator_.get())
            .value();
  }
  ~Lab() {
    coordinator_->Shutdown(absl::InfiniteDuration());
    server_->Stop();
  }
  v1::StudyService::Stub StubOf(const std::string& token) const {
    return v1::StudyService::Stub(OpenChannel({server_->address(), token, ""}).value());
  }

 private:
  TemporaryFolder folder_ = TemporaryFolder::Make().value();
  std::unique_ptr<ScopCheck> check_;
  std::unique_ptr<Store> store_;
  std::unique_ptr<Authority> authority_;
  std::unique_ptr<Coordinator> coordinator_;
  std::unique_ptr<Server> server_;
};

// Milliseconds of each submission.
std::vector<double> Measure(const Lab& lab, int submissions, const std::string& name) {
  v1::StudyService::Stub stub = lab.StubOf(kAlice);
  std::vector<double> times;
  for (int i = 0; i < submissions; ++i) {
    v1::Scop scop = testing::GemmScop();
    scop.set_name(absl::StrCat(name, i));  // its result is not remembered
    const absl::Time start = absl::Now();
    const absl::StatusOr<std::string> id = Submit(stub, scop);
    times.push_back(absl::ToDoubleMilliseconds(absl::Now() - start));
    if (!id.ok()) {
      std::fprintf(stderr, "a submission failed: %s\n", std::string(id.status().message()).c_str());
      std::exit(1);
    }
    Cancel(stub, *id);
  }
  std::sort(times.begin(), times.end());
  return times;
}

void Print(const char* what, const std::vector<double>& times) {
  std::printf("%s: %zu submissions, median %.0f ms, 99th percentile %.0f ms, slowest %.0f ms\n", what,
              times.size(), times[times.size() / 2], times[times.size() * 99 / 100], times.back());
  std::fflush(stdout);
}

void Run(const Arguments& arguments) {
  const Lab lab;
  Print("alone", Measure(lab, arguments.submissions, "alone"));
  std::atomic<bool> stop{false};
  std::atomic<int64_t> refused{0}, taken{0};
  std::vector<std::thread> hostile;
  for (int i = 0; i < arguments.hostile; ++i) {
    hostile.emplace_back([&, i] {
      v1::StudyService::Stub stub = lab.StubOf(kMallory);
      for (uint64_t seed = static_cast<uint64_t>(i) << 32; !stop; ++seed) {
        const bool busy = seed % 4 == 0;
        const absl::StatusOr<std::string> id = Submit(
            stub, busy ? BusyScop(static_cast<int>(seed % 1'000'000'007)) : testing::MutatedScop(seed));
        ++(id.ok() ? taken : refused);
        if (id.ok()) Cancel(stub, *id);
      }
    });
  }
  Print("beside the other client", Measure(lab, arguments.submissions, "beside"));
  stop = true;
  for (std::thread& thread : hostile) thread.join();
  std::printf("of the other client %ld were refused, %ld taken\n", static_cast<long>(refused.load()),
              static_cast<long>(taken.load()));
}

}  // namespace
}  // namespace tune

int main(int argc, char** argv) {
  tune::Arguments arguments;
  CLI::App app("Measures submissions beside hostile ones.");
  app.add_option("--submissions", arguments.submissions)->capture_default_str();
  app.add_option("--hostile", arguments.hostile, "calls of the other client at once")->capture_default_str();
  CLI11_PARSE(app, argc, argv);
  spdlog::set_level(spdlog::level::off);
  tune::Run(arguments);
}
