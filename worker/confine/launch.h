// One run of tune-sandbox.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "worker/confine/system_calls.h"

namespace tune {

struct Launch {
  bool namespaces = true;  // false: limits, system calls and the group's end alone
  // What is seen besides the system's folders, under the names that it has outside. A path that is not there
  // ends the sandbox.
  std::vector<std::string> readable;  // files and folders
  std::vector<std::string> writable;  // folders
  std::vector<std::string> devices;   // device files and folders of them
  bool system_state = false;  // all of /proc and /sys, to be read; else /proc has the own processes alone
  std::string folder;         // where the program starts; empty: /
  std::optional<SystemCalls> calls;  // none: the program chooses itself before it loads what is not ours
  int64_t memory_bytes = 0;          // of address space; 0: no limit
  int64_t file_bytes = 0;            // 0: no limit
  int64_t cpu_seconds = 0;           // of each process; 0: no limit
  int64_t processes = 0;             // and threads, all together; 0: no limit
  std::string group;  // folder of the control group that the command runs in; empty: the own one
  std::vector<std::string> command;  // command[0] is a path
};

// Runs the command to its end and kills what it has left; this process then ends as the command did: with its
// exit status or by its signal.
[[noreturn]] void RunLaunch(const Launch& launch);

}  // namespace tune
