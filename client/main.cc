// tunectl: wiring of the command line to the terminal.
#include <spdlog/spdlog.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <iostream>

#include "client/cli/tunectl.h"

int main(int argc, char** argv) {
  std::signal(SIGPIPE, SIG_IGN);
  spdlog::set_level(spdlog::level::warn);
  tune::Session::Streams streams = {&std::cout, &std::cerr};
  const char* term = std::getenv("TERM");
  const bool dumb = term == nullptr || std::string(term) == "dumb";
  streams.terminal = !dumb && isatty(STDOUT_FILENO) != 0;
  const char* no_color = std::getenv("NO_COLOR");  // https://no-color.org
  streams.colours = streams.terminal && (no_color == nullptr || *no_color == '\0');
  if (winsize size; streams.terminal && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) {
    streams.width = size.ws_col;
  }
  return tune::RunTunectl(std::vector<std::string>(argv + 1, argv + argc), streams);
}
