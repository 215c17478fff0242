// Workers that come and go.
#include <gmock/gmock.h>

#include <cstdlib>
#include <utility>

#include "absl/strings/match.h"
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

// The other one does all the work, and it is told which one does none.
TEST(Workers, OneOfTwoGpusIsBroken) {
  Installation installation;
  installation.StartServer();
  setenv("TUNE_LIBEXEC", TUNE_BINARY_DIR "/tests/simulated", 1);
  setenv("CUDA_SIMULATED_BROKEN_GPU", "0", 1);
  installation.StartWorker("", {"--slots", "4"});
  unsetenv("TUNE_LIBEXEC");
  unsetenv("CUDA_SIMULATED_BROKEN_GPU");
  if (::testing::Test::HasFatalFailure()) return;
  const std::string study =
      installation.Submit({TUNE_SOURCE_DIR "/tests/end_to_end/small.c", "--strategy", "random",
                           "--evaluations", "12", "--confirm", "2", "--seed", "3"})[0];
  ASSERT_EQ(installation.WaitForEnd(study, 300).value("state", ""), "done");
  for (int index = 0; index < 12; ++index) {
    const Json candidate = installation.TunectlJson({"show", absl::StrCat(study, "/", index)});
    EXPECT_NE(candidate["evaluation"].value("outcome", ""), "runtime") << candidate;
    EXPECT_NE(candidate["evaluation"].value("device", ""), "cuda:0") << candidate;
  }
  const Json worker = installation.TunectlJson({"workers"})[0];
  EXPECT_EQ(worker.value("state", ""), "idle");
  EXPECT_THAT(worker["devices"][0].value("quarantine", ""),
              ::testing::HasSubstr("the device has fallen off the bus"));
  EXPECT_EQ(worker["devices"][1].value("quarantine", "?"), "");
  const SubprocessResult table = installation.Tunectl({"workers"});
  EXPECT_THAT(table.standard_output,
              ::testing::ContainsRegex("cuda:0: simulated GPU, .*quarantined: failed"));
}

// The first of two sends text of its own among the code, and everybody's best times. What a user gets is what
// the server makes of the configurations itself, measured by the other one.
TEST(Workers, OneSendsOtherCode) {
  const std::string steady = TUNE_BINARY_DIR "/tests/steady_worker";
  Installation installation;
  installation.StartServer();
  installation.StartWorker(
      steady, {"--code", "--altered-code", "system(\"touch /tmp/x\");\n", "--pace", "0.5", "--name", "bad"});
  const std::string study =
      installation.Submit({TUNE_SOURCE_DIR "/tests/end_to_end/small.c", "--strategy", "random",
                           "--evaluations", "10", "--confirm", "2", "--seed", "3"})[0];
  const auto warnings = [&] { return installation.TunectlJson({"show", study})["warnings"].dump(); };
  ASSERT_TRUE(WaitUntil(
      [&] { return absl::StrContains(warnings(), "worker bad sent other code for candidate "); }, 60))
      << warnings();
  EXPECT_EQ(installation.TunectlJson({"show", study}).value("state", ""), "searching");
  EXPECT_THAT(installation.Tunectl({"workers"}).standard_output, ::testing::HasSubstr("sent other code"));
  const std::optional<Daemon> bad = std::exchange(installation.worker, std::nullopt);
  installation.StartWorker(steady, {"--code", "--name", "good"});
  const Json done = installation.WaitForEnd(study);
  ASSERT_EQ(done.value("state", ""), "done");
  EXPECT_EQ(done["confirmation"].value("worker", ""), "good");
  const Json best =
      installation.TunectlJson({"show", absl::StrCat(study, "/", done.value("best_index", -1))});
  EXPECT_TRUE(best["evaluation"].value("code_compared", false)) << best;
  const SubprocessResult fetched = installation.Tunectl({"fetch", study, "--force"});
  ASSERT_TRUE(fetched.ok()) << fetched.standard_error;
  EXPECT_THAT(fetched.standard_output, ::testing::HasSubstr("study " + study));
  EXPECT_THAT(fetched.standard_output, ::testing::Not(::testing::HasSubstr("system(")));
  EXPECT_THAT(fetched.standard_output, ::testing::Not(::testing::HasSubstr("Beware")));
  EXPECT_THAT(fetched.standard_error, ::testing::Not(::testing::HasSubstr("Beware")));
}

// One of three claims half the time of the others for the same candidates. It is found out while the study
// runs, and nothing of what it measured alone is confirmed.
TEST(Workers, OneOfThreeClaimsOtherTimes) {
  const std::string steady = TUNE_BINARY_DIR "/tests/steady_worker";
  Installation installation;
  installation.StartServer();
  std::vector<Daemon> others;
  for (const char* name : {"good", "better"}) {
    installation.StartWorker(steady, {"--name", name});
    others.push_back(*std::exchange(installation.worker, std::nullopt));
  }
  installation.StartWorker(steady, {"--name", "fast", "--pace", "0.5"});
  const std::string study = installation.Submit({TUNE_SOURCE_DIR "/tests/end_to_end/small.c", "--strategy",
                                                 "random", "--evaluations", "150", "--seed", "3"})[0];
  const Json done = installation.WaitForEnd(study);
  ASSERT_EQ(done.value("state", ""), "done");
  EXPECT_THAT(installation.Tunectl({"workers"}).standard_output,
              ::testing::HasSubstr("takes 0.50 to 0.50 times as long as others for the same candidates"));
  EXPECT_THAT(done["warnings"].dump(), ::testing::HasSubstr("worker fast was set aside"));
  for (const Json& confirmed : done["confirmation"]["candidates"]) {
    const Json candidate =
        installation.TunectlJson({"show", absl::StrCat(study, "/", confirmed.value("index", -1))});
    EXPECT_NE(candidate["evaluation"].value("worker", ""), "fast") << candidate;
  }
}

}  // namespace
}  // namespace tune
