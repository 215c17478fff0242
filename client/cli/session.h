// One run of tunectl: its global options, its streams, and the server that it talks to.
#pragma once

#include <functional>
#include <memory>
#include <ostream>
#include <string>

#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "client/report/progress.h"
#include "client/submit/private_server.h"
#include "client/submit/study_client.h"
#include "common/base/status.h"

namespace tune {

// What tunectl exits with. Documented in `tunectl --help`.
enum ExitCode {
  kExitOk = 0,
  kExitFailed = 1,        // the thing asked for failed
  kExitUsage = 2,         // the command line cannot be understood
  kExitUnreachable = 3,   // no server answers
  kExitStudyFailed = 4,   // the study failed or found nothing correct
  kExitInterrupted = 130  // Ctrl-C
};

// An error of the command line that shows only after it was parsed.
absl::Status UsageError(absl::string_view message);

// kExitUsage, kExitUnreachable or kExitFailed.
int ExitCodeOf(const absl::Status& error);

struct GlobalOptions {
  std::string server;                      // --server; empty: see Session::Client
  std::string token_file;                  // --token-file
  std::string ca_file;                     // --ca-file
  std::string certificate_file, key_file;  // --cert, --key
  bool private_server = false;
  bool json = false;
};

// What a command needs to be running.
enum class Needs { kServer, kServerAndWorker };

// One thread.
class Session {
 public:
  struct Streams {
    std::ostream* out;
    std::ostream* err;
    bool terminal = false;  // out is one
    int width = 80;
    bool colours = false;  // out shows them, and its user wants them
  };
  explicit Session(const Streams& streams) : streams_(streams) {}

  GlobalOptions options;
  // Set by the parser: what the chosen verb does. Returns an exit code, or an error that is printed.
  std::function<absl::StatusOr<int>()> command;

  std::ostream& out() { return *streams_.out; }
  std::ostream& err() { return *streams_.err; }
  bool colours() const { return streams_.colours; }
  // Progress goes to standard output, or, where that carries JSON, to standard error in plain lines.
  ProgressPrinter MakeProgress();

  // The server: --server, --private, TUNE_SERVER, the private server when it runs, 127.0.0.1:7410; the first
  // that applies. Opened once.
  absl::StatusOr<StudyClient*> Client(Needs needs = Needs::kServer);
  // The private server, started when it does not run; then Client is of it.
  absl::StatusOr<PrivateServer*> UsePrivateServer(Needs needs);
  // `call()`, and again for a while when a private server does not answer: that of another tunectl ends with
  // it, and is then started anew. The call must be one that can be repeated.
  template <typename Call>
  auto Retry(Call call) -> decltype(call()) {
    const absl::Time end = absl::Now() + absl::Seconds(20);
    while (true) {
      auto result = call();
      if (private_server_ == nullptr || !IsUnreachable(StatusOf(result)) || absl::Now() >= end) return result;
      if (const absl::Status maintained = private_server_->Maintain(); !maintained.ok()) return maintained;
      absl::SleepFor(absl::Milliseconds(100));
    }
  }
  // Null unless UsePrivateServer was called.
  PrivateServer* private_server() { return private_server_.get(); }

  // "tunectl fetch s3" with the global options that reach the same server.
  std::string Hint(absl::string_view verb_and_arguments) const;

 private:
  absl::Status ChooseServer(ChannelOptions* channel) const;
  static const absl::Status& StatusOf(const absl::Status& status) { return status; }
  template <typename T>
  static const absl::Status& StatusOf(const absl::StatusOr<T>& result) {
    return result.status();
  }

  const Streams streams_;
  std::unique_ptr<PrivateServer> private_server_;
  std::unique_ptr<StudyClient> client_;
};

}  // namespace tune
