// run_on_simulated_device [--fail-from N] DEVICE.cu... PROGRAM.so...: runs main of C programs, shared
// objects, with the generated CUDA files that they were tuned to; each program in a process of its own,
// without arguments. Beside each it leaves what it printed, PROGRAM.so.out and PROGRAM.so.err, and what it
// asked for of the device, PROGRAM.so.counts; on standard output a line for each, its name and exit status:
// 99 where a kernel or a copy does what a GPU would not survive, then with the simulator's words in
// PROGRAM.so.err. Programs built with AddressSanitizer need its library in LD_PRELOAD.
#include <dlfcn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "common/base/file.h"
#include "tests/simulated_cudart/runtime.h"

namespace {

constexpr int kUnusable = 98;  // exit status: the program could not be started

int Fail(const std::string& why) {
  std::fprintf(stderr, "run_on_simulated_device: %s\n", why.c_str());
  return kUnusable;
}

std::string Print(const tune::simulated::Counts& counts) {
  return absl::StrCat("allocations ", counts.allocations, "\nfrees ", counts.frees, "\ncopies_in ",
                      counts.copies_in, "\nbytes_in ", counts.bytes_in, "\ncopies_out ", counts.copies_out,
                      "\nbytes_out ", counts.bytes_out, "\nlaunches ", counts.launches, "\ngraph_launches ",
                      counts.graph_launches, "\nrecordings ", counts.recordings, "\nsynchronisations ",
                      counts.synchronisations, "\n");
}

int Run(const std::string& program) {
  if (std::freopen((program + ".out").c_str(), "w", stdout) == nullptr ||
      std::freopen((program + ".err").c_str(), "w", stderr) == nullptr)
    return kUnusable;
  void* const object = dlopen(program.c_str(), RTLD_NOW | RTLD_GLOBAL);
  if (object == nullptr) return Fail(dlerror());
  const auto function = reinterpret_cast<int (*)(int, char**)>(dlsym(object, "main"));
  if (function == nullptr) return Fail(program + " has no main");
  std::string name = program;
  char* arguments[] = {name.data(), nullptr};
  const int result = function(1, arguments);
  std::fflush(stdout);
  std::fflush(stderr);
  return tune::WriteFile(program + ".counts", Print(tune::simulated::GetCounts())).ok() ? result : kUnusable;
}

int RunInItsProcess(const std::string& program) {
  std::fflush(stdout);
  const pid_t child = fork();
  if (child == 0) std::_Exit(Run(program));
  int status = 0;
  if (child < 0 || waitpid(child, &status, 0) != child) return kUnusable;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

}  // namespace

int main(int argc, char** argv) {
  unsetenv("LD_PRELOAD");  // not for the compilers of device files
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    int64_t call = 0;
    if (word == "--fail-from" && i + 1 < argc && absl::SimpleAtoi(argv[i + 1], &call)) {
      tune::simulated::FailFrom(call);
      ++i;
    } else if (absl::EndsWith(word, ".cu")) {
      const absl::Status loaded = tune::simulated::LoadDeviceFile(word, TUNE_SIMULATED_CUDART);
      if (!loaded.ok()) return Fail(absl::StrCat(word, ": ", loaded.message()));
    } else {
      std::printf("%s %d\n", word.c_str(), RunInItsProcess(word));
    }
  }
  return 0;
}
