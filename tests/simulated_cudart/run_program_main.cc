// run_on_simulated_device [OPTION...] DEVICE.cu... [OPTION... PROGRAM.so]...: runs main of C programs, shared
// objects, with the generated CUDA files that they were tuned to; each run in a process of its own, without
// arguments. Beside each it leaves what it printed, PROGRAM.so.out and PROGRAM.so.err, and what it asked for
// of the device, PROGRAM.so.counts; on standard output a line for each, its name and exit status: 99 where a
// kernel or a copy does what a GPU would not survive, then with the simulator's words in PROGRAM.so.err.
// Programs built with AddressSanitizer need its library in LD_PRELOAD. Options hold for the programs after
// them, which may be the same several times, as CUDA files are compiled once:
//   --output NAME         NAME in place of PROGRAM.so for what the next program leaves
//   --machine NUMBERS     threads, registers and bytes of shared memory of a block, and multiprocessors,
//                         separated by commas; of several devices with '/' between; those of one H200 where
//                         nothing is said
//   --kernel-threads N    what a kernel's registers leave of a block's threads
//   --survive-faults 1    the program goes on after a fault of a kernel, after which all calls fail
//   --fail-from N         calls that may fail do from the n-th on, n from 1; 0: none; -1: there is no device
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
#include "absl/strings/str_join.h"
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
                      counts.synchronisations, "\ndevice_launches ",
                      absl::StrJoin(counts.device_launches, " "), "\n");
}

int Run(const std::string& program, const std::string& output) {
  if (std::freopen((output + ".out").c_str(), "w", stdout) == nullptr ||
      std::freopen((output + ".err").c_str(), "w", stderr) == nullptr)
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
  return tune::WriteFile(output + ".counts", Print(tune::simulated::GetCounts())).ok() ? result : kUnusable;
}

int RunInItsProcess(const std::string& program, const std::string& output) {
  std::fflush(stdout);
  const pid_t child = fork();
  if (child == 0) std::_Exit(Run(program, output));
  int status = 0;
  if (child < 0 || waitpid(child, &status, 0) != child) return kUnusable;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

// Whether the word and the one after it are an option that was understood.
bool SetOption(const std::string& word, const std::string& value, std::string* output) {
  int64_t number = 0;
  if (word == "--output") {
    *output = value;
    return true;
  }
  if (word == "--machine") return tune::simulated::SetMachines(value);
  if (!absl::SimpleAtoi(value, &number)) return false;
  if (word == "--fail-from") {
    tune::simulated::FailFrom(number);
    return true;
  }
  if (word == "--survive-faults") {
    tune::simulated::SurviveFaults();
    return number == 1;
  }
  if (word != "--kernel-threads") return false;
  tune::simulated::SetKernelThreads(static_cast<int>(number));
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  unsetenv("LD_PRELOAD");  // not for the compilers of device files
  std::string output;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (absl::StartsWith(word, "--")) {
      const std::string value = i + 1 < argc ? argv[++i] : "";
      if (!SetOption(word, value, &output)) return Fail(absl::StrCat(word, " ", value, ": no such option"));
    } else if (absl::EndsWith(word, ".cu")) {
      const absl::Status loaded = tune::simulated::LoadDeviceFile(word, TUNE_SIMULATED_CUDART);
      if (!loaded.ok()) return Fail(absl::StrCat(word, ": ", loaded.message()));
    } else {
      const std::string name = output.empty() ? word : output;
      std::printf("%s %d\n", name.c_str(), RunInItsProcess(word, name));
      output.clear();
    }
  }
  return 0;
}
