// kill -9 of server, worker and client at random moments: the study ends with the candidates, in the order,
// with the outcomes of an undisturbed run.
#include <signal.h>
#include <unistd.h>

#include "common/base/random.h"
#include "tests/common/testing/sanitized.h"
#include "tests/end_to_end/installation.h"

namespace tune {
namespace {

constexpr int kRounds = testing::kSanitized ? 3 : 25;  // of each strategy

std::vector<std::string> SubmitArguments(const std::string& strategy) {
  return {TUNE_SOURCE_DIR "/tests/end_to_end/small.c",
          "--strategy",
          strategy,
          "--evaluations",
          "24",
          "--ants",
          "6",
          "--seed",
          "11"};
}

// Everything that must not depend on the kills: index, decisions, outcome and time of each candidate.
std::string History(const Installation& installation, const std::string& study) {
  std::string text;
  for (int index = 0; index < 24; ++index) {
    const Json candidate = installation.TunectlJson({"show", absl::StrCat(study, "/", index)});
    absl::StrAppend(&text, index, " ", candidate["configuration"].dump(), " ",
                    candidate["evaluation"]["outcome"].dump(), " ",
                    candidate["evaluation"]["measurement"].dump(), "\n");
  }
  return text;
}

class KillTest : public ::testing::TestWithParam<std::string> {
 protected:
  static std::string Steady() { return TUNE_BINARY_DIR "/tests/steady_worker"; }

  static std::string Undisturbed() {
    Installation installation;
    installation.StartServer();
    installation.StartWorker(Steady());
    const std::string study = installation.Submit(SubmitArguments(GetParam()))[0];
    EXPECT_EQ(installation.WaitForEnd(study).value("state", ""), "done");
    return History(installation, study);
  }
};

// Kills one of the three at a moment drawn from the first 300 ms of the study and starts it again.
void Disturb(Installation& installation, const std::string& steady, Daemon& client, Random& random) {
  // The moment is random on purpose: this test looks for moments that nobody thought of.
  usleep(static_cast<useconds_t>(random.Below(300'000)));
  switch (random.Below(3)) {
    case 0:
      installation.server->Kill();
      installation.StartServer();
      break;
    case 1:
      installation.worker->Kill();
      installation.StartWorker(steady);
      break;
    default:
      client.Kill();
  }
}

TEST_P(KillTest, StudyIsTheSameAfterKillsAtRandomMoments) {
  const std::string expected = Undisturbed();
  Random random(2024);
  for (int round = 0; round < kRounds; ++round) {
    SCOPED_TRACE(absl::StrCat("round ", round));
    Installation installation;
    installation.StartServer();
    installation.StartWorker(Steady());
    const std::string study = installation.Submit(SubmitArguments(GetParam()))[0];
    absl::StatusOr<Daemon> client =
        Daemon::Start({Program("tunectl"), "--server", installation.address(), "watch", study},
                      installation.path("client.log"));
    ASSERT_TRUE(client.ok());
    Disturb(installation, Steady(), *client, random);
    Disturb(installation, Steady(), *client, random);
    ASSERT_EQ(installation.WaitForEnd(study).value("state", ""), "done");
    ASSERT_EQ(History(installation, study), expected);
  }
}

constexpr int kRealEvaluations = 8;

std::vector<std::string> Configurations(const Installation& installation, const std::string& study) {
  std::vector<std::string> configurations;
  for (int index = 0; index < kRealEvaluations; ++index) {
    const Json candidate = installation.TunectlJson({"show", absl::StrCat(study, "/", index)});
    EXPECT_TRUE(candidate["evaluation"].contains("outcome")) << candidate;
    configurations.push_back(candidate["configuration"].dump());
  }
  return configurations;
}

// The worker that compiles and measures, killed in the middle of it. Its times differ from run to run, so the
// strategy is one that does not look at them.
TEST(RealWorkerKillTest, StudyHasTheSameCandidatesAfterKillsAtRandomMoments) {
  const std::vector<std::string> arguments = {TUNE_SOURCE_DIR "/tests/end_to_end/small.c",
                                              "--strategy",
                                              "random",
                                              "--evaluations",
                                              absl::StrCat(kRealEvaluations),
                                              "--seed",
                                              "7"};
  Installation undisturbed;
  undisturbed.Start();
  const std::string calm = undisturbed.Submit(arguments)[0];
  ASSERT_EQ(undisturbed.WaitForEnd(calm, 300).value("state", ""), "done");
  Installation installation;
  installation.Start();
  const std::string study = installation.Submit(arguments)[0];
  Random random(2025);
  for (int kill = 0; kill < 4; ++kill) {
    usleep(static_cast<useconds_t>(random.Below(2'500'000)));
    if (kill % 2 == 0) {
      installation.worker->Kill();
      installation.StartWorker();
    } else {
      installation.server->Kill();
      installation.StartServer();
    }
  }
  ASSERT_EQ(installation.WaitForEnd(study, 300).value("state", ""), "done");
  EXPECT_EQ(Configurations(installation, study), Configurations(undisturbed, calm));
}

INSTANTIATE_TEST_SUITE_P(Strategies, KillTest, ::testing::Values("ants", "random"),
                         [](const auto& info) { return info.param; });

}  // namespace
}  // namespace tune
