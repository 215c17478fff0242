// The verbs against a server in this process.
#include <gmock/gmock.h>
#include <google/protobuf/text_format.h>
#include <gtest/gtest.h>

#include <csignal>
#include <cstdlib>
#include <sstream>
#include <thread>

#include "client/cli/tunectl.h"
#include "client/report/json.h"
#include "client/submit/front_end.h"
#include "tests/client/testing/fake_server.h"

namespace tune {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

template <typename Message>
Message Parse(const std::string& text) {
  Message message;
  EXPECT_TRUE(google::protobuf::TextFormat::ParseFromString(text, &message));
  return message;
}

const char kSource[] = "int main(void) {\n#pragma scop\nx = 1;\n#pragma endscop\n}\n";

v1::StudySpec Spec() {
  v1::StudySpec spec;
  spec.mutable_program()->set_has_main(true);
  v1::SourceFile* file = spec.mutable_program()->add_files();
  file->set_path("gemm.c");
  file->set_content(kSource);
  v1::SourceRegion* region = spec.mutable_scop()->mutable_region();
  const std::string source = kSource;
  region->set_file("gemm.c");
  region->set_begin_offset(source.find("#pragma scop"));
  region->set_body_begin_offset(source.find("x = 1"));
  region->set_body_end_offset(source.find("#pragma endscop"));
  region->set_end_offset(source.find("\n}\n"));
  region->set_begin_line(2);
  region->set_end_line(4);
  region->set_function("main");
  spec.mutable_scop()->set_name("main");
  return spec;
}

v1::Study Done(const std::string& id) {
  auto study = Parse<v1::Study>(R"pb(
    name: "gemm"
    state: DONE
    evaluated: 2
    budget: 2
    best_index: 1
    best { samples: 0.001 median: 0.001 }
    default_measurement { median: 0.004 }
    gain_over_default: 4
    gain_over_sequential: 12
    outcomes { outcome: CORRECT count: 2 })pb");
  study.set_id(id);
  return study;
}

class CommandsTest : public ::testing::Test {
 protected:
  void SetUp() override {
    unsetenv("TUNE_SERVER");
    setenv("XDG_DATA_HOME", folder_.path().c_str(), 1);  // no private server of the user's
    server_.Put(Done("s1"));
    server_.Put("s1", Spec());
    server_.Put("s1", Parse<v1::Candidate>(R"pb(index: 0
                                                state: EVALUATED
                                                attempts: 1
                                                evaluation {
                                                  outcome: CORRECT
                                                  measurement { median: 0.004 }
                                                  code: "{ x = 0; }"
                                                })pb"));
    server_.Put("s1", Parse<v1::Candidate>(R"pb(index: 1
                                                state: EVALUATED
                                                attempts: 1
                                                configuration {
                                                  decisions { key: "schedule.algorithm" option: "pluto" }
                                                  decisions { key: "k[S0].threads" option: "4" }
                                                }
                                                evaluation {
                                                  outcome: CORRECT
                                                  measurement { median: 0.001 }
                                                  code: "{ x = 2; }"
                                                  log: "cc says hello"
                                                })pb"));
  }

  int Tunectl(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {"--server", server_.address()});
    out_.str("");
    err_.str("");
    return RunTunectl(arguments, {&out_, &err_});
  }
  std::string out() const { return out_.str(); }
  std::string err() const { return err_.str(); }
  Json OutAsJson() const { return Json::parse(out()); }

  std::string File(const std::string& name, const std::string& content) {
    const std::string path = folder_.path() + "/" + name;
    EXPECT_TRUE(WriteFile(path, content).ok());
    return path;
  }
  // An extraction with `regions` regions, stored.
  std::string Stored(int regions) {
    v1::Extraction extraction;
    for (int i = 0; i < regions; ++i) *extraction.add_scops() = Spec().scop();
    *extraction.mutable_program() = Spec().program();
    const std::string path = folder_.path() + "/gemm.scop";
    EXPECT_TRUE(StoreExtraction(extraction, path).ok());
    return path;
  }

  TemporaryFolder folder_ = TemporaryFolder::Make().value();
  FakeServer server_{folder_.path() + "/s"};
  std::ostringstream out_, err_;
};

TEST_F(CommandsTest, LsShowsATable) {
  EXPECT_EQ(Tunectl({"ls"}), 0);
  EXPECT_THAT(out(), StartsWith("study  name  state"));
  EXPECT_THAT(out(), HasSubstr("s1     gemm  done    2/2  1.00 ms          4.0x            12.0x"));
  EXPECT_EQ(Tunectl({"ls", "--json"}), 0);
  EXPECT_EQ(OutAsJson()[0]["id"], "s1");
}

TEST_F(CommandsTest, LsReadsAllPagesUpToTheLimit) {
  for (int i = 2; i <= 7; ++i) server_.Put(Done(absl::StrCat("s", i)));
  EXPECT_EQ(Tunectl({"ls", "--json"}), 0);
  EXPECT_EQ(OutAsJson().size(), 7u);
  EXPECT_EQ(Tunectl({"ls", "--json", "--limit", "3"}), 0);
  EXPECT_EQ(OutAsJson().size(), 3u);
}

TEST_F(CommandsTest, GlobalOptionsStandBeforeOrAfterTheVerb) {
  std::ostringstream out, err;
  EXPECT_EQ(RunTunectl({"ls", "--server", server_.address(), "--json"}, {&out, &err}), 0);
  EXPECT_EQ(Json::parse(out.str()).size(), 1u);
  setenv("TUNE_SERVER", server_.address().c_str(), 1);
  EXPECT_EQ(RunTunectl({"ls"}, {&out, &err}), 0);
  unsetenv("TUNE_SERVER");
}

TEST_F(CommandsTest, ShowStudyAndCandidate) {
  EXPECT_EQ(Tunectl({"show", "s1", "--candidates", "--code"}), 0);
  EXPECT_THAT(out(), HasSubstr("gemm (s1): done"));
  EXPECT_THAT(out(), HasSubstr("{ x = 2; }"));
  EXPECT_THAT(out(), HasSubstr("index  outcome"));
  EXPECT_EQ(Tunectl({"show", "s1/1", "--configuration"}), 0);
  EXPECT_THAT(out(), HasSubstr("k[S0].threads = 4"));
  EXPECT_EQ(Tunectl({"show", "s1", "--candidates", "--json"}), 0);
  EXPECT_EQ(OutAsJson()["candidates"].size(), 2u);
  EXPECT_EQ(Tunectl({"show", "s1/0", "--json"}), 0);
  EXPECT_EQ(OutAsJson()["evaluation"]["outcome"], "correct");
}

TEST_F(CommandsTest, WhatIsNotThereExitsWith1) {
  EXPECT_EQ(Tunectl({"show", "s9"}), kExitFailed);
  EXPECT_THAT(err(), HasSubstr("no study s9"));
  EXPECT_EQ(Tunectl({"show", "s1/9"}), kExitFailed);
  EXPECT_EQ(Tunectl({"watch", "s9"}), kExitFailed);
  EXPECT_EQ(Tunectl({"cancel", "s9"}), kExitFailed);
}

TEST_F(CommandsTest, NoServerExitsWith3) {
  server_.Stop();
  for (const std::vector<std::string>& verb : std::vector<std::vector<std::string>>{{"ls"},
                                                                                    {"show", "s1"},
                                                                                    {"best", "s1"},
                                                                                    {"workers"},
                                                                                    {"fetch", "s1"},
                                                                                    {"logs", "s1"},
                                                                                    {"replay", "s1/1"}}) {
    EXPECT_EQ(Tunectl(verb), kExitUnreachable) << verb[0];
    EXPECT_THAT(err(), HasSubstr("no server answers at " + server_.address()));
    EXPECT_THAT(err(), HasSubstr("tunectl tune"));
  }
}

TEST_F(CommandsTest, BadAddressAndTokenAreExplained) {
  EXPECT_EQ(Tunectl({"ls", "--token-file", folder_.path() + "/none"}), kExitFailed);
  EXPECT_THAT(err(), HasSubstr("/none"));
  std::ostringstream nowhere, complaint;
  EXPECT_EQ(RunTunectl({"ls", "--server", "nonsense"}, {&nowhere, &complaint}), kExitFailed);
  EXPECT_THAT(complaint.str(), HasSubstr("host:port"));
}

TEST_F(CommandsTest, LogsOfCandidateAndStudy) {
  EXPECT_EQ(Tunectl({"logs", "s1/1"}), 0);
  EXPECT_EQ(out(), "s1/1: correct\ncc says hello\n");
  auto failed = Done("s2");
  failed.set_state(v1::FAILED);
  failed.set_failure("the program crashed");
  failed.set_failure_log("Segmentation fault\n");
  server_.Put(failed);
  EXPECT_EQ(Tunectl({"logs", "s2"}), 0);
  EXPECT_EQ(out(), "s2: the program crashed\nSegmentation fault\n");
  EXPECT_EQ(Tunectl({"logs", "s1"}), 0);
  EXPECT_THAT(out(), HasSubstr("has not failed"));
}

TEST_F(CommandsTest, BestPrintsWhatReplayReads) {
  EXPECT_EQ(Tunectl({"best", "s1"}), 0);
  EXPECT_EQ(out(), "# gemm, candidate s1/1, 1.00 ms\nschedule.algorithm = pluto\nk[S0].threads = 4\n");
  const std::string file = File("best.txt", out());
  EXPECT_EQ(Tunectl({"replay", "s1", file}), 0);
  ASSERT_EQ(server_.replayed().size(), 1u);
  EXPECT_EQ(server_.replayed()[0].configuration().decisions(1).key(), "k[S0].threads");
  EXPECT_EQ(server_.replayed()[0].configuration().decisions(1).option(), "4");
  EXPECT_THAT(out(), HasSubstr("s1/100: correct (replay)"));
  EXPECT_THAT(out(), HasSubstr("2.00 ms"));
}

TEST_F(CommandsTest, ReplayOfACandidateTakesItsConfiguration) {
  EXPECT_EQ(Tunectl({"replay", "s1/1", "--no-wait", "--json"}), 0);
  ASSERT_EQ(server_.replayed().size(), 1u);
  EXPECT_EQ(server_.replayed()[0].configuration().decisions_size(), 2);
  EXPECT_EQ(OutAsJson()["index"], 100);
}

TEST_F(CommandsTest, ReplayOfBadTextNamesTheLine) {
  EXPECT_EQ(Tunectl({"replay", "s1", File("bad.txt", "# fine\nschedule.algorithm\n")}), kExitFailed);
  EXPECT_THAT(err(), HasSubstr("line 2"));
  EXPECT_EQ(Tunectl({"replay", "s1", File("empty.txt", "# nothing\n")}), kExitFailed);
  EXPECT_THAT(err(), HasSubstr("no decisions"));
  EXPECT_TRUE(server_.replayed().empty());
}

TEST_F(CommandsTest, BestOfNothing) {
  auto none = Done("s2");
  none.set_best_index(-1);
  server_.Put(none);
  EXPECT_EQ(Tunectl({"best", "s2"}), kExitFailed);
  EXPECT_THAT(err(), HasSubstr("show s2 --candidates"));
  EXPECT_EQ(Tunectl({"fetch", "s2"}), kExitFailed);
}

TEST_F(CommandsTest, FetchReplacesTheRegion) {
  EXPECT_EQ(Tunectl({"fetch", "s1"}), 0);
  EXPECT_THAT(out(), StartsWith("int main(void) {\n"));
  EXPECT_THAT(out(), HasSubstr("{ x = 2; }"));
  EXPECT_THAT(out(), Not(HasSubstr("#pragma scop")));
  const std::string printed = out();
  const std::string file = folder_.path() + "/out.c";
  EXPECT_EQ(Tunectl({"fetch", "s1", "-o", file}), 0);
  EXPECT_EQ(ReadFile(file).value(), printed);
  EXPECT_EQ(Tunectl({"fetch", "s1", "--json"}), 0);
  EXPECT_EQ(OutAsJson()["text"], printed);
}

TEST_F(CommandsTest, FetchOfDuplicateTakesTheOriginalsCode) {
  server_.Put("s1", Parse<v1::Candidate>(
                        R"pb(index: 1
                             state: EVALUATED
                             evaluation { outcome: CORRECT duplicate_of_plus_one: 1 })pb"));
  EXPECT_EQ(Tunectl({"fetch", "s1"}), 0);
  EXPECT_THAT(out(), HasSubstr("{ x = 0; }"));
}

TEST_F(CommandsTest, FetchOfTwoVersionsOfAFileIsRefused) {
  server_.Put(Done("s2"));
  v1::StudySpec other = Spec();
  other.mutable_program()->mutable_files(0)->set_content("other");
  server_.Put("s2", other);
  server_.Put("s2", Parse<v1::Candidate>(R"pb(index: 1
                                              evaluation { code: "{}" })pb"));
  EXPECT_EQ(Tunectl({"fetch", "s1", "s2"}), kExitFailed);
  EXPECT_THAT(err(), HasSubstr("one by one"));
}

TEST_F(CommandsTest, CancelTellsWhatWasFound) {
  EXPECT_EQ(Tunectl({"cancel", "s1"}), 0);
  EXPECT_THAT(out(), HasSubstr("s1: stopped, 2/2 evaluations, best 1.00 ms"));
  EXPECT_EQ(server_.cancelled(), std::vector<std::string>{"s1"});
}

TEST_F(CommandsTest, Workers) {
  EXPECT_EQ(Tunectl({"workers"}), 0);
  EXPECT_THAT(out(), HasSubstr("tune-worker --server"));
  server_.Put(Parse<v1::WorkerView>(R"pb(name: "w1"
                                         state: QUARANTINED
                                         note: "known-good candidates fail"
                                         devices { target: CPU model: "X" cores: 4 }
                                         evaluations: 9
                                         failures: 2)pb"));
  EXPECT_EQ(Tunectl({"workers"}), 0);
  EXPECT_THAT(out(), HasSubstr("quarantined"));
  EXPECT_THAT(out(), HasSubstr("cpu: X, 4 cores"));
  EXPECT_EQ(Tunectl({"workers", "--json"}), 0);
  EXPECT_EQ(OutAsJson()[0]["failures"], 2);
}

TEST_F(CommandsTest, SubmitPrintsTheId) {
  EXPECT_EQ(Tunectl({"submit", Stored(1), "--evaluations", "5"}), 0);
  EXPECT_THAT(out(), StartsWith("s1 (gemm): region of main in gemm.c, lines 2 to 4\n"));
  ASSERT_EQ(server_.submitted().size(), 1u);
  EXPECT_EQ(server_.submitted()[0].spec().search().evaluations(), 5);
  EXPECT_THAT(out(), HasSubstr("watch s1"));
}

TEST_F(CommandsTest, SubmitMakesOneStudyARegion) {
  EXPECT_EQ(Tunectl({"submit", Stored(3), "--json"}), 0);
  EXPECT_EQ(OutAsJson().size(), 3u);
  EXPECT_EQ(Tunectl({"submit", Stored(3), "--region", "2", "--json"}), 0);
  EXPECT_EQ(OutAsJson().size(), 1u);
  EXPECT_EQ(Tunectl({"submit", Stored(3), "--region", "4"}), kExitFailed);
}

TEST_F(CommandsTest, RefusedSpecIsPassedOn) {
  server_.FailWith({grpc::StatusCode::INVALID_ARGUMENT, "search.evaluations: at most 1000"});
  EXPECT_EQ(Tunectl({"submit", Stored(1)}), kExitFailed);
  EXPECT_EQ(err(), "tunectl: search.evaluations: at most 1000\n");
}

TEST_F(CommandsTest, SubmitAndWatchEndsWithASummary) {
  server_.SetOutcome(Done(""));
  EXPECT_EQ(Tunectl({"submit", Stored(1), "--watch"}), 0);
  EXPECT_THAT(out(), HasSubstr("gemm: done\n"));
  EXPECT_THAT(out(), HasSubstr("gain          4.0x over the default"));
  EXPECT_THAT(out(), Not(HasSubstr("\033")));
}

TEST_F(CommandsTest, FailedStudyExitsWith4) {
  v1::Study failed;
  failed.set_state(v1::FAILED);
  failed.set_best_index(-1);
  failed.set_failure("the program crashed");
  server_.SetOutcome(failed);
  EXPECT_EQ(Tunectl({"submit", Stored(1), "--watch"}), kExitStudyFailed);
  EXPECT_THAT(out(), HasSubstr("the program crashed"));
  failed.set_state(v1::DONE);
  server_.SetOutcome(failed);
  EXPECT_EQ(Tunectl({"submit", Stored(1), "--watch"}), kExitStudyFailed);
}

TEST_F(CommandsTest, WatchFollowsToTheEnd) {
  v1::Study running = Done("s2");
  running.set_state(v1::SEARCHING);
  running.set_evaluated(1);
  server_.Put(running);
  std::thread finish([&] {
    running.set_evaluated(2);
    server_.Put(running);
    server_.Put(Done("s2"));
  });
  EXPECT_EQ(Tunectl({"watch", "s2"}), 0);
  finish.join();
  EXPECT_THAT(out(), HasSubstr("gemm (s2): done"));
  EXPECT_EQ(Tunectl({"watch", "s2", "--json"}), 0);
  EXPECT_EQ(OutAsJson()["state"], "done");
}

TEST_F(CommandsTest, InterruptedWatchLeavesTheStudyAlone) {
  v1::Study running = Done("s2");
  running.set_state(v1::SEARCHING);
  server_.Put(running);
  // The guard is installed before the first update is printed; the signal waits for that.
  class Raise : public std::stringbuf {
    int sync() override {
      if (!raised_) std::raise(SIGINT);
      raised_ = true;
      return 0;
    }
    bool raised_ = false;
  } raise;
  std::ostream out(&raise);
  std::ostringstream err;
  EXPECT_EQ(RunTunectl({"--server", server_.address(), "watch", "s2"}, {&out, &err}), kExitInterrupted);
  EXPECT_TRUE(server_.cancelled().empty());
  EXPECT_THAT(err.str(), HasSubstr("s2 goes on"));
}

TEST_F(CommandsTest, ExtractOfStoredFormPrintsJson) {
  EXPECT_EQ(Tunectl({"extract", Stored(2), "--json"}), 0);
  EXPECT_EQ(OutAsJson()["scops"].size(), 2u);
  EXPECT_EQ(OutAsJson()["scops"][0]["name"], "main");
  const std::string copy = folder_.path() + "/copy.scop";
  EXPECT_EQ(Tunectl({"extract", Stored(2), "--output", copy}), 0);
  EXPECT_EQ(ReadFile(copy).value(), ReadFile(Stored(2)).value());
  EXPECT_THAT(out(), HasSubstr("2 regions"));
}

TEST_F(CommandsTest, TuneWithoutDaemonsSaysWhatIsMissing) {
  setenv("TUNE_LIBEXEC", folder_.path().c_str(), 1);
  std::ostringstream out, err;
  EXPECT_EQ(RunTunectl({"tune", Stored(1)}, {&out, &err}), kExitFailed);
  EXPECT_THAT(err.str(), HasSubstr("tuned-server is not installed"));
  // A refused file is told before any daemon is needed.
  EXPECT_EQ(RunTunectl({"tune", File("x.scop", "scops { nmae: 1 }")}, {&out, &err}), kExitFailed);
  EXPECT_THAT(err.str(), HasSubstr("line 1, column"));
  unsetenv("TUNE_LIBEXEC");
}

TEST_F(CommandsTest, MissingFile) {
  EXPECT_EQ(Tunectl({"submit", folder_.path() + "/none.c"}), kExitFailed);
  EXPECT_THAT(err(), HasSubstr("none.c"));
}

TEST_F(CommandsTest, DoctorChecksServerAndCompiler) {
  Tunectl({"doctor", "--json"});
  std::map<std::string, std::string> levels;
  for (const Json& check : OutAsJson()) levels[check["check"]] = check["level"];
  EXPECT_EQ(levels["server"], "ok");
  EXPECT_EQ(levels["workers"], "warn");
  EXPECT_EQ(levels["C compiler"], "ok");
  EXPECT_EQ(levels["OpenMP"], "ok");
  EXPECT_EQ(levels["isl"], "ok");
  EXPECT_EQ(levels.count("CUDA toolkit"), 1u);
  server_.Stop();
  EXPECT_EQ(Tunectl({"doctor"}), kExitFailed);
  EXPECT_THAT(out(), HasSubstr("fail  server"));
}

}  // namespace
}  // namespace tune
