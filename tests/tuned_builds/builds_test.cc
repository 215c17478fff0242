// Tuned files in builds and calls that they were not tuned for: each program is tuned as its first build has
// it (the default configuration of `tunectl generate`), for the host and for a GPU, then built with other
// macros and types, and prints what the original prints in the same build, or does not compile. The programs
// call their regions with other sizes, rows and overlaps themselves. GPUs are simulated
// (tests/simulated_cudart).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <sstream>

#include "absl/strings/match.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "common/base/file.h"
#include "common/base/subprocess.h"
#include "tests/common/testing/programs.h"

namespace tune {
namespace {

using ::testing::HasSubstr;

constexpr char kFolder[] = TUNE_SOURCE_DIR "/tests/tuned_builds/programs";
const char* const kSanitizers[] = {"-fsanitize=address,undefined", "-fno-sanitize-recover=all"};

struct Program {
  std::string name, path;                        // ending included: ".c" or ".cpp"
  std::vector<std::vector<std::string>> builds;  // flags; the first is that for which it is tuned
  std::vector<std::string> parameters;           // NAME=VALUE, its sizes in the first build
  std::vector<std::string> device = {};          // options of its code for GPUs
};

// What `// build:`, `// parameters:` and `// device:` say.
Program ReadProgram(const std::string& name, const std::string& ending = ".c") {
  Program program = {name, absl::StrCat(kFolder, "/", name, ending), {}, {}};
  const std::string text = ReadFile(program.path).value();
  for (absl::string_view line : absl::StrSplit(text, '\n')) {
    if (absl::ConsumePrefix(&line, "// build:")) {
      program.builds.push_back(absl::StrSplit(line, ' ', absl::SkipEmpty()));
    } else if (absl::ConsumePrefix(&line, "// parameters: ")) {
      program.parameters = absl::StrSplit(line, ',');
    } else if (absl::ConsumePrefix(&line, "// device:")) {
      program.device = absl::StrSplit(line, ' ', absl::SkipEmpty());
    }
  }
  return program;
}

// Small sizes, then others, and elements of another type. Parameters have the names of their macros in small
// letters.
Program ReadLargerProgram(const std::string& name, const std::string& path) {
  std::vector<std::string> sizes = testing::OddSizes();
  sizes.insert(sizes.end(), {"-DNX=33", "-DNY=37", "-DSTEPS=5"});
  Program program = {name, path, {sizes, sizes, sizes}, {}};
  for (std::string& flag : program.builds[1]) {
    const bool steps = absl::StartsWith(flag, "-DT");
    if (!steps) flag = flag.substr(0, flag.find('=')) + "=" + (flag.size() % 2 == 0 ? "23" : "25");
  }
  program.builds[2].push_back("-DDATA_TYPE=float");
  return program;
}

std::string RunCommand(const std::vector<std::string>& command, bool* ok) {
  SubprocessOptions options;
  options.wall_limit = absl::Seconds(300);
  const auto result = RunSubprocess(command, options);
  *ok = result.ok() && result->ok();
  return result.ok() ? absl::StrCat(result->standard_output, result->standard_error)
                     : result.status().ToString();
}

// The simulated device, whose programs may be built with kSanitizers: AddressSanitizer has to come first.
std::vector<std::string> SimulatedDevice() {
  static const std::string* const kRuntime = [] {
    bool ok = false;
    const std::string path = RunCommand({"cc", "-print-file-name=libasan.so"}, &ok);
    return new std::string(absl::StripAsciiWhitespace(path));
  }();
  return {"env", "LD_PRELOAD=" + *kRuntime, "ASAN_OPTIONS=detect_leaks=0",
          TUNE_BINARY_DIR "/tests/simulated/run_on_simulated_device"};
}

// Numbers agree to eight digits, everything else exactly.
std::string Difference(const std::string& expected, const std::string& found) {
  std::istringstream a(expected), b(found);
  std::string word_a, word_b;
  while (a >> word_a) {
    if (!(b >> word_b)) return "prints less";
    char* end = nullptr;
    const double value = std::strtod(word_a.c_str(), &end);
    const bool same =
        *end != '\0' || word_a == word_b
            ? word_a == word_b
            : std::abs(value - std::strtod(word_b.c_str(), nullptr)) <= 1e-8 * std::max(1.0, std::abs(value));
    if (!same) return absl::StrCat("prints ", word_b, " for ", word_a);
  }
  return b >> word_b ? "prints more" : "";
}

class Builds {
 public:
  explicit Builds(Program program) : program_(std::move(program)), folder_(TemporaryFolder::Make().value()) {}

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
    if (::testing::Test::HasFatalFailure()) return;
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
      EXPECT_EQ(Difference(outputs_[i], output), "") << ReadFile(Path("host" + Ending())).value();
    }
  }

