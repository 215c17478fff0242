// Files in which sizes are arguments (`tunectl generate --cases`), built and run on simulated GPUs.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <sstream>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "common/base/file.h"
#include "common/base/subprocess.h"

namespace tune::testing {

constexpr char kCasePrograms[] = TUNE_SOURCE_DIR "/tests/tuned_builds/programs";
// Threads, registers and bytes of shared memory of a block, multiprocessors: an H200; one for which all
// blocks are enough, so that threads run several points; with hardly any shared memory; with few threads and
// registers.
inline const char* const kMachines[] = {"1024,65536,49152,132", "1024,65536,49152,0", "1024,65536,400,0",
                                        "64,900,49152,0"};

inline std::string CallProgram(const std::vector<std::string>& command, bool* ok) {
  const auto result = RunSubprocess(command, {});
  *ok = result.ok() && result->ok();
  return result.ok() ? result->standard_output + result->standard_error : result.status().ToString();
}

// Numbers agree to eight digits.
inline bool AgreesWith(const std::string& expected, const std::string& found) {
  std::istringstream a(expected), b(found);
  std::string word_a, word_b;
  while (a >> word_a) {
    if (!(b >> word_b)) return false;
    const double value = std::strtod(word_a.c_str(), nullptr), other = std::strtod(word_b.c_str(), nullptr);
    if (word_a != word_b && !(std::abs(value - other) <= 1e-8 * std::max(1.0, std::abs(value)))) return false;
  }
  return !(b >> word_b);
}

class CaseFiles : public ::testing::Test {
 protected:
  std::string Path(const std::string& name) const { return folder_.path() + "/" + name; }

  std::vector<std::string> Compile(const std::vector<std::string>& flags,
                                   const std::vector<std::string>& words) const {
    std::vector<std::string> command = {"cc", "-O1", "-w", "-ffp-contract=off", "-I", kCasePrograms};
    command.insert(command.end(), flags.begin(), flags.end());
    command.insert(command.end(), words.begin(), words.end());
    command.push_back("-lm");
    return command;
  }

  // The case file of the program, out.c with its CUDA files, and both programs; what the original prints is
  // then in expected_.
  void Build(const std::string& source, const std::vector<std::string>& flags) {
    bool ok = false;
    std::vector<std::string> generate = {TUNE_BINARY_DIR "/bin/tunectl",
                                         "generate",
                                         source,
                                         "--cases",
                                         "-I",
                                         kCasePrograms,
                                         "-o",
                                         Path("out.c")};
    for (const std::string& flag : flags) {
      if (absl::StartsWith(flag, "-D")) generate.push_back(flag);
    }
    generate.insert(generate.end(), further_.begin(), further_.end());
    std::string log = CallProgram(generate, &ok);
    ASSERT_TRUE(ok) << log;
    log = CallProgram(Compile(flags, {source, "-o", Path("original")}), &ok);
    ASSERT_TRUE(ok) << log;
    expected_ = CallProgram({Path("original")}, &ok);
    ASSERT_TRUE(ok) << expected_;
    log = CallProgram(Compile(flags, {Path("out.c"), "-fPIC", "-shared", "-o", Path("out.so")}), &ok);
    ASSERT_TRUE(ok) << log;
  }

  std::vector<std::string> DeviceFiles() const {
    std::vector<std::string> files;
    for (const auto& entry : std::filesystem::directory_iterator(folder_.path())) {
      if (entry.path().extension() == ".cu") files.push_back(entry.path());
    }
    return files;
  }

  // Runs of the program with the CUDA files, one for each value of the option, name it and leave what they
  // leave in files of that name.
  void RunEach(const std::string& option, const std::vector<std::string>& values) const {
    std::vector<std::string> command = DeviceFiles();
    command.insert(command.begin(), TUNE_BINARY_DIR "/tests/simulated/run_on_simulated_device");
    for (const std::string& value : values)
      command.insert(command.end(), {option, value, "--output", Path(value), Path("out.so")});
    bool ok = false;
    const std::string log = CallProgram(command, &ok);
    for (const std::string& value : values)
      EXPECT_THAT(log, ::testing::HasSubstr(Path(value) + " 0\n")) << Error(value);
  }
  std::string Output(const std::string& run) const { return ReadFile(Path(run + ".out")).value_or(""); }
  std::string Error(const std::string& run) const { return ReadFile(Path(run + ".err")).value_or(""); }
  std::string Counts(const std::string& run) const { return ReadFile(Path(run + ".counts")).value_or(""); }
  bool Launched(const std::string& run) const {
    const std::string counts = Counts(run);
    return !counts.empty() && !absl::StrContains(counts, "\nlaunches 0\n");
  }

  // On each machine the program by cases prints what the original prints; `runs`: its regions are to run on
  // the device.
  void RunOn(const std::vector<std::string>& machines, bool runs) const {
    RunEach("--machine", machines);
    for (const std::string& machine : machines) {
      SCOPED_TRACE(machine);
      EXPECT_TRUE(AgreesWith(expected_, Output(machine))) << Output(machine) << Error(machine) << expected_;
      EXPECT_TRUE(!runs || Launched(machine));
    }
  }

  void Check(const std::string& source, const std::vector<std::string>& flags, bool runs = true,
             const std::vector<std::string>& machines = {std::begin(kMachines), std::end(kMachines)}) {
    Build(source, flags);
    if (!HasFatalFailure()) RunOn(machines, runs);
  }

  std::string expected_;
  std::vector<std::string> further_;  // options of generate
  const TemporaryFolder folder_ = TemporaryFolder::Make().value();
};

}  // namespace tune::testing
