// A server and a worker of the user's own, for `tunectl tune` without daemons.
#pragma once

#include <memory>
#include <string>

#include "absl/time/time.h"
#include "client/submit/background_process.h"
#include "common/base/status.h"

namespace tune {

// ${XDG_DATA_HOME:-~/.local/share}/tuned-server.
std::string PrivateFolder();

// The socket of the private server in `folder`. Lies in the folder, or, where that path is too long for a
// socket, in ${XDG_RUNTIME_DIR:-/tmp} under a name made from it.
std::string PrivateSocket(const std::string& folder);

// Whether something accepts connections on the unix socket.
bool SocketAnswers(const std::string& path);

// The private server in a folder, shared by every tunectl of the user: whoever needs it and finds none starts
// it. Server and worker each hold a lock on a file in the folder for as long as they live, so there is never
// a second one, and they die with the tunectl that started them; then another tunectl that uses them starts
// them again in Maintain and the studies go on, since all their state is in the database. Use from one
// thread, which should be the main one.
class PrivateServer {
 public:
  struct Options {
    std::string folder;          // empty: PrivateFolder()
    bool worker = true;          // also a worker
    std::string server_program;  // empty: tuned-server beside this program
    std::string worker_program;  // empty: tune-worker beside this program
    absl::Duration start_limit = absl::Seconds(30);
  };
  // Uses the one that answers, or starts it. FAILED_PRECONDITION says what failed and where its log is.
  static absl::StatusOr<std::unique_ptr<PrivateServer>> Start(Options options);
  // Stops what this object started.
  ~PrivateServer();

  // "unix:/path".
  std::string address() const { return "unix:" + PrivateSocket(options_.folder); }
  const std::string& folder() const { return options_.folder; }
  // Whether this object started the server, now or in an earlier Maintain.
  bool started_server() const { return server_ != nullptr; }

  // To be called about once a second: starts again what has ended. An error when it keeps ending.
  absl::Status Maintain();
  // Stops what this object started: the worker first, which returns its lease.
  void Stop();

  std::string server_log() const { return options_.folder + "/tuned-server.log"; }
  std::string worker_log() const { return options_.folder + "/tune-worker.log"; }

 private:
  explicit PrivateServer(Options options) : options_(std::move(options)) {}
  absl::Status EnsureServer();
  absl::Status EnsureWorker();
  // Runs the server under `lock` until it says that it listens.
  absl::Status LaunchServer(const FileLock& lock);
  absl::Status Failure(absl::string_view program, const std::string& ending, const std::string& log) const;

  Options options_;
  std::unique_ptr<BackgroundProcess> server_, worker_;
  int launches_ = 0;  // of either, to notice what keeps ending
};

}  // namespace tune
