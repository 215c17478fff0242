// tune-cuda-runner: the one program that talks to the GPU.
#include <execinfo.h>
#include <google/protobuf/text_format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <iostream>

#include "absl/strings/str_join.h"
#include "common/base/file.h"
#include "worker/cuda/clock_server.h"
#include "worker/cuda/cubin_compiler.h"
#include "worker/cuda/device_peaks.h"
#include "worker/cuda/device_query.h"
#include "worker/cuda/job_server.h"

#if defined(__SANITIZE_ADDRESS__)
// The driver's libraries keep memory until the process ends.
extern "C" const char* __asan_default_options() { return "detect_leaks=0"; }
#endif

namespace tune {
namespace {

struct Arguments {
  bool devices = false;
  std::string compile;
  std::string arch;
  std::string output;
  int time_limit = 0;
  std::string names;
  CubinOptions options;
  int serve = -1;
  int peaks = -1;
  int clocks = -1;
};

void AddOptions(CLI::App& app, Arguments* arguments) {
  app.add_flag("--devices", arguments->devices,
               "Write this host's devices (a CudaDevices message) to standard output");
  auto* compile =
      app.add_option("--compile", arguments->compile, "Compile this CUDA file to a cubin with NVRTC")
          ->type_name("FILE");
  auto* arch = app.add_option("--arch", arguments->arch, "Architecture to compile for")->type_name("sm_NN");
  auto* output = app.add_option("--output", arguments->output, "File for the cubin")->type_name("FILE");
  app.add_option("--time-limit", arguments->time_limit, "Give up compiling after so many seconds")
      ->type_name("S")
      ->check(CLI::Range(1, 1'000'000))
      ->needs(compile);
  auto* names = app.add_option("--names", arguments->names,
                               "File for the names that the kernels have in the cubin, a line each")
                    ->type_name("FILE")
                    ->needs(compile);
  app.add_option("--kernel", arguments->options.kernels,
                 "Kernel to be named there, as C++ writes it: rows<32, float>; may be repeated")
      ->type_name("NAME")
      ->needs(names)
      ->allow_extra_args(false);
  app.add_option("flags", arguments->options.flags, "After --: more options for NVRTC")->needs(compile);
  compile->needs(arch)->needs(output);
  app.add_option("--serve", arguments->serve,
                 "Take jobs for this device (the driver's index) from standard input; for tune-worker only")
      ->type_name("ORDINAL")
      ->check(CLI::Range(0, 1023))
      ->excludes(compile);
  app.add_option(
         "--peaks", arguments->peaks,
         "Measure what this device can do at most (a PeakRates message), and write it as text: operations "
         "and bytes a second")
      ->type_name("ORDINAL")
      ->check(CLI::Range(0, 1023))
      ->excludes(compile);
  app.add_option(
         "--clocks", arguments->clocks,
         "Set this device's graphics clock as standard input says: list, set MHZ, reset; it is reset when "
         "the input ends")
      ->type_name("ORDINAL")
      ->check(CLI::Range(0, 1023))
      ->excludes(compile);
  app.footer(
      "CUDA's libraries are looked for where the system's loader looks, below $CUDA_HOME and "
      "/usr/local/cuda.\n"
      "TUNE_CUPTI=off leaves CUPTI aside: kernels are then timed with events.\n"
      "Exit codes: 0 done (--devices: also when there are none), 1 the file does not compile, 2 wrong "
      "arguments,\n"
      "3 cannot do its part (says why).");
}

void OnTimeLimit(int) {
  constexpr char kText[] = "tune-cuda-runner: compiling took longer than its time limit\n";
  static_cast<void>(!write(STDERR_FILENO, kText, sizeof(kText) - 1));
  _exit(1);
}

// Tells the worker where the driver, CUPTI or this program crashed; `addr2line -e tune-cuda-runner` reads it.
void OnCrash(int signal) {
  constexpr char kText[] = "tune-cuda-runner crashed in:\n";
  static_cast<void>(!write(STDERR_FILENO, kText, sizeof(kText) - 1));
  void* frames[32];
  backtrace_symbols_fd(frames, backtrace(frames, 32), STDERR_FILENO);
  std::signal(signal, SIG_DFL);
  raise(signal);
}

absl::StatusOr<int> Compile(const Arguments& arguments) {
  TUNE_ASSIGN_OR_RETURN(const std::string text, ReadFile(arguments.compile));
  if (arguments.time_limit > 0) {
    std::signal(SIGALRM, OnTimeLimit);
    alarm(arguments.time_limit);
  }
  const std::string name = arguments.compile.substr(arguments.compile.rfind('/') + 1);
  CubinOptions options = arguments.options;
  const std::vector<std::string> without_cache = WithoutDriverCache();
  options.flags.insert(options.flags.begin(), without_cache.begin(), without_cache.end());
  TUNE_ASSIGN_OR_RETURN(const CubinResult result, CompileCubin(text, name, arguments.arch, options));
  alarm(0);
  std::fputs(result.log.c_str(), stderr);
  if (!result.ok) return 1;
  TUNE_RETURN_IF_ERROR(WriteFile(arguments.output, result.cubin));
  if (!arguments.names.empty())
    TUNE_RETURN_IF_ERROR(WriteFile(arguments.names, absl::StrCat(absl::StrJoin(result.names, "\n"), "\n")));
  return 0;
}

absl::StatusOr<int> WritePeaks(int ordinal) {
  TUNE_ASSIGN_OR_RETURN(const std::unique_ptr<DeviceSession> session, DeviceSession::Open(ordinal));
  TUNE_ASSIGN_OR_RETURN(const v1::PeakRates peaks, MeasureDevicePeaks(*session));
  std::string text;
  google::protobuf::TextFormat::PrintToString(peaks, &text);
  std::fputs(text.c_str(), stdout);
  return 0;
}

absl::StatusOr<int> Run(const Arguments& arguments) {
  if (arguments.devices) {
    if (!QueryDevices().SerializeToOstream(&std::cout) || !std::cout.flush()) {
      return absl::UnavailableError(absl::StrCat("cannot write to standard output: ", std::strerror(errno)));
    }
    return 0;
  }
  if (!arguments.compile.empty()) return Compile(arguments);
  if (arguments.peaks >= 0) return WritePeaks(arguments.peaks);
  if (arguments.clocks >= 0) {
    TUNE_RETURN_IF_ERROR(ServeClockOf(arguments.clocks));
    return 0;
  }
  for (const int signal : {SIGSEGV, SIGBUS, SIGABRT, SIGFPE, SIGILL}) std::signal(signal, OnCrash);
  TUNE_RETURN_IF_ERROR(ServeJobs(arguments.serve));
  return 0;
}

}  // namespace
}  // namespace tune

int main(int argc, char** argv) {
  tune::Arguments arguments;
  CLI::App app("Lists GPUs, compiles for them, and runs candidates on one, for tune-worker.",
               "tune-cuda-runner");
  tune::AddOptions(app, &arguments);
  try {
    app.parse(argc, argv);
    if (arguments.devices + !arguments.compile.empty() + (arguments.serve >= 0) + (arguments.peaks >= 0) +
            (arguments.clocks >= 0) !=
        1) {
      throw CLI::ValidationError("one of --devices, --compile, --peaks, --clocks and --serve is needed");
    }
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  }
  const absl::StatusOr<int> code = tune::Run(arguments);
  if (!code.ok()) {
    std::fprintf(stderr, "tune-cuda-runner: %s\n", std::string(code.status().message()).c_str());
  }
  std::fflush(nullptr);
  // Without destructors and exit handlers: a candidate may have left the device in any state.
  _exit(code.ok() ? *code : 3);
}
