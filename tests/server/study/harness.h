// A server without network, workers without programs: everything between Submit and the result is real.
#pragma once

#include <gtest/gtest.h>

#include <atomic>
#include <functional>
#include <thread>

#include "common/base/fingerprint.h"
#include "common/decision/configuration.h"
#include "common/evaluation/measurement.h"
#include "common/evaluation/outcome.h"
#include "server/study/coordinator.h"
#include "tests/server/search/synthetic_space.h"
#include "tests/server/study/synchronize.h"

namespace tune {

// d0 = 1 is fastest, each other decision's option costs its number.
inline double SyntheticSeconds(const v1::Configuration& configuration) {
  double seconds = 1;
  for (const v1::Decision& decision : configuration.decisions()) {
    const int option = decision.option()[0] - '0';
    seconds += decision.key() == "d0" ? (option == 1 ? 0 : 2) : option;
  }
  return seconds;
}

inline v1::Measurement Samples(double seconds) {
  std::vector<double> samples;
  for (int i = 0; i < 10; ++i) samples.push_back(seconds * (1 + 0.001 * i));
  return MakeMeasurement(samples);
}

inline v1::StudySpec SyntheticSpec(const std::string& strategy = "ants", uint64_t seed = 1,
                                   int evaluations = 0) {
  v1::StudySpec spec;
  spec.set_owner("tester@host");
  v1::Scop* scop = spec.mutable_scop();
  scop->set_name("kernel");
  scop->set_schedule("{ domain: \"{ S0[] }\" }");
  scop->add_statements()->set_name("S0");
  scop->mutable_statements(0)->set_kind(v1::Statement::ASSIGN);
  scop->mutable_region()->set_file("a.c");
  v1::SourceFile* file = spec.mutable_program()->add_files();
  file->set_path("a.c");
  file->set_content("int main() {}");
  spec.mutable_program()->add_sources("a.c");
  spec.mutable_search()->set_strategy(strategy);
  spec.mutable_search()->set_seed(seed);
  spec.mutable_search()->set_evaluations(evaluations);
  return spec;
}

inline SpaceFactory SyntheticFactory(std::vector<int> sizes) {
  return [sizes](const v1::StudySpec&, const v1::Reference&,
                 const v1::Device&) -> absl::StatusOr<std::unique_ptr<Space>> {
    return std::make_unique<SyntheticSpace>(sizes);
  };
}

// Speaks the worker's protocol over `transport`.
class FakeWorker {
 public:
  using Transport = std::function<absl::StatusOr<v1::SynchronizeResponse>(const v1::SynchronizeRequest&)>;

  FakeWorker(const std::string& name, Transport transport) : transport_(std::move(transport)) {
    request_.set_worker(name);
    request_.set_session("session");
    request_.set_secret(std::string(64, '0'));
    request_.set_version("0.2.0");
    v1::Device* device = request_.add_devices();
    device->set_target(v1::CPU);
    device->set_model("test cpu");
    device->set_cores(4);
    request_.set_free_slots(1);
  }

  // What the worker finds; may be replaced.
  std::function<v1::Evaluation(const v1::EvaluateTask&)> evaluate = [](const v1::EvaluateTask& task) {
    v1::Evaluation evaluation;
    evaluation.set_outcome(v1::CORRECT);
    evaluation.set_code(PrintConfiguration(task.configuration()));
    evaluation.set_code_fingerprint(Fingerprint(evaluation.code()));
    evaluation.set_log("a log");
    *evaluation.mutable_measurement() = Samples(SyntheticSeconds(task.configuration()));
    return evaluation;
  };
  std::function<v1::ReferenceResult()> reference = [] {
    v1::ReferenceResult result;
    result.mutable_reference()->set_sequential_seconds(20);
    return result;
  };
  std::function<v1::Confirmation(const v1::ConfirmTask&)> confirm = [](const v1::ConfirmTask& task) {
    v1::Confirmation confirmation;
    for (const v1::ConfirmCandidate& candidate : task.candidates()) {
      v1::ConfirmedCandidate* confirmed = confirmation.add_candidates();
      confirmed->set_index(candidate.index());
      *confirmed->mutable_measurement() = Samples(SyntheticSeconds(candidate.configuration()));
    }
    *confirmation.mutable_sequential() = Samples(30);
    return confirmation;
  };

