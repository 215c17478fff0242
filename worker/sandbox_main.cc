// tune-sandbox: runs a program that is not trusted.
#include <getopt.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "worker/confine/launch.h"

namespace tune {
namespace {

// Started once a candidate: getopt takes a thousandth of the time of a library for command lines.
constexpr char kHelp[] =
    "Runs a program in a sandbox: it sees the system's folders read-only, an empty /tmp and what is named "
    "here;\n"
    "it has no network, and no processes but its own, which all end with it. Started by tune-worker.\n"
    "Usage: tune-sandbox [OPTIONS] -- PROGRAM [ARGUMENTS]\n"
    "  --help              This text\n"
    "  --check             Make a sandbox and run nothing in it; says what is missing\n"
    "  --no-namespaces     Limits and system calls alone: the program sees the user's files and processes\n"
    "  --read PATH         File or folder that can be read, under the same name; may be repeated, as the "
    "next two\n"
    "  --write DIR         Folder that can be written to\n"
    "  --device PATH       Device file, or folder of them\n"
    "  --system-state      All of /proc and /sys can be read\n"
    "  --folder DIR        Where the program starts; default: /\n"
    "  --calls LIST        System calls that are allowed: program, candidate or device; default: all, for a\n"
    "                      program that restricts itself\n"
    "  --memory BYTES      Most address space of a process\n"
    "  --file-size BYTES   Largest file that is written\n"
    "  --cpu SECONDS       Most processor time of a process\n"
    "  --processes N       Most processes and threads\n"
    "  --group DIR         Control group (cgroup v2) that the program runs in; default: this process's own\n"
    "Exit codes: the program's own, or its signal; 126 the sandbox cannot be made (says why); 127 the "
    "program\n"
    "ended with 126; 2 wrong arguments.\n";

enum Option {
  kHelpOption,
  kCheck,
  kNoNamespaces,
  kRead,
  kWrite,
  kDevice,
  kSystemState,
  kFolder,
  kCalls,
  kMemory,
  kFileSize,
  kCpu,
  kProcesses,
  kGroup
};

constexpr option kOptions[] = {{"help", no_argument, nullptr, kHelpOption},
                               {"check", no_argument, nullptr, kCheck},
                               {"no-namespaces", no_argument, nullptr, kNoNamespaces},
                               {"read", required_argument, nullptr, kRead},
                               {"write", required_argument, nullptr, kWrite},
                               {"device", required_argument, nullptr, kDevice},
                               {"system-state", no_argument, nullptr, kSystemState},
                               {"folder", required_argument, nullptr, kFolder},
                               {"calls", required_argument, nullptr, kCalls},
                               {"memory", required_argument, nullptr, kMemory},
                               {"file-size", required_argument, nullptr, kFileSize},
                               {"cpu", required_argument, nullptr, kCpu},
                               {"processes", required_argument, nullptr, kProcesses},
                               {"group", required_argument, nullptr, kGroup},
                               {nullptr, 0, nullptr, 0}};

[[noreturn]] void RefuseArguments(const char* what) {
  std::fprintf(stderr, "tune-sandbox: %s\nTry `tune-sandbox --help`.\n", what);
  std::exit(2);
}

int64_t Number(const char* text) {
  char* end = nullptr;
  const long long value = std::strtoll(text, &end, 10);
  if (end == text || *end != '\0' || value < 0) RefuseArguments("a number is expected");
  return value;
}

SystemCalls CallsOf(const char* list) {
  if (std::strcmp(list, "program") == 0) return SystemCalls::kProgram;
  if (std::strcmp(list, "candidate") == 0) return SystemCalls::kCandidate;
  if (std::strcmp(list, "device") == 0) return SystemCalls::kDevice;
  RefuseArguments("--calls: program, candidate or device");
}

void Take(int option, Launch* launch) {
  switch (option) {
    case kHelpOption:
      std::fputs(kHelp, stdout);
      std::exit(0);
    case kCheck:
      launch->command = {"/bin/true"};
      launch->calls = SystemCalls::kProgram;
      return;
    case kNoNamespaces:
      launch->namespaces = false;
      return;
    case kRead:
      return launch->readable.push_back(optarg);
    case kWrite:
      return launch->writable.push_back(optarg);
    case kDevice:
      return launch->devices.push_back(optarg);
    case kSystemState:
      launch->system_state = true;
      return;
    case kFolder:
      launch->folder = optarg;
      return;
    case kCalls:
      launch->calls = CallsOf(optarg);
      return;
    case kMemory:
      launch->memory_bytes = Number(optarg);
      return;
    case kFileSize:
      launch->file_bytes = Number(optarg);
      return;
    case kCpu:
      launch->cpu_seconds = Number(optarg);
      return;
    case kProcesses:
      launch->processes = Number(optarg);
      return;
    case kGroup:
      launch->group = optarg;
      return;
    default:
      RefuseArguments("an option is unknown or lacks its value");
  }
}

}  // namespace
}  // namespace tune

int main(int argc, char** argv) {
  tune::Launch launch;
  opterr = 0;
  int option;
  while ((option = getopt_long(argc, argv, "+", tune::kOptions, nullptr)) != -1) tune::Take(option, &launch);
  if (optind < argc) launch.command.assign(argv + optind, argv + argc);
  if (launch.command.empty()) tune::RefuseArguments("no program is named");
  tune::RunLaunch(launch);
}
