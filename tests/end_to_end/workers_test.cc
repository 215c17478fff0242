// Workers that come and go.
#include <gmock/gmock.h>

#include "tests/end_to_end/installation.h"

namespace tune {
namespace {

// The space is that of the device that the study is bound to.
TEST(Workers, OneWithFewerThreadsGoesOnWithAStudy) {
  Installation installation;
  installation.StartServer();
  installation.StartWorker("", {"--threads", "4"});
  const std::string study = installation.Submit({TUNE_SOURCE_DIR "/tests/end_to_end/small.c", "--strategy",
                                                 "random", "--evaluations", "12", "--seed", "3"})[0];
  const auto evaluated = [&](int index) {
    const SubprocessResult shown = installation.Tunectl({"--json", "show", absl::StrCat(study, "/", index)});
    return shown.ok() && Json::parse(shown.standard_output)["evaluation"].contains("outcome");
  };
  ASSERT_TRUE(WaitUntil([&] { return evaluated(0); }, 60));
  installation.worker->Kill();
  installation.StartWorker("", {"--threads", "1"});
  ASSERT_EQ(installation.WaitForEnd(study).value("state", ""), "done");
  for (int index = 0; index < 12; ++index) {
    const Json candidate = installation.TunectlJson({"show", absl::StrCat(study, "/", index)});
    // Slower, perhaps, but made and run.
    EXPECT_THAT(candidate["evaluation"].value("outcome", ""), ::testing::AnyOf("correct", "timeout"))
        << candidate;
  }
}

}  // namespace
}  // namespace tune
