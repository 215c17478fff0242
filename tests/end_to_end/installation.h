// A server, a worker and clients in a temporary folder: what a user has, made of the real programs.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "client/report/json.h"
#include "common/base/file.h"
#include "common/base/subprocess.h"
#include "tests/end_to_end/daemon.h"

namespace tune {

class Installation {
 public:
  Installation();   // nothing runs yet
  ~Installation();  // prints the daemons' logs when the test has failed

  // Blocks until the server accepts connections.
  void StartServer();
  // The same with a page on any free port; returns its address, "http://127.0.0.1:4711/".
  std::string StartServerWithPage(const std::vector<std::string>& options = {});
  // `program` is the worker's executable; default: tune-worker. `options` are added to its command line.
  void StartWorker(const std::string& program = "", const std::vector<std::string>& options = {});
  void Start() {
    StartServer();
    StartWorker();
  }

  // tunectl with --server of this installation.
  SubprocessResult Tunectl(const std::vector<std::string>& arguments) const;
  // The same with --json, which must succeed and print one document.
  Json TunectlJson(const std::vector<std::string>& arguments) const;
  // Submits and returns the ids, one a region.
  std::vector<std::string> Submit(const std::vector<std::string>& arguments) const;
  // The study once it has ended, as JSON.
  Json WaitForEnd(const std::string& study, int seconds = 120) const;

  std::string address() const { return "unix:" + socket(); }
  std::string socket() const { return folder_.path() + "/server.sock"; }
  std::string path(const std::string& name) const { return folder_.path() + "/" + name; }
  // Writes a file below the folder and returns its path.
  std::string Write(const std::string& name, const std::string& text) const;

  std::optional<Daemon> server;
  std::optional<Daemon> worker;

 private:
  void StartServerAs(const std::string& http, const std::vector<std::string>& options);

  TemporaryFolder folder_;
};

// What a candidate, as `show --json` has it, chose for `key`; "" where it has no such choice.
std::string OptionOf(const Json& candidate, const std::string& key);

}  // namespace tune
