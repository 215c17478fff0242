// Programs that are tuned off line, built as their first build and others have them, against what the
// original prints in the same build.
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
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "common/base/file.h"
#include "common/base/subprocess.h"

namespace tune::testing {

constexpr char kTunedPrograms[] = TUNE_SOURCE_DIR "/tests/tuned_builds/programs";
inline const char* const kSanitizers[] = {"-fsanitize=address,undefined", "-fno-sanitize-recover=all"};

struct TunedProgram {
  std::string name, path;                        // ending included: ".c" or ".cpp"
  std::vector<std::vector<std::string>> builds;  // flags; the first is that for which it is tuned
  std::vector<std::string> parameters;           // NAME=VALUE, its sizes in the first build
  std::vector<std::string> device = {};          // options of its code for GPUs
  std::vector<std::string> options = {};         // of its code for both targets
  double tolerance = 1e-8;                       // of numbers
  bool host_only = false;                        // there is no code for GPUs
  bool given_sizes = false;                      // there is no code for all sizes
  bool runs_on_device = true;                    // as it was tuned
  absl::Duration limit = absl::Seconds(300);     // of a command
  bool may_be_too_hard = false;                  // code that is not made in this time is no failure
};

// What `// build:`, `// parameters:`, `// device:`, `// options:`, `// host only:` and `// given sizes:` of a
// small program say.
inline TunedProgram ReadProgram(const std::string& name, const std::string& ending = ".c") {
  TunedProgram program = {name, absl::StrCat(kTunedPrograms, "/", name, ending), {}, {}};
  const std::string text = ReadFile(program.path).value();
  for (absl::string_view line : absl::StrSplit(text, '\n')) {
    if (absl::ConsumePrefix(&line, "// build:")) {
      program.builds.push_back(absl::StrSplit(line, ' ', absl::SkipEmpty()));
    } else if (absl::ConsumePrefix(&line, "// parameters: ")) {
      program.parameters = absl::StrSplit(line, ',');
    } else if (absl::ConsumePrefix(&line, "// device:")) {
      program.device = absl::StrSplit(line, ' ', absl::SkipEmpty());
    } else if (absl::ConsumePrefix(&line, "// options:")) {
      program.options = absl::StrSplit(line, ' ', absl::SkipEmpty());
    } else if (absl::ConsumePrefix(&line, "// host only:")) {
      program.host_only = true;
    } else if (absl::ConsumePrefix(&line, "// given sizes:")) {
      program.given_sizes = true;
    }
  }
  return program;
}

inline std::string RunCommand(const std::vector<std::string>& command, bool* ok,
                              absl::Duration limit = absl::Seconds(300)) {
  SubprocessOptions options;
  options.wall_limit = limit;
  const auto result = RunSubprocess(command, options);
  *ok = result.ok() && result->ok();
  return result.ok() ? absl::StrCat(result->standard_output, result->standard_error)
                     : result.status().ToString();
}

// The simulated device, whose programs may be built with kSanitizers: AddressSanitizer has to come first.
inline std::vector<std::string> SimulatedDevice() {
  static const std::string* const kRuntime = [] {
    bool ok = false;
    const std::string path = RunCommand({"cc", "-print-file-name=libasan.so"}, &ok);
    return new std::string(absl::StripAsciiWhitespace(path));
  }();
  return {"env", "LD_PRELOAD=" + *kRuntime, "ASAN_OPTIONS=detect_leaks=0",
          TUNE_BINARY_DIR "/tests/simulated/run_on_simulated_device"};
}

// Numbers agree to `tolerance`, everything else exactly.
inline std::string Difference(const std::string& expected, const std::string& found,
                              double tolerance = 1e-8) {
  std::istringstream a(expected), b(found);
  std::string word_a, word_b;
  while (a >> word_a) {
    if (!(b >> word_b)) return "prints less";
    char* end = nullptr;
    const double value = std::strtod(word_a.c_str(), &end);
    const bool same = *end != '\0' || word_a == word_b
                          ? word_a == word_b
                          : std::abs(value - std::strtod(word_b.c_str(), nullptr)) <=
                                tolerance * std::max(1.0, std::abs(value));
    if (!same) return absl::StrCat("prints ", word_b, " for ", word_a);
  }
  return b >> word_b ? "prints more" : "";
}

class TunedBuilds {
 public:
  explicit TunedBuilds(TunedProgram program)
      : program_(std::move(program)), folder_(TemporaryFolder::Make().value()) {}

  // The original's output in each build, once.
  void RunOriginal() {
    for (size_t i = 0; i < program_.builds.size(); ++i) {
      const std::string binary = Path(absl::StrCat("original", i));
      bool ok = false;
      const std::string log = RunCommand(Compiler(i, {program_.path, "-o", binary}), &ok);
      ASSERT_TRUE(ok) << log;
      outputs_.push_back(RunCommand({binary}, &ok));
      ASSERT_TRUE(ok) << outputs_.back();
    }
  }

