#include "tests/end_to_end/daemon.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

namespace tune {

absl::StatusOr<Daemon> Daemon::Start(const std::vector<std::string>& argv, const std::string& log) {
  std::vector<char*> arguments;
  for (const std::string& argument : argv) arguments.push_back(const_cast<char*>(argument.c_str()));
  arguments.push_back(nullptr);
  const int output = open(log.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
  if (output < 0) return absl::UnavailableError(log + ": " + std::strerror(errno));
  const pid_t pid = fork();
  if (pid < 0) return absl::UnavailableError(std::string("fork: ") + std::strerror(errno));
  if (pid == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    dup2(open("/dev/null", O_RDONLY), 0);
    dup2(output, 1);
    dup2(output, 2);
    execv(arguments[0], arguments.data());
    _exit(127);
  }
  close(output);
  return Daemon(pid);
}

Daemon::~Daemon() { Kill(); }

Daemon::Daemon(Daemon&& other) noexcept : pid_(std::exchange(other.pid_, -1)) {}

Daemon& Daemon::operator=(Daemon&& other) noexcept {
  if (this != &other) {
    Kill();
    pid_ = std::exchange(other.pid_, -1);
  }
  return *this;
}

void Daemon::Signal(int signal) const {
  if (pid_ > 0) kill(pid_, signal);
}

void Daemon::Kill() {
  if (pid_ <= 0) return;
  kill(pid_, SIGKILL);
  Wait();
}

int Daemon::Wait() {
  if (pid_ <= 0) return -1;
  int status = 0;
  while (waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
  }
  pid_ = -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

bool Daemon::running() { return pid_ > 0 && waitpid(pid_, nullptr, WNOHANG) == 0; }

std::string Program(const std::string& name) { return std::string(TUNE_BINARY_DIR "/bin/") + name; }

bool Accepts(const std::string& socket_path) {
  const int client = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_un address = {};
  address.sun_family = AF_UNIX;
  std::strncpy(address.sun_path, socket_path.c_str(), sizeof(address.sun_path) - 1);
  const bool accepted = connect(client, reinterpret_cast<sockaddr*>(&address), sizeof(address)) == 0;
  close(client);
  return accepted;
}

void PauseBriefly() { usleep(20'000); }

}  // namespace tune