  // Fewer instructions in fewer regions for what is faster: no two metrics are against each other.
  std::function<v1::Inspection(const v1::InspectTask&)> inspect = [](const v1::InspectTask& task) {
    const double seconds = SyntheticSeconds(task.configuration());
    v1::Inspection inspection;
    v1::InspectedKernel* kernel = inspection.add_kernels();
    kernel->set_function("tune_kernel0");
    kernel->set_instructions(1000 * seconds);
    kernel->set_regions(1000 * seconds * seconds);
    kernel->set_threads(1024);
    kernel->set_launches(1);
    kernel->set_warps_per_block(8);
    kernel->set_blocks_per_multiprocessor(4);
    return inspection;
  };

  v1::SynchronizeRequest& request() { return request_; }

  // One call; results and leases are kept between calls.
  absl::StatusOr<v1::SynchronizeResponse> Call(int64_t wait_ms) {
    request_.set_wait_ms(wait_ms);
    request_.clear_active();
    for (const v1::Lease& lease : leases) request_.add_active()->set_lease_id(lease.lease_id());
    auto response = transport_(request_);
    if (!response.ok()) return response;
    for (const std::string& id : response->acknowledged()) {
      auto* results = request_.mutable_results();
      for (int i = results->size() - 1; i >= 0; --i) {
        if (results->Get(i).lease_id() == id) results->DeleteSubrange(i, 1);
      }
    }
    for (const std::string& id : response->cancelled()) {
      std::erase_if(leases, [&](const v1::Lease& lease) { return lease.lease_id() == id; });
    }
    for (const v1::Lease& lease : response->leases()) leases.push_back(lease);
    return response;
  }

  // Finishes the oldest lease; its result goes with the next call.
  void Work() {
    const v1::Lease lease = leases.front();
    leases.erase(leases.begin());
    v1::LeaseResult* result = request_.add_results();
    result->set_lease_id(lease.lease_id());
    result->set_study_id(lease.study_id());
    if (lease.has_reference()) *result->mutable_reference() = reference();
    if (lease.has_confirm()) *result->mutable_confirm() = confirm(lease.confirm());
    if (lease.has_inspect()) {
      *result->mutable_inspect() = inspect(lease.inspect());
      ++inspections;
    }
    if (lease.has_evaluate()) {
      result->mutable_evaluate()->set_candidate_index(lease.evaluate().candidate_index());
      *result->mutable_evaluate()->mutable_evaluation() = evaluate(lease.evaluate());
      ++evaluations;
    }
  }

  // Calls and works until `stop`, or until `limit` evaluations are delivered; takes no lease with the last.
  void Run(const std::atomic<bool>& stop, int limit = 1'000'000) {
    while (!stop && !(evaluations >= limit && request_.results().empty())) {
      if (evaluations >= limit) request_.set_free_slots(0);
      if (!Call(60'000).ok()) return;
      if (!leases.empty() && evaluations < limit) Work();
    }
  }

  std::vector<v1::Lease> leases;
  int evaluations = 0;
  int inspections = 0;

 private:
  Transport transport_;
  v1::SynchronizeRequest request_;
};

inline CoordinatorOptions TestOptions() {
  CoordinatorOptions options;
  options.tick = absl::Milliseconds(5);
  options.dispatch.second_look = absl::Milliseconds(20);
  return options;
}

// Blocks until `done` of the study's view holds.
inline v1::Study WaitUntil(const Coordinator& coordinator, const std::string& id,
                           const std::function<bool(const v1::Study&)>& done) {
  absl::StatusOr<StudyWatch> watch = coordinator.Watch(id);
  EXPECT_TRUE(watch.ok()) << watch.status();
  v1::Study last;
  while (watch.ok() && !watch->ended()) {
    const absl::StatusOr<std::optional<v1::Study>> view = watch->Next();
    EXPECT_TRUE(view.ok()) << view.status();
    if (!view.ok()) break;
    if (!view->has_value()) {
      absl::SleepFor(absl::Milliseconds(1));  // polls: what it waits for tells nobody
      continue;
    }
    last = **view;
    if (done(last)) break;
  }
  return last;
}

inline v1::Study WaitUntilFinished(const Coordinator& coordinator, const std::string& id) {
  return WaitUntil(coordinator, id, [](const v1::Study& study) { return IsFinished(study.state()); });
}

}  // namespace tune
