// Random programs of forms, tuned off line for both targets, against what the original prints. Environment:
// TUNE_FORM_PROGRAMS, how many of them (8); TUNE_FORM_SEED, the first seed, which alone is run where no
// number is given.
#include <gtest/gtest.h>

#include <cstdlib>
#include <iostream>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "common/base/file.h"
#include "tests/common/testing/programs.h"
#include "tests/common/testing/sanitized.h"
#include "tests/random_programs/forms/form_program.h"
#include "tests/tuned_builds/tuned_program.h"

namespace tune {
namespace {

constexpr int kMostRefusedPercent = 30;

int64_t FormEnvironment(const char* name, int64_t standard) {
  const char* value = std::getenv(name);
  return value == nullptr ? standard : std::atoll(value);
}

int64_t FirstFormSeed() { return FormEnvironment("TUNE_FORM_SEED", 1); }
int64_t FormPrograms() {
  const bool one = std::getenv("TUNE_FORM_SEED") != nullptr;
  return FormEnvironment("TUNE_FORM_PROGRAMS", one ? 1 : testing::kSanitized ? 2 : 8);
}

struct FormFigures {
  int programs = 0, refused = 0;
};
FormFigures& Counted() {
  static FormFigures figures;
  return figures;
}

// Those that the region has, or nothing where it is refused.
std::optional<std::vector<std::string>> ParametersIn(const testing::FormProgram& program,
                                                     const std::string& path) {
  const absl::StatusOr<v1::Extraction> extraction = testing::ExtractFile(path);
  if (!extraction.ok()) {
    EXPECT_FALSE(absl::StrContains(extraction.status().message(), "rash")) << extraction.status();
    std::cout << "refused: " << extraction.status().message().substr(0, 300) << "\n";
    return std::nullopt;
  }
  std::vector<std::string> parameters;
  for (const v1::Parameter& parameter : extraction->scops(0).parameters()) {
    for (const std::string& known : program.parameters) {
      if (absl::StartsWith(known, parameter.name() + "=")) parameters.push_back(known);
    }
  }
  return parameters;
}

class FormProgramsTest : public ::testing::TestWithParam<int64_t> {};

TEST_P(FormProgramsTest, PrintWhatTheOriginalPrints) {
  if (testing::kSanitizedThreads) GTEST_SKIP() << "the simulator has one thread";
  const auto seed = static_cast<uint64_t>(FirstFormSeed() + GetParam());
  const testing::FormProgram program = testing::MakeFormProgram(seed);
  SCOPED_TRACE(absl::StrCat("repeat with: TUNE_FORM_SEED=", seed, " build/tests/random_programs_test\n",
                            program.text));
  const TemporaryFolder folder = TemporaryFolder::Make().value();
  testing::TunedProgram tuned{"forms", folder.path() + "/forms.c", {{}}, {}};
  ASSERT_TRUE(WriteFile(tuned.path, program.text).ok());
  ++Counted().programs;
  const std::optional<std::vector<std::string>> parameters = ParametersIn(program, tuned.path);
  if (!parameters) {
    ++Counted().refused;
    return;
  }
  tuned.parameters = *parameters;
  if (program.exact) tuned.options = {"--exact"};
  tuned.tolerance = program.exact ? 1e-12 : 1e-4;
  tuned.runs_on_device = false;
  tuned.may_be_too_hard = true;
  tuned.limit = absl::Seconds(30);
  testing::CheckTunedProgram(tuned);
}

INSTANTIATE_TEST_SUITE_P(From, FormProgramsTest, ::testing::Range<int64_t>(0, FormPrograms()));

// After all others of the process.
class FormFiguresEnvironment : public ::testing::Environment {
 public:
  void TearDown() override {
    if (Counted().programs < 20) return;
    std::cout << Counted().programs << " programs of forms, " << Counted().refused << " refused\n";
    EXPECT_LE(100 * Counted().refused, kMostRefusedPercent * Counted().programs) << "too many are refused";
  }
};

const auto* const kFormFigures = ::testing::AddGlobalTestEnvironment(new FormFiguresEnvironment);

}  // namespace
}  // namespace tune
