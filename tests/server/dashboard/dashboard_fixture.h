// A page's server over a coordinator without network, whose studies are run by a worker without programs.
#pragma once

#include <gmock/gmock.h>
#include <httplib.h>

#include <nlohmann/json.hpp>

#include "server/dashboard/dashboard_server.h"
#include "tests/server/access/authorities.h"
#include "tests/server/study/harness.h"

namespace tune {

class DashboardTest : public ::testing::Test {
 protected:
  using Parsed = nlohmann::json;

  void SetUp() override {
    coordinator_ =
        Coordinator::Start(TestOptions(), store_.get(), &Clock::Real(), SyntheticFactory({2, 4, 4})).value();
  }
  void TearDown() override {
    dashboard_.reset();
    coordinator_->Shutdown(absl::InfiniteDuration());
  }

  DashboardOptions Options() const {
    DashboardOptions options;
    options.listen = "127.0.0.1:0";
    options.authority = authority_.get();
    options.change_interval = absl::Milliseconds(5);
    options.freshness = absl::ZeroDuration();
    return options;
  }
  void Serve(const DashboardOptions& options) {
    absl::StatusOr<std::unique_ptr<DashboardServer>> server =
        DashboardServer::Start(options, coordinator_.get());
    ASSERT_TRUE(server.ok()) << server.status();
    dashboard_ = *std::move(server);
  }
  void Serve() { Serve(Options()); }

  httplib::Client Open() const {
    httplib::Client client(dashboard_->url().substr(0, dashboard_->url().size() - 1));
    client.set_read_timeout(60);
    return client;
  }
  httplib::Response Get(const std::string& path, const httplib::Headers& headers = {}) const {
    httplib::Client client = Open();
    const httplib::Result result = client.Get(path.c_str(), headers);
    EXPECT_TRUE(result) << path << ": " << httplib::to_string(result.error());
    return result ? *result : httplib::Response();
  }
  Parsed Json(const std::string& path, int status = 200) const {
    const httplib::Response response = Get(path);
    EXPECT_EQ(response.status, status) << path << "\n" << response.body;
    EXPECT_EQ(response.get_header_value("Content-Type"), "application/json; charset=utf-8") << path;
    Parsed json = Parsed::parse(response.body, nullptr, false);
    EXPECT_FALSE(json.is_discarded()) << path << "\n" << response.body.substr(0, 500);
    return json;
  }
  std::string Refusal(const std::string& path, int status) const {
    return Json(path, status)["error"].value("message", "");
  }

  FakeWorker MakeWorker(const std::string& name = "w1") {
    return FakeWorker(name, [this](const v1::SynchronizeRequest& request) {
      return SynchronizeNow(*coordinator_, request);
    });
  }
  // Submits and runs to the end with `worker`; returns the study's id.
  std::string RunStudy(const v1::StudySpec& spec, FakeWorker& worker) {
    const std::string id = coordinator_->Submit(spec, "").value().id();
    std::atomic<bool> stop{false};
    std::thread thread([&] {
      while (!stop) {
        if (!worker.Call(20).ok()) return;
        while (!worker.leases.empty()) worker.Work();
      }
    });
    WaitUntilFinished(*coordinator_, id);
    stop = true;
    thread.join();
    return id;
  }
  std::string RunStudy(const v1::StudySpec& spec = SyntheticSpec("ants", 3, 20)) {
    FakeWorker worker = MakeWorker();
    return RunStudy(spec, worker);
  }

  // Options made from now on are for these tokens; see AuthorityOf.
  void UseTokens(const std::string& lines) { authority_ = AuthorityOf(lines); }

  std::unique_ptr<Authority> authority_ = AuthorityOf("");
  std::unique_ptr<Store> store_ = MakeMemoryStore();
  std::unique_ptr<Coordinator> coordinator_;
  std::unique_ptr<DashboardServer> dashboard_;
};

}  // namespace tune
