// tune-analyser: reads scops and walks spaces for tuned-server, which must not die of them.
#include <unistd.h>

#include <cstdio>
#include <cstring>

#include "common/rpc/version.h"
#include "server/analysis/analysis_server.h"

int main(int argc, char** argv) {
  if (argc > 1) {
    std::printf(
        "tune-analyser %s: tuned-server starts it and sends it messages on its standard input; it has no "
        "options.\n",
        tune::kVersion);
    return std::strcmp(argv[1], "--help") == 0 || std::strcmp(argv[1], "--version") == 0 ? 0 : 2;
  }
  const absl::Status status = tune::ServeAnalysis(STDIN_FILENO, STDOUT_FILENO, tune::StudySpaces());
  if (status.ok()) return 0;
  std::fprintf(stderr, "tune-analyser: %s\n", std::string(status.message()).c_str());
  return 1;
}
