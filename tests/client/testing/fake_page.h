// The read API of another server, in this process: answers from what a test puts into it.
#pragma once

#include <gtest/gtest.h>
#include <httplib.h>

#include <atomic>
#include <functional>
#include <map>
#include <string>
#include <thread>
#include <vector>

#include "absl/synchronization/mutex.h"

#undef ADD  // a macro of the resolver's headers, and a value of v1.UpdateOperator

namespace tune {

// Thread safe.
class FakePage {
 public:
  using Answer = std::function<void(const httplib::Request&, httplib::Response&)>;

  FakePage() {
    Put("/api/v1/server", R"({"version": "0.2.0"})");
    // Every request, as a real one does.
    http_.set_pre_routing_handler([this](const httplib::Request& request, httplib::Response& response) {
      Handle(request, response);
      return httplib::Server::HandlerResponse::Handled;
    });
    http_.set_keep_alive_max_count(1);
    port_ = http_.bind_to_any_port("127.0.0.1");
    thread_ = std::thread([this] { http_.listen_after_bind(); });
    while (!http_.is_running()) std::this_thread::yield();
  }
  ~FakePage() { Stop(); }

  void Stop() {
    http_.stop();
    if (thread_.joinable()) thread_.join();
  }

  int port() const { return port_; }
  std::string url() const { return absl::StrCat("http://127.0.0.1:", port_); }

  // What is told at the path, without its parameters.
  void Put(const std::string& path, const std::string& body, int status = 200) {
    Put(path, [body, status](const httplib::Request&, httplib::Response& response) {
      response.status = status;
      response.set_content(body, "application/json");
    });
  }
  void Put(const std::string& path, Answer answer) {
    absl::MutexLock lock(&mutex_);
    answers_[path] = std::move(answer);
  }
  // From now on every request must bring the token.
  void SetToken(const std::string& token) {
    absl::MutexLock lock(&mutex_);
    token_ = token;
  }

  // Targets of the requests so far, parameters included.
  std::vector<std::string> asked() const {
    absl::MutexLock lock(&mutex_);
    return asked_;
  }
  // A header of the last request.
  std::string Header(const std::string& name) const {
    absl::MutexLock lock(&mutex_);
    const auto found = headers_.find(name);
    return found == headers_.end() ? "" : found->second;
  }

  static std::string Error(const std::string& code, const std::string& message) {
    return absl::StrCat(R"({"error": {"code": ")", code, R"(", "message": ")", message, "\"}}");
  }

 private:
  void Handle(const httplib::Request& request, httplib::Response& response) {
    Answer answer;
    {
      absl::MutexLock lock(&mutex_);
      asked_.push_back(request.target);
      headers_ = request.headers;
      if (!token_.empty() && request.get_header_value("Authorization") != "Bearer " + token_) {
        response.status = 401;
        response.set_content(Error("unauthenticated", "this server wants its token"), "application/json");
        return;
      }
      const auto found = answers_.find(request.path);
      if (found != answers_.end()) answer = found->second;
    }
    if (answer != nullptr) return answer(request, response);
    response.status = 404;
    response.set_content(Error("not_found", "there is nothing here"), "application/json");
  }

  httplib::Server http_;
  int port_ = 0;
  std::thread thread_;
  mutable absl::Mutex mutex_;
  std::map<std::string, Answer> answers_ ABSL_GUARDED_BY(mutex_);
  std::string token_ ABSL_GUARDED_BY(mutex_);
  std::vector<std::string> asked_ ABSL_GUARDED_BY(mutex_);
  httplib::Headers headers_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace tune
