// Programs of tests/programs through the real programs, a third of them, or all (EachOf): extracted,
// scheduled, tuned, verified, fetched, and the fetched file prints what the original prints.
#include "tests/common/testing/programs.h"

#include <filesystem>

#include "tests/common/testing/sanitized.h"
#include "tests/end_to_end/installation.h"

namespace tune {
namespace {

std::string CompileAndRun(const std::string& source, const std::string& binary) {
  SubprocessOptions options;
  options.wall_limit = absl::Minutes(1);
  const auto compiled = RunSubprocess({"cc", "-O3", "-march=native", "-fopenmp", "-Wall", "-Werror",
                                       "-Wno-unknown-pragmas", source, "-o", binary, "-lm"},
                                      options);
  EXPECT_TRUE(compiled.ok() && compiled->ok()) << (compiled.ok() ? compiled->standard_error : "");
  const auto run = RunSubprocess({binary}, options);
  EXPECT_TRUE(run.ok() && run->ok()) << source;
  return run.ok() ? run->standard_output : "";
}

// Numbers agree to ten digits, everything else exactly.
void ExpectSameOutput(const std::string& expected, const std::string& found) {
  std::istringstream a(expected), b(found);
  std::string word_a, word_b;
  while (a >> word_a) {
    ASSERT_TRUE(b >> word_b) << "the tuned program prints less";
    char* end = nullptr;
    const double value = std::strtod(word_a.c_str(), &end);
    if (*end != '\0') {
      EXPECT_EQ(word_a, word_b);
    } else {
      EXPECT_NEAR(value, std::strtod(word_b.c_str(), nullptr), 1e-8 * std::max(1.0, std::abs(value)));
    }
  }
  EXPECT_FALSE(b >> word_b) << "the tuned program prints more";
}

// A fifth of the programs each, so that they are spread over what ctest runs at once.
constexpr size_t kParts = 5;
class Programs : public ::testing::TestWithParam<size_t> {};

TEST_P(Programs, AreTunedAndTheirTunedFilesAgree) {
  const std::vector<std::string> all = testing::EachOf(3, testing::ProgramNames());
  std::vector<std::string> names;
  for (size_t i = GetParam(); i < all.size(); i += kParts) names.push_back(all[i]);
  Installation installation;
  installation.Start();
  if (HasFatalFailure()) return;
  std::vector<std::string> studies;
  for (const std::string& name : names) {
    // Little time for samples, and few candidates: what is tested is that all is right, not that it is fast;
    // tests/worker/codegen runs more configurations.
    const std::vector<std::string> ids =
        installation.Submit({testing::ProgramPath(name), "--evaluations", "2", "--ants", "2", "--confirm",
                             "1", "--time-limit", "2s", "--ldflags=-lm"});
    ASSERT_EQ(ids.size(), 1) << name;
    studies.push_back(ids[0]);
  }
  for (size_t i = 0; i < names.size(); ++i) {
    SCOPED_TRACE(names[i]);
    const Json study = installation.WaitForEnd(studies[i], 300);
    ASSERT_EQ(study.value("state", ""), "done") << study.value("failure", "");
    EXPECT_EQ(study.value("evaluated", 0), 2) << study.value("note", "");
    EXPECT_FALSE(study["best_index"].is_null());
    for (const auto& [outcome, count] : study["outcomes"].items()) {
      EXPECT_NE(outcome, "correctness") << count;
      EXPECT_NE(outcome, "runtime") << count;
    }
    EXPECT_EQ(study["confirmation"]["check"].value("outcome", ""), "correct") << study["confirmation"];
    const std::string tuned = installation.path("tuned.c");
    const SubprocessResult fetched = installation.Tunectl({"fetch", studies[i], "-o", tuned, "--force"});
    ASSERT_TRUE(fetched.ok()) << fetched.standard_error;
    // The server made the same code itself.
    EXPECT_EQ(fetched.standard_error.find("Beware"), std::string::npos) << fetched.standard_error;
    EXPECT_TRUE(study["warnings"].empty()) << study["warnings"];
    ExpectSameOutput(CompileAndRun(testing::ProgramPath(names[i]), installation.path("original")),
                     CompileAndRun(tuned, installation.path("tuned")));
    std::filesystem::remove(tuned);
  }
}
INSTANTIATE_TEST_SUITE_P(Parts, Programs,
                         ::testing::Range(size_t{0}, testing::kSanitized ? size_t{2} : kParts));

}  // namespace
}  // namespace tune
