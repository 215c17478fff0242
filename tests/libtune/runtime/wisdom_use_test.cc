// What contexts remember, in files and across processes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cmath>
#include <fstream>
#include <thread>

#include "libtune/wisdom/wisdom_text.h"
#include "tests/libtune/runtime/test_context.h"
#include "tests/libtune/wisdom/temporary_folder.h"

namespace libtune {
namespace {

using testing::ElementsAre;
using testing::ElementsAreArray;
using testing::HasSubstr;

class WisdomUseTest : public testing::Test {
 protected:
  auto WithFile() {
    return [this](tune_options* options) { options->wisdom_file = file_.c_str(); };
  }
  void Learn(long size) {
    const TestContext context(WithFile());
    const TiledRegion tiled(context);
    tiled.Settle(size);
    tune_progress progress;
    learned_ = tiled.LookUp(size, &progress);
    EXPECT_EQ(learned_[0], 64);
  }

  std::vector<double> learned_;
  const TemporaryFolder folder_;
  const std::string file_ = folder_.File("wisdom");
};

TEST_F(WisdomUseTest, ALaterProgramIsSettledAtOnce) {
  Learn(500);
  const TestContext context(WithFile());
  const TiledRegion tiled(context);
  tune_progress progress;
  EXPECT_THAT(tiled.LookUp(500, &progress), ElementsAreArray(learned_));
  EXPECT_EQ(progress.source, TUNE_FROM_WISDOM);
  EXPECT_EQ(progress.settled, 1);
  EXPECT_EQ(tiled.Settle(500), 0);
}

TEST_F(WisdomUseTest, OtherSizesAreOfTheNearestOrTheDefault) {
  Learn(500);
  const TestContext context([this](tune_options* options) {
    options->wisdom_file = file_.c_str();
    options->mode = TUNE_LOOKUP;
  });
  const TiledRegion tiled(context);
  tune_progress progress;
  EXPECT_THAT(tiled.LookUp(1000, &progress), ElementsAreArray(learned_));
  EXPECT_EQ(progress.source, TUNE_FROM_NEAR);
  EXPECT_THAT(tiled.LookUp(1001, &progress), ElementsAre(1, 1));
  EXPECT_EQ(progress.source, TUNE_FROM_DEFAULT);
  EXPECT_EQ(tiled.Settle(1000), 0);  // nothing is tried
  EXPECT_THAT(tiled.LookUp(1000, &progress), ElementsAreArray(learned_));
  EXPECT_EQ(tiled.Settle(1001), 0);
}

TEST_F(WisdomUseTest, LookUpTriesNothingWhateverHappens) {
  Learn(500);
  const TestContext context([this](tune_options* options) {
    options->wisdom_file = file_.c_str();
    options->mode = TUNE_LOOKUP;
  });
  const TiledRegion tiled(context);
  const long size = 500;
  for (int i = 0; i < 100; ++i) {
    tune_call call;
    ASSERT_EQ(tune_next(tiled.region, &size, 1, &call), TUNE_OK);
    EXPECT_EQ(call.settled, 1);
    EXPECT_EQ(tune_integer(&call, tiled.tile), 64);
    ASSERT_EQ(tune_report(&call, 1000), TUNE_OK);
  }
}

TEST_F(WisdomUseTest, AnotherDeviceKnowsNothing) {
  Learn(500);
  const TestContext context([this](tune_options* options) {
    options->wisdom_file = file_.c_str();
    options->device = "another device";
  });
  const TiledRegion tiled(context);
  tune_progress progress;
  EXPECT_THAT(tiled.LookUp(500, &progress), ElementsAre(1, 1));
  EXPECT_EQ(progress.source, TUNE_FROM_DEFAULT);
  EXPECT_GT(tiled.Settle(500), 0);
}

TEST_F(WisdomUseTest, FilesThatAreRefusedAreToldAndLeftAlone) {
  Learn(500);
  const std::string good = TemporaryFolder::Read(file_);
  for (const std::string& content :
       {std::string("something else\n"), std::string("tune-wisdom\t9\n"), good.substr(0, good.size() / 2)}) {
    TemporaryFolder::Write(file_, content);
    TestContext context(WithFile());
    EXPECT_THAT(context.messages(), ElementsAre(HasSubstr("going on without it")));
    EXPECT_GT(TiledRegion(context).Settle(500), 0);
    EXPECT_EQ(tune_wisdom_save(context.get(), nullptr), TUNE_WRONG_STATE);
    EXPECT_EQ(tune_wisdom_load(context.get(), file_.c_str()), TUNE_REFUSED_FILE);
    EXPECT_THAT(tune_last_error(), HasSubstr(file_));
    context.Destroy();
    EXPECT_EQ(TemporaryFolder::Read(file_), content);
  }
}

TEST_F(WisdomUseTest, SavedAndLoadedByHand) {
  const std::string other = folder_.File("other");
  {
    const TestContext context;
    TiledRegion(context).Settle(300);
    ASSERT_EQ(tune_wisdom_save(context.get(), other.c_str()), TUNE_OK) << tune_last_error();
  }
  const TestContext context;
  const TiledRegion tiled(context);
  EXPECT_EQ(tune_wisdom_load(context.get(), folder_.File("none").c_str()), TUNE_NOT_FOUND);
  ASSERT_EQ(tune_wisdom_load(context.get(), other.c_str()), TUNE_OK);
  EXPECT_EQ(tiled.Settle(300), 0);
}

TEST_F(WisdomUseTest, WhatDriftedAwayIsReplacedInTheFile) {
  Learn(100);
  const TestContext context(WithFile());
  const TiledRegion tiled(context);
  const long size = 100;
  tune_call call;
  // All takes ten times as long now.
  for (int i = 0; i < 500; ++i) {
    ASSERT_EQ(tune_next(tiled.region, &size, 1, &call), TUNE_OK);
    ASSERT_EQ(tune_report(&call, 10 * tiled.Seconds(call, size)), TUNE_OK);
  }
  EXPECT_THAT(TemporaryFolder::Read(file_), HasSubstr("\t100\t10\tthreads=1\ttile=64\n"));
}

TEST_F(WisdomUseTest, WhatOthersAddIsSeenWithNewInputs) {
  const TestContext context(WithFile());
  const TiledRegion tiled(context);
  EXPECT_GT(tiled.Settle(300), 0);
  Learn(700);  // another context, as of another process
  tune_progress progress;
  EXPECT_EQ(tiled.Settle(700), 0);
  EXPECT_THAT(tiled.LookUp(700, &progress), ElementsAreArray(learned_));
  EXPECT_EQ(progress.source, TUNE_FROM_WISDOM);
}

// Calls with inputs that are settled, as those of a program that runs for days: a result of another process,
// or of a server, that stands in the file is taken where it is faster, within so many calls as take little.
class NewsTest : public WisdomUseTest {
 protected:
  // One entry, of inputs 500, as what refreshes the file writes it.
  void Write(const std::string& region, double seconds, const std::map<std::string, std::string>& values) {
    Wisdom wisdom;
    wisdom.Add({region, "test device", {500}}, {seconds, values});
    TemporaryFolder::Write(file_, WisdomText(wisdom));
  }
  void Write(double seconds, int tile) {
    Write("tiled", seconds, {{"threads", "5"}, {"tile", std::to_string(tile)}});
  }
  // The tile of the last of so many settled calls.
  static long TileAfter(const TiledRegion& tiled, int calls, double seconds) {
    const long size = 500;
    tune_call call = {};
    for (int i = 0; i < calls; ++i) {
      EXPECT_EQ(tune_next(tiled.region, &size, 1, &call), TUNE_OK) << tune_last_error();
      EXPECT_EQ(call.settled, 1);
      EXPECT_EQ(tune_report(&call, seconds), TUNE_OK);
    }
    return tune_integer(&call, tiled.tile);
  }
};

TEST_F(NewsTest, SettledInputsTakeWhatIsFaster) {
  Write(3e-6, 8);
  const TestContext context(WithFile());
  const TiledRegion tiled(context);
  EXPECT_EQ(TileAfter(tiled, 10, 3e-6), 8);
  Write(2e-6, 16);
  EXPECT_EQ(TileAfter(tiled, 100, 3e-6), 8) << "not in each of many short calls";
  EXPECT_EQ(TileAfter(tiled, 256, 3e-6), 16);
  tune_progress progress;
  EXPECT_EQ(tiled.LookUp(500, &progress)[0], 16);
  EXPECT_EQ(progress.source, TUNE_FROM_WISDOM);
  Write(4e-6, 32);
  EXPECT_EQ(TileAfter(tiled, 600, 2e-6), 16) << "slower";
}

TEST_F(NewsTest, LongCallsAskMoreOften) {
  Write(3, 8);
  const TestContext context(WithFile());
  const TiledRegion tiled(context);
  EXPECT_EQ(TileAfter(tiled, 3, 3), 8);
  Write(2, 16);
  EXPECT_EQ(TileAfter(tiled, 9, 3), 16);
}

TEST_F(NewsTest, OfTheProgramsOwnSearch) {
  const TestContext context(WithFile());
  const TiledRegion tiled(context);
  tiled.Settle(500);
  Write(0.9, 16);
  EXPECT_EQ(TileAfter(tiled, 9, 1), 16);
}

// Where nothing is tried, what was not known at first is taken, too.
TEST_F(NewsTest, LookUpSeesWhatComesLater) {
  const TestContext context([this](tune_options* options) {
    options->wisdom_file = file_.c_str();
    options->mode = TUNE_LOOKUP;
  });
  const TiledRegion tiled(context);
  EXPECT_EQ(TileAfter(tiled, 300, 1e-6), 1);
  Write(2e-6, 16);
  EXPECT_EQ(TileAfter(tiled, 300, 1e-6), 16);
}

TEST_F(NewsTest, WhatWasDroppedStaysSo) {
  TestContext context(WithFile());
  tune_region* const region = context.Region("nominal");
  int variant = -1;
  const tune_variant variants[] = {{"original", [](void*, const tune_call*) { return 0; }},
                                   {"wrong", [](void*, const tune_call*) { return 0; }}};
  ASSERT_EQ(tune_add_variants(region, "variant", variants, 2, &variant), TUNE_OK);
  Write("nominal", 3, {{"variant", "wrong"}});
  const long size = 500;
  tune_call call;
  ASSERT_EQ(tune_next(region, &size, 1, &call), TUNE_OK);
  ASSERT_EQ(tune_drop(&call, variant), TUNE_OK) << tune_last_error();
  for (int i = 0; i < 20; ++i) {
    ASSERT_EQ(tune_next(region, &size, 1, &call), TUNE_OK);
    ASSERT_EQ(tune_report(&call, 3), TUNE_OK);
  }
  ASSERT_EQ(call.settled, 1);
  Write("nominal", 1, {{"variant", "wrong"}});
  for (int i = 0; i < 20; ++i) {
    ASSERT_EQ(tune_next(region, &size, 1, &call), TUNE_OK);
    EXPECT_EQ(tune_integer(&call, variant), 0);
    ASSERT_EQ(tune_report(&call, 3), TUNE_OK);
  }
}

// What is faster elsewhere, and was not here, is not tried again and again.
TEST_F(NewsTest, WhatTookAnotherTimeHereIsNotTakenAgain) {
  Write(2e-6, 8);
  const TestContext context(WithFile());
  const TiledRegion tiled(context);
  EXPECT_EQ(TileAfter(tiled, 32, 1e-5), 8);
  EXPECT_GT(tiled.Settle(500), 0);
  EXPECT_EQ(TileAfter(tiled, 1, 1), 64);
  Write(2e-6, 8);
  EXPECT_EQ(TileAfter(tiled, 20, 1), 64);
  Write(1e-6, 16);
  EXPECT_EQ(TileAfter(tiled, 20, 1e-6), 16);
}

TEST_F(NewsTest, WhoIsToldOfADamagedFileMayCall) {
  struct Program {
    tune_region* region = nullptr;
    int messages = 0;
  } program;
  Write(3, 8);
  const TestContext context([&](tune_options* options) {
    options->wisdom_file = file_.c_str();
    options->message_user = &program;
    options->message = [](void* user, const char*) {
      auto* const told = static_cast<Program*>(user);
      if (++told->messages > 1) return;
      const long size = 500;
      for (int i = 0; i < 20; ++i) {
        tune_call call;
        EXPECT_EQ(tune_next(told->region, &size, 1, &call), TUNE_OK);
        EXPECT_EQ(tune_report(&call, 3), TUNE_OK);
      }
    };
  });
  const TiledRegion tiled(context);
  program.region = tiled.region;
  EXPECT_EQ(TileAfter(tiled, 1, 3), 8);
  TemporaryFolder::Write(file_, "something else");
  EXPECT_EQ(TileAfter(tiled, 20, 3), 8);
  EXPECT_EQ(program.messages, 1);
}

TEST_F(NewsTest, WhatIsDroppedGivesWayToTheOneBefore) {
  TestContext context([this](tune_options* options) {
    options->wisdom_file = file_.c_str();
    options->mode = TUNE_LOOKUP;
  });
  tune_region* const region = context.Region("nominal");
  int variant = -1;
  const auto run = [](void*, const tune_call*) { return 0; };
  const tune_variant variants[] = {{"original", run}, {"good", run}, {"wrong", run}};
  ASSERT_EQ(tune_add_variants(region, "variant", variants, 3, &variant), TUNE_OK);
  const auto taken = [&](tune_call* call) {
    const long size = 500;
    for (int i = 0; i < 10; ++i) {
      EXPECT_EQ(tune_next(region, &size, 1, call), TUNE_OK);
      EXPECT_EQ(tune_report(call, 3), TUNE_OK);
    }
    return tune_integer(call, variant);
  };
  tune_call call;
  Write("nominal", 3, {{"variant", "good"}});
  EXPECT_EQ(taken(&call), 1);
  Write("nominal", 2, {{"variant", "wrong"}});
  EXPECT_EQ(taken(&call), 2);
  const long size = 500;
  ASSERT_EQ(tune_next(region, &size, 1, &call), TUNE_OK);
  ASSERT_EQ(tune_drop(&call, variant), TUNE_OK) << tune_last_error();
  EXPECT_EQ(taken(&call), 1);
}

// Threads amid settled calls while the file changes.
TEST_F(NewsTest, ThreadsTakeItWhileTheyCall) {
  Write(3, 8);
  const TestContext context(WithFile());
  const TiledRegion tiled(context);
  EXPECT_EQ(TileAfter(tiled, 3, 3), 8);
  std::vector<std::thread> threads;
  for (int thread = 0; thread < 3; ++thread) threads.emplace_back([&] { TileAfter(tiled, 200, 3); });
  Write(2, 16);
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(TileAfter(tiled, 9, 2), 16);
}

TEST_F(WisdomUseTest, AFileThatIsDamagedMeanwhileIsToldOnce) {
  TestContext context(WithFile());
  const TiledRegion tiled(context);
  std::ofstream(file_) << "something else";
  tune_progress progress;
  tiled.LookUp(500, &progress);
  tiled.LookUp(600, &progress);
  ASSERT_EQ(context.messages().size(), 1u);
  EXPECT_THAT(context.messages()[0], HasSubstr("this is no wisdom file"));
  EXPECT_GT(tiled.Settle(500), 0);
  std::string content;
  std::ifstream(file_) >> content;
  EXPECT_EQ(content, "something");
}

TEST_F(WisdomUseTest, UnknownInputsAreCaptured) {
  Learn(500);
  const std::string capture = folder_.File("capture");
  const TestContext context([&](tune_options* options) {
    options->wisdom_file = file_.c_str();
    options->capture_file = capture.c_str();
    options->mode = TUNE_LOOKUP;
  });
  const TiledRegion tiled(context);
  ASSERT_EQ(tune_describe_arguments(tiled.region, "float A[n][n]"), TUNE_OK);
  for (const long size : {500, 600, 7000, 600}) tiled.Settle(size);
  EXPECT_EQ(TemporaryFolder::Read(capture),
            "capture\t1\ttiled\ttest device\t600\tfloat A[n][n]\n"
            "capture\t1\ttiled\ttest device\t7000\tfloat A[n][n]\n");
}

// Threads are amid calls and hold locks when the process forks; the child looks up, and neither waits nor
// writes.
TEST_F(WisdomUseTest, AChildOfForkOnlyLooksUp) {
  TestContext context(WithFile());
  const TiledRegion tiled(context);
  tiled.Settle(500);
  const std::string before = TemporaryFolder::Read(file_);
  std::atomic<bool> stop{false};
  std::vector<std::thread> threads;
  for (int thread = 0; thread < 2; ++thread) {
    threads.emplace_back([&, thread] {
      // Times that never settle on anything.
      for (long i = thread; !stop; i += 2) {
        const long size = 10000 + i % 50;
        tune_call call;
        tune_next(tiled.region, &size, 1, &call);
        tune_report(&call, 1 + static_cast<double>(i * 7919 % 1000));
      }
    });
  }
  for (int round = 0; round < 20; ++round) {
    const pid_t child = fork();
    if (child == 0) {
      alarm(30);
      bool ok = true;
      const long known = 500;
      const long unknown = 10001 + round;
      for (int i = 0; i < 100; ++i) {
        tune_call call;
        ok &= tune_next(tiled.region, &known, 1, &call) == TUNE_OK && tune_integer(&call, tiled.tile) == 64;
        ok &= tune_report(&call, 100) == TUNE_OK;
        ok &= tune_next(tiled.region, &unknown, 1, &call) == TUNE_OK;
        ok &= tune_report(&call, 1) == TUNE_OK;
        double values[2];
        ok &= tune_look_up(tiled.region, &unknown, 1, values, 2, nullptr) == TUNE_OK;
      }
      tune_region* region = nullptr;
      ok &= tune_region_create(context.get(), "new", &region) == TUNE_WRONG_STATE;
      ok &= tune_wisdom_save(context.get(), nullptr) == TUNE_WRONG_STATE;
      // A context of its own tunes.
      tune_context* own = nullptr;
      ok &= tune_context_create(nullptr, &own) == TUNE_OK && tune_region_create(own, "r", &region) == TUNE_OK;
      tune_call call = {};
      for (int i = 0; i < 5; ++i) {
        ok &= tune_next(region, nullptr, 0, &call) == TUNE_OK && tune_report(&call, 1) == TUNE_OK;
      }
      ok &= call.settled == 1;
      tune_context_destroy(own);
      context.Destroy();
      _exit(ok ? 0 : 1);
    }
    int state = 1;
    ASSERT_EQ(waitpid(child, &state, 0), child);
    EXPECT_EQ(state, 0) << round;
  }
  stop = true;
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(TemporaryFolder::Read(file_).substr(0, before.find("end\t")).size(), before.find("end\t"));
}

}  // namespace
}  // namespace libtune