  void CheckDevice() {
    std::vector<std::string> device = {"--arch", "sm_90"};
    device.insert(device.end(), program_.device.begin(), program_.device.end());
    Generate(device, "device" + Ending());
    if (::testing::Test::HasFatalFailure()) return;
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
      EXPECT_THAT(log, HasSubstr(absl::StrCat(object, " 0\n"))) << ReadFile(object + ".err").value_or("");
      EXPECT_EQ(Difference(outputs_[i], ReadFile(object + ".out").value_or("")), "")
          << ReadFile(Path("device" + Ending())).value() << ReadFile(Path("device.cu")).value_or("");
      // As it was tuned, it does run on the device.
      if (i > 0) continue;
      EXPECT_THAT(ReadFile(object + ".counts").value_or(""), Not(HasSubstr("allocations 0\n")));
    }
  }

 private:
  std::string Ending() const { return std::filesystem::path(program_.path).extension(); }
  std::string Path(const std::string& name) const { return folder_.path() + "/" + name; }

  std::vector<std::string> Compiler(size_t build, const std::vector<std::string>& words) const {
    std::vector<std::string> command = {
        Ending() == ".c" ? "cc" : "c++", "-O1", "-w", "-ffp-contract=off", "-I", kFolder};
    command.insert(command.end(), program_.builds[build].begin(), program_.builds[build].end());
    command.insert(command.end(), words.begin(), words.end());
    command.push_back("-lm");
    return command;
  }

  void Generate(std::vector<std::string> target, const std::string& output) {
    std::vector<std::string> command = {
        TUNE_BINARY_DIR "/bin/tunectl", "generate", program_.path, "-I", kFolder, "-o", Path(output)};
    command.insert(command.end(), target.begin(), target.end());
    for (const std::string& flag : program_.builds[0]) {
      if (absl::StartsWith(flag, "-D")) command.push_back(flag);
      if (absl::StartsWith(flag, "-std=")) command.push_back("--cflags=" + flag);
    }
    for (const std::string& parameter : program_.parameters)
      command.insert(command.end(), {"--parameter", parameter});
    bool ok = false;
    const std::string log = RunCommand(command, &ok);
    ASSERT_TRUE(ok) << log;
  }

  const Program program_;
  const TemporaryFolder folder_;
  std::vector<std::string> outputs_;  // the original's, by build
};

void Check(const Program& program) {
  Builds builds(program);
  builds.RunOriginal();
  if (!::testing::Test::HasFatalFailure()) builds.CheckHost();
  if (!::testing::Test::HasFatalFailure()) builds.CheckDevice();
}

