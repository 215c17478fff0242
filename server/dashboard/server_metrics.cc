#include "server/dashboard/server_metrics.h"

#include <prometheus/counter.h>
#include <prometheus/text_serializer.h>

#include "absl/strings/ascii.h"
#include "common/evaluation/outcome.h"

namespace tune {
namespace {

using prometheus::ClientMetric;
using prometheus::MetricFamily;
using prometheus::MetricType;

// Values by one label, as they are now.
class Values {
 public:
  Values(const std::string& name, const std::string& help, MetricType type, const std::string& label)
      : label_(label) {
    family_.name = name;
    family_.help = help;
    family_.type = type;
  }

  void Add(const std::string& label, double value) {
    ClientMetric metric;
    if (!label_.empty()) {
      metric.label.resize(1);
      metric.label[0].name = label_;
      metric.label[0].value = label;
    }
    (family_.type == MetricType::Counter ? metric.counter.value : metric.gauge.value) = value;
    family_.metric.push_back(std::move(metric));
  }

  MetricFamily family() && { return std::move(family_); }

 private:
  std::string label_;
  MetricFamily family_;
};

void AddStudies(const StudyIndex::List& studies, std::vector<MetricFamily>* families) {
  std::map<int, int64_t> states;
  std::map<int, int64_t> outcomes;
  for (const auto& entry : studies) {
    ++states[entry->study.state()];
    for (const auto& count : entry->study.outcomes()) outcomes[count.outcome()] += count.count();
  }
  Values by_state("tuned_studies", "Studies on this server, by state", MetricType::Gauge, "state");
  for (int state = v1::QUEUED; state <= v1::STOPPED; ++state) {
    by_state.Add(std::string(StudyStateName(static_cast<v1::StudyState>(state))), states[state]);
  }
  Values by_outcome("tuned_evaluations", "Evaluations kept by this server, by outcome", MetricType::Gauge,
                    "outcome");
  for (const v1::Outcome outcome : AllOutcomes()) {
    by_outcome.Add(std::string(OutcomeName(outcome)), outcomes[outcome]);
  }
  families->push_back(std::move(by_state).family());
  families->push_back(std::move(by_outcome).family());
}

void AddWorkers(const std::vector<v1::WorkerView>& workers, std::vector<MetricFamily>* families) {
  std::map<int, int64_t> states;
  Values evaluations("tuned_worker_evaluations_total",
                     "Results received from a worker since the server started", MetricType::Counter,
                     "worker");
  Values failures("tuned_worker_failures_total", "Results of a worker that were not correct",
                  MetricType::Counter, "worker");
  Values refused("tuned_worker_refused_total", "Results for leases that a worker was not given",
                 MetricType::Counter, "worker");
  for (const v1::WorkerView& worker : workers) {
    ++states[worker.state()];
    evaluations.Add(worker.name(), worker.evaluations());
    failures.Add(worker.name(), worker.failures());
    refused.Add(worker.name(), worker.refused());
  }
  Values by_state("tuned_workers", "Workers that call, by state", MetricType::Gauge, "state");
  for (int state = v1::WorkerView::IDLE; state <= v1::WorkerView::QUARANTINED; ++state) {
    by_state.Add(absl::AsciiStrToLower(v1::WorkerView::State_Name(static_cast<v1::WorkerView::State>(state))),
                 states[state]);
  }
  families->push_back(std::move(by_state).family());
  families->push_back(std::move(evaluations).family());
  families->push_back(std::move(failures).family());
  families->push_back(std::move(refused).family());
}

}  // namespace

ServerMetrics::ServerMetrics(const Coordinator* coordinator, StudyIndex* index, const ChangeFeed* feed)
    : coordinator_(coordinator),
      index_(index),
      feed_(feed),
      durations_(&prometheus::BuildHistogram()
                      .Name("tuned_http_request_seconds")
                      .Help("Time to answer a request, by route")
                      .Register(registry_)),
      requests_(&prometheus::BuildCounter()
                     .Name("tuned_http_requests_total")
                     .Help("Answered requests, by status code")
                     .Register(registry_)) {}

void ServerMetrics::Observe(const std::string& route, int status, absl::Duration duration) {
  static const prometheus::Histogram::BucketBoundaries kBounds = {0.0005, 0.001, 0.0025, 0.005, 0.01,
                                                                  0.025,  0.05,  0.1,    0.25,  1};
  durations_->Add({{"route", route}}, kBounds).Observe(absl::ToDoubleSeconds(duration));
  requests_->Add({{"code", absl::StrCat(status)}}).Increment();
}

absl::StatusOr<std::string> ServerMetrics::Print() const {
  TUNE_ASSIGN_OR_RETURN(const StudyIndex::List studies, index_->All());
  std::vector<MetricFamily> families;
  AddStudies(studies, &families);
  AddWorkers(coordinator_->ListWorkers(), &families);
  Values pages("tuned_http_streams", "Open event streams", MetricType::Gauge, "");
  pages.Add("", feed_->CountSubscriptions());
  families.push_back(std::move(pages).family());
  for (MetricFamily& family : registry_.Collect()) families.push_back(std::move(family));
  return prometheus::TextSerializer().Serialize(families);
}

}  // namespace tune
