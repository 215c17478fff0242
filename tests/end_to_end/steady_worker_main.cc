// A worker whose evaluations are a function of the configuration alone, so that two runs of a study can be
// compared candidate by candidate. Everything but building and measuring is the real worker's: protocol,
// leases, setup.
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <iostream>

#include "common/base/fingerprint.h"
#include "common/decision/configuration.h"
#include "common/rpc/channel.h"
#include "common/rpc/version.h"
#include "worker/codegen/code_generator.h"
#include "worker/lease/grpc_transport.h"
#include "worker/lease/lease_loop.h"

namespace tune {
namespace {

// 1 to 2 ms, and one configuration in eight fails: the search must behave the same with failures.
v1::Evaluation Evaluate(const v1::Configuration& configuration) {
  const std::string fingerprint = ConfigurationFingerprint(configuration);
  const uint64_t hash = std::stoull(fingerprint.substr(0, 12), nullptr, 16);
  v1::Evaluation evaluation;
  evaluation.set_code_fingerprint(fingerprint);
  if (hash % 8 == 0) {
    evaluation.set_outcome(v1::RUNTIME);
    evaluation.set_message("fails by its hash");
    return evaluation;
  }
  const double seconds = 1e-3 + static_cast<double>(hash % 1'000'003) * 1e-9;
  evaluation.set_outcome(v1::CORRECT);
  v1::Measurement& measurement = *evaluation.mutable_measurement();
  measurement.add_samples(seconds);
  measurement.set_median(seconds);
  measurement.set_confidence_low(seconds);
  measurement.set_confidence_high(seconds);
  return evaluation;
}

// What a worker may be told to do otherwise.
struct Conduct {
  useconds_t evaluation_time = 15'000;  // us; 24 take longer than the moments of kill_test.cc
  bool sends_code = false;
  std::string altered_code;  // stands before the code; empty: it sends what it has made
  double pace = 1;           // its times are those of others times this
};

class SteadyExecutor : public TaskExecutor {
 public:
  SteadyExecutor(Transport* transport, const Conduct& conduct) : transport_(transport), conduct_(conduct) {}

  absl::StatusOr<v1::LeaseResult> Execute(const v1::Lease& lease, const TaskControl& control) override {
    v1::LeaseResult result;
    result.set_lease_id(lease.lease_id());
    result.set_study_id(lease.study_id());
    usleep(conduct_.evaluation_time);
    if (lease.has_reference()) {
      TUNE_RETURN_IF_ERROR(transport_->GetStudySetup(lease.study_id()).status());
      v1::Reference& reference = *result.mutable_reference()->mutable_reference();
      reference.set_sequential_seconds(2e-3);
      reference.set_executions(1);
    } else if (lease.has_evaluate()) {
      result.mutable_evaluate()->set_candidate_index(lease.evaluate().candidate_index());
      const v1::Configuration& configuration = lease.evaluate().configuration();
      v1::Evaluation& evaluation = *result.mutable_evaluate()->mutable_evaluation();
      evaluation = Evaluate(configuration);
      v1::Measurement& measurement = *evaluation.mutable_measurement();
      for (double& sample : *measurement.mutable_samples()) sample *= conduct_.pace;
      if (conduct_.sends_code) TUNE_RETURN_IF_ERROR(AddCode(lease.study_id(), configuration, &evaluation));
    } else {
      for (const v1::ConfirmCandidate& candidate : lease.confirm().candidates()) {
        v1::ConfirmedCandidate& confirmed = *result.mutable_confirm()->add_candidates();
        confirmed.set_index(candidate.index());
        *confirmed.mutable_measurement() = Evaluate(candidate.configuration()).measurement();
      }
    }
    return result;
  }

 private:
  absl::Status AddCode(const std::string& study, const v1::Configuration& configuration,
                       v1::Evaluation* evaluation) {
    TUNE_ASSIGN_OR_RETURN(const v1::StudySetup setup, transport_->GetStudySetup(study));
    TUNE_ASSIGN_OR_RETURN(const std::unique_ptr<CodeGenerator> generator,
                          MakeOpenMpGenerator(setup.scop(), setup.reference(), setup.device().cores()));
    TUNE_ASSIGN_OR_RETURN(const GeneratedProgram program, generator->Generate(configuration));
    evaluation->set_code(conduct_.altered_code + program.code);
    return absl::OkStatus();
  }

  Transport* transport_;
  const Conduct conduct_;
};

int Main(int argc, char** argv) {
  std::string server, name = "steady", cache;
  CLI::App app("worker for tests: evaluations are a function of the configuration");
  app.add_option("--server", server)->required();
  app.add_option("--name", name);
  app.add_option("--cache", cache);
  Conduct conduct;
  app.add_option("--evaluation-time", conduct.evaluation_time);
  app.add_flag("--code", conduct.sends_code);
  app.add_option("--altered-code", conduct.altered_code);
  app.add_option("--pace", conduct.pace);
  CLI11_PARSE(app, argc, argv);
  const auto channel = OpenChannel({.address = server, .token = "", .ca_file = ""});
  if (!channel.ok()) {
    std::cerr << channel.status() << "\n";
    return 1;
  }
  v1::Device device;
  device.set_target(v1::CPU);
  device.set_model("steady");
  device.set_cores(2);
  GrpcTransport transport(*channel);
  SteadyExecutor executor(&transport, conduct);
  // The process's number makes sessions of restarted workers different.
  WorkerIdentity identity{name, absl::StrCat("session-", getpid()), kVersion, {device}};
  identity.secret = std::string(64, '0');
  LeaseLoop loop(identity, &transport, &executor, 1);
  const absl::Status status = loop.Run();
  if (!status.ok()) std::cerr << status << "\n";
  return status.ok() ? 0 : 1;
}

}  // namespace
}  // namespace tune

int main(int argc, char** argv) { return tune::Main(argc, argv); }