std::string TestName(const ::testing::TestParamInfo<std::string>& info) {
  std::string name = info.param;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

// Until the copies back no failure of the device is the program's.
TEST(DeviceFile, WhatFailsIsLeftToTheOriginal) {
  const TemporaryFolder folder = TemporaryFolder::Make().value();
  const std::string source = absl::StrCat(kFolder, "/in_a_loop.c"), base = folder.path() + "/loop";
  bool ok = false;
  std::string log = RunCommand({TUNE_BINARY_DIR "/bin/tunectl", "generate", source, "-I", kFolder, "--arch",
                                "sm_90", "--parameter", "n=24", "-o", base + ".c"},
                               &ok);
  ASSERT_TRUE(ok) << log;
  RunCommand({"cc", "-w", "-I", kFolder, source, "-o", base}, &ok);
  ASSERT_TRUE(ok);
  const std::string expected = RunCommand({base}, &ok);
  const std::string object = base + ".so";
  RunCommand({"cc", "-w", "-fPIC", "-shared", "-I", kFolder, base + ".c", "-o", object}, &ok);
  ASSERT_TRUE(ok);
  const std::vector<std::string> calls = {"-1", "1", "3", "6", "9"};
  std::vector<std::string> command = {TUNE_BINARY_DIR "/tests/simulated/run_on_simulated_device",
                                      base + ".cu"};
  for (const std::string& call : calls)
    command.insert(command.end(), {"--fail-from", call, "--output", base + call, object});
  log = RunCommand(command, &ok);
  for (const std::string& call : calls) {
    EXPECT_THAT(log, HasSubstr(base + call + " 0\n")) << call;
    EXPECT_EQ(Difference(expected, ReadFile(base + call + ".out").value_or("")), "") << call;
    EXPECT_THAT(ReadFile(base + call + ".err").value_or(""),
                HasSubstr("f: its original code runs instead of the tuned one"))
        << call;
  }
}

// Calls by the device entry point, by a handle and by what replaces the region: memory is taken once for each
// handle, and launches are recorded by the bench alone, which puts calls of the device entry point into
// graphs.
TEST(DeviceFile, CallsAllocateAndRecordNothing) {
  const TemporaryFolder folder = TemporaryFolder::Make().value();
  bool ok = false;
  const std::string log =
      RunCommand({"env", "TUNE_BUILD=" TUNE_BINARY_DIR, "bash",
                  TUNE_SOURCE_DIR "/tests/bench/entry_points.sh", "--simulated", folder.path()},
                 &ok);
  ASSERT_TRUE(ok) << log;
  EXPECT_THAT(log, HasSubstr("entry_points.so 0\n"));
  // Five arrays of the bench, and of each program two handles.
  EXPECT_THAT(log, HasSubstr("allocations 15\nfrees 5\n"));
  EXPECT_THAT(log, HasSubstr("recordings 2\n"));
}

class SmallProgram : public ::testing::TestWithParam<std::string> {};
TEST_P(SmallProgram, PrintsWhatTheOriginalPrints) { Check(ReadProgram(GetParam())); }
INSTANTIATE_TEST_SUITE_P(TunedBuilds, SmallProgram, ::testing::ValuesIn(testing::NamesOfCFiles(kFolder)),
                         TestName);

class SmallCppProgram : public ::testing::TestWithParam<std::string> {};
TEST_P(SmallCppProgram, PrintsWhatTheOriginalPrints) { Check(ReadProgram(GetParam(), ".cpp")); }
INSTANTIATE_TEST_SUITE_P(TunedBuilds, SmallCppProgram,
                         ::testing::ValuesIn(testing::NamesOfFiles(kFolder, ".cpp")), TestName);

// The value of the macro that has the parameter's name in capitals.
std::vector<std::string> ParametersOf(const std::string& path, const std::vector<std::string>& flags) {
  std::vector<std::string> parameters;
  const auto extraction = testing::ExtractFile(path, flags);
  EXPECT_TRUE(extraction.ok()) << extraction.status();
  if (!extraction.ok()) return parameters;
  for (const v1::Parameter& parameter : extraction->scops(0).parameters()) {
    const std::string macro = absl::StrCat("-D", absl::AsciiStrToUpper(parameter.name()), "=");
    for (const std::string& flag : flags) {
      if (absl::StartsWith(flag, macro))
        parameters.push_back(absl::StrCat(parameter.name(), "=", flag.substr(macro.size())));
    }
  }
  return parameters;
}

void CheckLarger(Program program) {
  program.parameters = ParametersOf(program.path, program.builds[0]);
  Check(program);
}

class LargerProgram : public ::testing::TestWithParam<std::string> {};
TEST_P(LargerProgram, PrintsWhatTheOriginalPrints) {
  CheckLarger(ReadLargerProgram(GetParam(), testing::ProgramPath(GetParam())));
}
INSTANTIATE_TEST_SUITE_P(TunedBuilds, LargerProgram, ::testing::ValuesIn(testing::ProgramNames()), TestName);

constexpr char kExamples[] = TUNE_SOURCE_DIR "/client/examples";
class Example : public ::testing::TestWithParam<std::string> {};
TEST_P(Example, PrintsWhatTheOriginalPrints) {
  CheckLarger(ReadLargerProgram(GetParam(), absl::StrCat(kExamples, "/", GetParam(), ".c")));
}
INSTANTIATE_TEST_SUITE_P(TunedBuilds, Example, ::testing::ValuesIn(testing::NamesOfCFiles(kExamples)),
                         TestName);

}  // namespace
}  // namespace tune