  void CheckHost() {
    Generate({"--target", "cpu"}, "host" + Ending());
    if (::testing::Test::HasFatalFailure() || too_hard_) return;
    for (size_t i = 0; i < program_.builds.size(); ++i) {
      SCOPED_TRACE(absl::StrJoin(program_.builds[i], " "));
      const std::string binary = Path(absl::StrCat("host", i));
      std::vector<std::string> command = Compiler(i, {Path("host" + Ending()), "-fopenmp", "-o", binary});
      if (i == 0) command.insert(command.begin() + 1, std::begin(kSanitizers), std::end(kSanitizers));
      bool ok = false;
      const std::string log = RunCommand(command, &ok);
      if (!ok && i > 0) continue;  // the compiler says what does not fit
      ASSERT_TRUE(ok) << log;
      const std::string output = RunCommand({binary}, &ok);
      EXPECT_TRUE(ok) << output;
      EXPECT_EQ(Difference(outputs_[i], output, program_.tolerance), "")
          << ReadFile(Path("host" + Ending())).value();
    }
  }

  void CheckDevice() {
    std::vector<std::string> device = {"--arch", "sm_90"};
    device.insert(device.end(), program_.device.begin(), program_.device.end());
    Generate(device, "device" + Ending());
    if (::testing::Test::HasFatalFailure() || too_hard_) return;
    std::vector<std::string> command = SimulatedDevice();
    for (const auto& entry : std::filesystem::directory_iterator(folder_.path())) {
      if (entry.path().extension() == ".cu") command.push_back(entry.path());
    }
    for (size_t i = 0; i < program_.builds.size(); ++i) {
      const std::string object = Path(absl::StrCat("device", i, ".so"));
      bool ok = false;
      std::vector<std::string> compiler =
          Compiler(i, {Path("device" + Ending()), "-fPIC", "-shared", "-o", object});
      if (i == 0) compiler.insert(compiler.begin() + 1, std::begin(kSanitizers), std::end(kSanitizers));
      const std::string log = RunCommand(compiler, &ok);
      if (!ok && i > 0) continue;
      ASSERT_TRUE(ok) << log;
      command.push_back(object);
    }
    bool ok = false;
    const std::string log = RunCommand(command, &ok);
    ASSERT_TRUE(ok) << log;
    for (size_t i = 0; i < program_.builds.size(); ++i) {
      const std::string object = Path(absl::StrCat("device", i, ".so"));
      if (std::find(command.begin(), command.end(), object) == command.end()) continue;
      SCOPED_TRACE(absl::StrJoin(program_.builds[i], " "));
      EXPECT_THAT(log, ::testing::HasSubstr(absl::StrCat(object, " 0\n")))
          << ReadFile(object + ".err").value_or("");
      EXPECT_EQ(Difference(outputs_[i], ReadFile(object + ".out").value_or(""), program_.tolerance), "")
          << ReadFile(Path("device" + Ending())).value() << ReadFile(Path("device.cu")).value_or("");
      // As it was tuned, it does run on the device.
      if (i > 0 || !program_.runs_on_device) continue;
      EXPECT_THAT(ReadFile(object + ".counts").value_or(""),
                  ::testing::Not(::testing::HasSubstr("allocations 0\n")));
    }
  }

 private:
  std::string Ending() const { return std::filesystem::path(program_.path).extension(); }
  std::string Path(const std::string& name) const { return folder_.path() + "/" + name; }

  std::vector<std::string> Compiler(size_t build, const std::vector<std::string>& words) const {
    std::vector<std::string> command = {
        Ending() == ".c" ? "cc" : "c++", "-O1", "-w", "-ffp-contract=off", "-I", kTunedPrograms};
    command.insert(command.end(), program_.builds[build].begin(), program_.builds[build].end());
    command.insert(command.end(), words.begin(), words.end());
    command.push_back("-lm");
    return command;
  }

  void Generate(std::vector<std::string> target, const std::string& output) {
    std::vector<std::string> command = {
        TUNE_BINARY_DIR "/bin/tunectl", "generate", program_.path, "-I", kTunedPrograms, "-o", Path(output)};
    command.insert(command.end(), target.begin(), target.end());
    command.insert(command.end(), program_.options.begin(), program_.options.end());
    for (const std::string& flag : program_.builds[0]) {
      if (absl::StartsWith(flag, "-D")) command.push_back(flag);
      if (absl::StartsWith(flag, "-std=")) command.push_back("--cflags=" + flag);
    }
    for (const std::string& parameter : program_.parameters)
      command.insert(command.end(), {"--parameter", parameter});
    bool ok = false;
    const absl::Time begin = absl::Now();
    const std::string log = RunCommand(command, &ok, program_.limit);
    too_hard_ = !ok && program_.may_be_too_hard && absl::Now() - begin >= program_.limit;
    ASSERT_TRUE(ok || too_hard_) << log;
  }

  const TunedProgram program_;
  const TemporaryFolder folder_;
  std::vector<std::string> outputs_;  // the original's, by build
  bool too_hard_ = false;             // the last Generate gave up
};

inline void CheckTunedProgram(const TunedProgram& program) {
  TunedBuilds builds(program);
  builds.RunOriginal();
  if (!::testing::Test::HasFatalFailure()) builds.CheckHost();
  if (!::testing::Test::HasFatalFailure() && !program.host_only) builds.CheckDevice();
}

}  // namespace tune::testing
