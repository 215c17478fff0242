// Tuned files in builds and calls that they were not tuned for: each program is tuned as its first build has
// it (the default configuration of `tunectl generate`), for the host and for a GPU, then built with other
// macros and types, and prints what the original prints in the same build, or does not compile. The programs
// call their regions with other sizes, rows and overlaps themselves. GPUs are simulated
// (tests/simulated_cudart).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "absl/strings/match.h"
#include "absl/strings/str_join.h"
#include "common/base/file.h"
#include "common/base/subprocess.h"
#include "tests/common/testing/programs.h"
#include "tests/tuned_builds/tuned_program.h"

namespace tune {
namespace {

using ::testing::HasSubstr;

constexpr const char* kFolder = testing::kTunedPrograms;
using Program = testing::TunedProgram;
using testing::Difference;
using testing::ReadProgram;
using testing::RunCommand;

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
TEST_P(SmallProgram, PrintsWhatTheOriginalPrints) { testing::CheckTunedProgram(ReadProgram(GetParam())); }
INSTANTIATE_TEST_SUITE_P(TunedBuilds, SmallProgram, ::testing::ValuesIn(testing::NamesOfCFiles(kFolder)),
                         TestName);

class SmallCppProgram : public ::testing::TestWithParam<std::string> {};
TEST_P(SmallCppProgram, PrintsWhatTheOriginalPrints) {
  testing::CheckTunedProgram(ReadProgram(GetParam(), ".cpp"));
}
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
  testing::CheckTunedProgram(program);
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
