// Studies that look at configurations before they measure them, through the real programs and a simulated
// GPU.
#include <gmock/gmock.h>

#include <cstdlib>

#include "tests/common/testing/programs.h"
#include "tests/end_to_end/installation.h"

namespace tune {
namespace {

using ::testing::ContainsRegex;
using ::testing::HasSubstr;

class CarvingTest : public ::testing::Test {
 protected:
  void SetUp() override {
    installation_.StartServer();
    setenv("TUNE_LIBEXEC", TUNE_BINARY_DIR "/tests/simulated", 1);
    installation_.StartWorker();
    unsetenv("TUNE_LIBEXEC");
  }
  // The study's id, once it is done.
  std::string Tune(const std::vector<std::string>& options) {
    std::vector<std::string> arguments = {testing::ProgramPath("gemm"), "--ldflags=-lm", "--confirm", "2"};
    arguments.insert(arguments.end(), options.begin(), options.end());
    const std::vector<std::string> ids = installation_.Submit(arguments);
    EXPECT_EQ(ids.size(), 1);
    study_ = installation_.WaitForEnd(ids.at(0), 600);
    EXPECT_EQ(study_.value("state", ""), "done") << study_.value("failure", "");
    EXPECT_FALSE(study_["best_index"].is_null());
    return ids.at(0);
  }

  Installation installation_;
  Json study_;
};

TEST_F(CarvingTest, WhatIsCarvedIsNotMeasured) {
  const std::string id =
      Tune({"--carve", "--inspections", "24", "--evaluations", "5", "--strategy", "uniform"});
  EXPECT_EQ(study_.value("target", ""), "cuda");
  EXPECT_EQ(study_["inspections"].value("planned", 0), 12);
  EXPECT_GE(study_["inspections"].value("inspected", 0), 12);
  EXPECT_GT(study_["inspections"].value("removed", 0), 0);
  EXPECT_EQ(study_.value("evaluated", 0), 5);
  const Json carving = installation_.TunectlJson({"carving", id});
  EXPECT_GT(carving.value("kept", 0), 0);
  EXPECT_LT(carving.value("share_kept", 1.0), 1);
  int known = 0;
  for (const Json& inspection : carving["inspections"]) {
    known += !inspection["kernels"].empty();
    // The default is always measured.
    if (!inspection.value("removed", false) || inspection["candidate"].is_null() || inspection["index"] == 0)
      continue;
    EXPECT_EQ(inspection.value("outcome", ""), "carved");
  }
  EXPECT_GT(known, 6) << carving;
  const SubprocessResult shown = installation_.Tunectl({"show", id});
  EXPECT_THAT(shown.standard_output, ContainsRegex("inspected +[0-9]+ configurations; before the search 12"));
  EXPECT_THAT(shown.standard_output, HasSubstr("carving with margin 0"));
}

TEST_F(CarvingTest, TheStrategyEndsWithWhatIsLeft) {
  const std::string id = Tune({"--strategy", "carving", "--inspections", "16", "--carve-margin", "0.05"});
  const Json carving = installation_.TunectlJson({"carving", id});
  const int kept = carving.value("kept", 0);
  EXPECT_EQ(carving.value("inspected", 0), 16);
  EXPECT_LT(kept, 16);
  EXPECT_GE(study_.value("evaluated", 0), kept);
  EXPECT_LE(study_.value("evaluated", 0), kept + 1) << "the default too";
  const SubprocessResult report = installation_.Tunectl({"carving", id, "--list"});
  EXPECT_THAT(report.standard_output, ContainsRegex("kept +[0-9]+, [0-9.]+ % of them"));
  EXPECT_THAT(report.standard_output, HasSubstr("utilisation"));
  for (const Json& inspection : carving["inspections"]) {
    if (!inspection.value("removed", false)) continue;
    const std::string index = absl::StrCat(inspection["index"].get<int>());
    const SubprocessResult why = installation_.Tunectl({"carving", id, "--inspection", index});
    EXPECT_THAT(why.standard_output, HasSubstr("inspection " + index + " is removed: "));
    break;
  }
}

TEST_F(CarvingTest, WhatDoesNotApplyIsRefused) {
  const std::string program = testing::ProgramPath("gemm");
  const SubprocessResult cpu = installation_.Tunectl({"submit", program, "--target", "cpu", "--carve"});
  EXPECT_EQ(cpu.exit_code, 2);
  EXPECT_THAT(cpu.standard_error, HasSubstr("carving looks at compiled code for GPUs"));
  const SubprocessResult both = installation_.Tunectl({"submit", program, "--inspect", "--carve"});
  EXPECT_EQ(both.exit_code, 2);
  EXPECT_THAT(both.standard_error, HasSubstr("leave one out"));
}

}  // namespace
}  // namespace tune
