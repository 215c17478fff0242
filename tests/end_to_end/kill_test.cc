// kill -9 of server, worker and client at random moments, also amid other faults: the study ends with the
// candidates, in the order, with the outcomes of an undisturbed run.
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cstdlib>
#include <memory>

#include "absl/strings/numbers.h"
#include "common/base/random.h"
#include "tests/common/testing/sanitized.h"
#include "tests/end_to_end/relay.h"
#include "tests/end_to_end/steady_study.h"

namespace tune {
namespace {

// Of all scenes together: TUNE_KILL_ROUNDS, a thousand with `ctest -C long -L long`. One in 25 is of a GPU.
int Rounds() {
  int wanted = 0;
  const char* told = std::getenv("TUNE_KILL_ROUNDS");
  if (told != nullptr && absl::SimpleAtoi(told, &wanted)) return wanted;
  return testing::kSanitized ? 8 : 40;
}
int CudaRounds() { return Rounds() / 25; }
int SteadyRounds() { return (Rounds() - CudaRounds()) / 4; }

// What can be disturbed: a server, a worker behind a relay, and a client that watches.
class Scene {
 public:
  Scene() : relay_(installation.path("relay.sock"), installation.socket()) { installation.StartServer(); }

  // `libexec`: where it finds its programs; empty: beside it.
  void StartWorker(const std::string& program, const std::string& libexec = "") {
    program_ = program;
    libexec_ = libexec;
    if (!libexec.empty()) setenv("TUNE_LIBEXEC", libexec.c_str(), 1);
    installation.StartWorker(program, {"--server", "unix:" + installation.path("relay.sock")});
    unsetenv("TUNE_LIBEXEC");
  }
  void Watch(const std::string& study) {
    absl::StatusOr<Daemon> client =
        Daemon::Start({Program("tunectl"), "--server", installation.address(), "watch", study},
                      installation.path("client.log"));
    ASSERT_TRUE(client.ok());
    client_ = *std::move(client);
  }

  // Kills one of the three and starts it again.
  void Kill(Random& random) {
    switch (random.Below(3)) {
      case 0:
        installation.server->Kill();
        installation.StartServer();
        break;
      case 1:
        installation.worker->Kill();
        StartWorker(std::string(program_), std::string(libexec_));
        break;
      default:
        client_->Kill();
    }
  }

  // One of the faults, for a moment; a process may be killed meanwhile.
  void Fail(Random& random) {
    switch (random.Below(4)) {
      case 0:
        Suspend(*installation.server, random);
        break;
      case 1:
        Suspend(*installation.worker, random);
        break;
      case 2:
        relay_.Cut();
        Pass(random, 100'000);
        if (random.Below(2) == 0) relay_.Break();
        if (random.Below(2) == 0) Kill(random);
        relay_.Mend();
        break;
      default:
        LimitFiles(4096);
        Pass(random, 100'000);
        if (random.Below(2) == 0) Kill(random);
        LimitFiles(RLIM_INFINITY);
    }
  }

  // The moment is random on purpose: this test looks for moments that nobody thought of.
  static void Pass(Random& random, int longest_us) {
    usleep(static_cast<useconds_t>(random.Below(static_cast<uint64_t>(longest_us))));
  }

  Installation installation;

 private:
  static void Suspend(const Daemon& daemon, Random& random) {
    daemon.Signal(SIGSTOP);
    Pass(random, 100'000);
    daemon.Signal(SIGCONT);
  }
  // A full disk: no file of the server can grow.
  void LimitFiles(rlim_t bytes) {
    const rlimit limit = {bytes, RLIM_INFINITY};
    prlimit(installation.server->pid(), RLIMIT_FSIZE, &limit, nullptr);
  }

  Relay relay_;
  std::string program_, libexec_;
  std::optional<Daemon> client_;
};

struct SceneKind {
  std::string strategy;
  bool faults;
};

class KillTest : public ::testing::TestWithParam<SceneKind> {};

TEST_P(KillTest, StudyIsTheSameAfterKillsAtRandomMoments) {
  const std::string expected = UndisturbedHistory(GetParam().strategy);
  Random random(2024, GetParam().faults);
  for (int round = 0; round < SteadyRounds(); ++round) {
    SCOPED_TRACE(absl::StrCat("round ", round));
    Scene scene;
    scene.StartWorker(SteadyWorker());
    const std::string study = scene.installation.Submit(SteadyArguments(GetParam().strategy))[0];
    scene.Watch(study);
    for (int i = 0; i < 2; ++i) {
      Scene::Pass(random, 300'000);  // the study takes about as long
      GetParam().faults&& random.Below(2) == 0 ? scene.Fail(random) : scene.Kill(random);
    }
    ASSERT_EQ(scene.installation.WaitForEnd(study).value("state", ""), "done");
    ASSERT_EQ(History(scene.installation, study), expected);
  }
}

INSTANTIATE_TEST_SUITE_P(Strategies, KillTest,
                         ::testing::Values(SceneKind{"ants", false}, SceneKind{"random", false},
                                           SceneKind{"ants", true}, SceneKind{"random", true}),
                         [](const auto& info) {
                           return info.param.strategy + (info.param.faults ? "WithFaults" : "");
                         });

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

constexpr int kCudaEvaluations = 6;

// The same candidate takes the same time there, so the search goes the same way.
TEST(SimulatedCudaKillTest, StudyIsTheSameAfterKillsAtRandomMoments) {
  const auto study_of = [](Scene& scene) {
    scene.StartWorker("", TUNE_BINARY_DIR "/tests/simulated");
    return scene.installation.Submit(SteadyArguments("ants", kCudaEvaluations))[0];
  };
  const auto history = [](Scene& scene, const std::string& study) {
    EXPECT_EQ(scene.installation.WaitForEnd(study, 300).value("state", ""), "done");
    std::string text;
    for (int index = 0; index < kCudaEvaluations; ++index) {
      const Json candidate = scene.installation.TunectlJson({"show", absl::StrCat(study, "/", index)});
      EXPECT_EQ(candidate["evaluation"].value("device", "").substr(0, 4), "cuda") << candidate;
      absl::StrAppend(&text, candidate["configuration"].dump(), candidate["evaluation"]["outcome"].dump(),
                      "\n");
    }
    return text;
  };
  std::string expected;
  Random random(2026);
  for (int round = 0; round <= CudaRounds(); ++round) {
    SCOPED_TRACE(absl::StrCat("round ", round));
    Scene scene;
    const std::string study = study_of(scene);
    scene.Watch(study);
    for (int i = 0; i < 2 && round > 0; ++i) {  // the first is undisturbed
      Scene::Pass(random, 1'500'000);
      round % 2 == 0 ? scene.Fail(random) : scene.Kill(random);
    }
    const std::string found = history(scene, study);
    if (round == 0) expected = found;
    ASSERT_EQ(found, expected);
  }
}

}  // namespace
}  // namespace tune
