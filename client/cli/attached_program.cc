#include "client/cli/attached_program.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "client/cli/interrupt.h"

namespace tune {
namespace {

constexpr absl::Duration kPoll = absl::Milliseconds(20);

std::vector<char*> Pointers(std::vector<std::string>& words) {
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  return pointers;
}

// This process's, with those that are added in place of those of the same name.
std::vector<std::string> EnvironmentWith(const std::vector<std::string>& added) {
  std::vector<std::string> environment = added;
  for (char** variable = environ; *variable != nullptr; ++variable) {
    const std::string text = *variable;
    const std::string name = text.substr(0, text.find('=') + 1);
    bool replaced = false;
    for (const std::string& other : added) replaced |= other.compare(0, name.size(), name) == 0;
    if (!replaced) environment.push_back(text);
  }
  return environment;
}

absl::StatusOr<pid_t> Spawn(const AttachedProgram& program) {
  std::vector<std::string> words = program.words, environment = EnvironmentWith(program.environment);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  if (!program.standard_input.empty())
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, program.standard_input.c_str(), O_RDONLY, 0);
  if (program.output_to_errors) posix_spawn_file_actions_adddup2(&actions, STDERR_FILENO, STDOUT_FILENO);
  pid_t child = 0;
  const int error = posix_spawnp(&child, words[0].c_str(), &actions, nullptr, Pointers(words).data(),
                                 Pointers(environment).data());
  posix_spawn_file_actions_destroy(&actions);
  if (error == 0) return child;
  return absl::NotFoundError(absl::StrCat(words[0], " cannot be started: ", std::strerror(error)));
}

}  // namespace

absl::StatusOr<int> RunAttached(const AttachedProgram& program, absl::Duration period,
                                const std::function<void()>& meanwhile) {
  const InterruptGuard interrupt;
  TUNE_ASSIGN_OR_RETURN(const pid_t child, Spawn(program));
  absl::Time next = absl::Now() + period;
  for (;;) {
    int status = 0;
    const pid_t ended = waitpid(child, &status, WNOHANG);
    if (ended == child) return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    if (ended < 0 && errno != EINTR)
      return absl::InternalError(absl::StrCat("what became of ", program.words[0], " is not known"));
    if (absl::Now() >= next) {
      meanwhile();
      next = absl::Now() + period;
    }
    absl::SleepFor(kPoll);
  }
}

}  // namespace tune
