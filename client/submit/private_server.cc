#include "client/submit/private_server.h"

#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "absl/time/clock.h"
#include "common/base/file.h"
#include "common/base/fingerprint.h"
#include "common/base/subprocess.h"

namespace tune {
namespace {

constexpr int kMostLaunches = 6;
constexpr int kLogLines = 12;
constexpr int64_t kLargestLog = 8 << 20;

std::string EnvironmentOr(const char* name, const std::string& otherwise) {
  const char* value = std::getenv(name);
  return value != nullptr && value[0] != '\0' ? value : otherwise;
}

absl::StatusOr<std::string> ProgramPath(const std::string& given, const char* name) {
  if (!given.empty()) return given;
  absl::StatusOr<std::string> found = FindSiblingProgram(name);
  if (found.ok()) return found;
  return absl::FailedPreconditionError(absl::StrCat(name, " is not installed: ", found.status().message()));
}

// A log that has grown too large starts anew; one older log is kept.
void RotateLog(const std::string& path) {
  std::error_code error;
  const auto size = std::filesystem::file_size(path, error);
  if (!error && size > static_cast<uintmax_t>(kLargestLog))
    std::filesystem::rename(path, path + ".old", error);
}

// Waits until the other end writes (true), or closes or the time is over (false).
bool WaitForByte(int fd, absl::Time end) {
  while (true) {
    const int64_t left = absl::ToInt64Milliseconds(end - absl::Now());
    if (left <= 0) return false;
    pollfd wanted = {fd, POLLIN, 0};
    const int ready = poll(&wanted, 1, static_cast<int>(left));
    if (ready < 0 && errno == EINTR) continue;
    char byte;
    return ready > 0 && read(fd, &byte, 1) == 1;
  }
}

}  // namespace

std::string PrivateFolder() {
  const std::string data = EnvironmentOr("XDG_DATA_HOME", EnvironmentOr("HOME", "/tmp") + "/.local/share");
  return data + "/tuned-server";
}

std::string PrivateSocket(const std::string& folder) {
  const std::string path = folder + "/server.sock";
  if (path.size() < sizeof(sockaddr_un::sun_path)) return path;
  return absl::StrCat(EnvironmentOr("XDG_RUNTIME_DIR", "/tmp"), "/tuned-server-", getuid(), "-",
                      Fingerprint(folder).substr(0, 12), ".sock");
}

bool SocketAnswers(const std::string& path) {
  sockaddr_un address = {};
  address.sun_family = AF_UNIX;
  if (path.size() >= sizeof(address.sun_path)) return false;
  std::strcpy(address.sun_path, path.c_str());
  const FileDescriptor fd(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  return fd.open() && connect(fd.get(), reinterpret_cast<sockaddr*>(&address), sizeof(address)) == 0;
}

absl::StatusOr<std::unique_ptr<PrivateServer>> PrivateServer::Start(Options options) {
  if (options.folder.empty()) options.folder = PrivateFolder();
  TUNE_RETURN_IF_ERROR(MakeFolder(options.folder));
  chmod(options.folder.c_str(), 0700);  // the socket and the programs in the database are the user's own
  std::unique_ptr<PrivateServer> server(new PrivateServer(std::move(options)));
  TUNE_RETURN_IF_ERROR(server->EnsureServer());
  if (server->options_.worker) TUNE_RETURN_IF_ERROR(server->EnsureWorker());
  return server;
}

PrivateServer::~PrivateServer() { Stop(); }

void PrivateServer::Stop() {
  worker_.reset();
  server_.reset();
}

absl::Status PrivateServer::Failure(absl::string_view program, const std::string& ending,
                                    const std::string& log) const {
  const std::string tail = LogTail(log, kLogLines);
  return absl::FailedPreconditionError(absl::StrCat("the private ", program, " ", ending, "; its log is ",
                                                    log, tail.empty() ? "" : ", which ends:\n", tail));
}

absl::Status PrivateServer::EnsureServer() {
  if (server_ != nullptr && server_->Running()) return absl::OkStatus();
  const absl::Time end = absl::Now() + options_.start_limit;
  while (true) {
    // The lock is held by the server itself. Free, it tells that no server runs, whatever the socket is like.
    auto lock = FileLock::Try(options_.folder + "/server.lock");
    if (lock.ok()) return LaunchServer(*lock);
    if (!absl::IsUnavailable(lock.status())) return lock.status();
    if (SocketAnswers(PrivateSocket(options_.folder))) return absl::OkStatus();
    if (absl::Now() >= end)
      return Failure("server", "of another tunectl runs but does not answer", server_log());
    absl::SleepFor(absl::Milliseconds(20));  // it starts or ends
  }
}

absl::Status PrivateServer::LaunchServer(const FileLock& lock) {
  TUNE_ASSIGN_OR_RETURN(const std::string program, ProgramPath(options_.server_program, "tuned-server"));
  if (++launches_ > kMostLaunches) return Failure("server", "keeps ending", server_log());
  const std::string socket = PrivateSocket(options_.folder);
  unlink(socket.c_str());  // of a server that was killed
  RotateLog(server_log());
  TUNE_ASSIGN_OR_RETURN(Pipe ready, MakePipe());
  BackgroundProcess::Options process;
  process.argv = {program,
                  "--listen",
                  "unix:" + socket,
                  "--http",
                  "none",
                  "--database",
                  options_.folder + "/private.db",
                  "--ready-fd",
                  absl::StrCat(ready.write.get())};
  process.log = server_log();
  process.environment = {"TUNE_TOKEN_FILE="};  // the socket is the user's own: no token
  process.inherited = {lock.fd(), ready.write.get()};
  TUNE_ASSIGN_OR_RETURN(server_, BackgroundProcess::Start(process));
  ready.write.Close();
  if (WaitForByte(ready.read.get(), absl::Now() + options_.start_limit)) return absl::OkStatus();
  const std::string ending = server_->Ending();
  server_->Stop(absl::ZeroDuration());
  std::string what = server_->Ending();
  server_.reset();
  return Failure("server", ending.empty() ? "did not start to listen and " + what : what, server_log());
}

absl::Status PrivateServer::EnsureWorker() {
  if (worker_ != nullptr && worker_->Running()) return absl::OkStatus();
  const auto lock = FileLock::Try(options_.folder + "/worker.lock");
  if (absl::IsUnavailable(lock.status())) return absl::OkStatus();  // that of another tunectl works for us
  TUNE_RETURN_IF_ERROR(lock.status());
  TUNE_ASSIGN_OR_RETURN(const std::string program, ProgramPath(options_.worker_program, "tune-worker"));
  if (++launches_ > kMostLaunches) return Failure("worker", "keeps ending", worker_log());
  // Temporary files of a worker that was killed are nobody's: the lock is ours.
  const std::string temporary = options_.folder + "/tmp";
  std::error_code ignored;
  std::filesystem::remove_all(temporary, ignored);
  TUNE_RETURN_IF_ERROR(MakeFolder(temporary));
  RotateLog(worker_log());
  BackgroundProcess::Options process;
  // What it runs is the user's own. Its cache, too: a worker of this host that serves another server, or the
  // private one of another folder, has the user's cache and the host's name.
  process.argv = {
      program, "--server", address(), "--cache", options_.folder + "/cache", "--unsafe-no-sandbox"};
  process.log = worker_log();
  process.environment = {"TMPDIR=" + temporary, "TUNE_TOKEN_FILE=", "TUNE_CA_FILE="};
  process.inherited = {lock->fd()};
  TUNE_ASSIGN_OR_RETURN(worker_, BackgroundProcess::Start(process));
  return absl::OkStatus();
}

absl::Status PrivateServer::Maintain() {
  TUNE_RETURN_IF_ERROR(EnsureServer());
  return options_.worker ? EnsureWorker() : absl::OkStatus();
}

}  // namespace tune
