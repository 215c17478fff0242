// What a process that is not trusted gets.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace tune {

// Everything else of this machine is out of its sight: files, processes, network.
struct SandboxSettings {
  std::vector<std::string> readable;  // absolute paths of files and folders, seen under the same names
  std::vector<std::string> writable;  // absolute paths of folders
  std::vector<std::string> devices;   // device files, or folders of them
  bool system_state = false;          // /proc and /sys of the whole machine, to be read: drivers need them
  enum Calls {
    kProgram,   // processes and programs, but no sockets (worker/confine/system_calls.h)
    kDevice,    // and the sockets that a GPU's driver needs
    kOfRunner,  // all: tune-runner's, whose processes for candidates restrict themselves
  };
  Calls calls = kProgram;
  int64_t processes = 4096;  // and threads; in a control group of all, else neither where the user is root
                             // nor without namespaces
  // In a control group alone, of all processes together:
  int64_t group_memory_bytes = 0;  // resident; 0: as much as one process may have
  int64_t processors = 0;          // that they keep busy; 0: no limit
};

}  // namespace tune
