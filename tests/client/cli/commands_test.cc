// The verbs against a server in this process.
#include <gmock/gmock.h>
#include <google/protobuf/text_format.h>
#include <gtest/gtest.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <thread>

#include "client/cli/follow.h"
#include "client/cli/safe_output.h"
#include "client/cli/tunectl.h"
#include "client/report/json.h"
#include "client/submit/front_end.h"
#include "common/base/file.h"
#include "tests/client/testing/tunectl_test.h"

namespace tune {
namespace {

using ::testing::AllOf;
using ::testing::ContainsRegex;
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

class CommandsTest : public TunectlTest {
 protected:
  void SetUp() override {
    TunectlTest::SetUp();
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
};

TEST_F(CommandsTest, LsShowsATable) {
  EXPECT_EQ(Tunectl({"ls"}), 0);
  EXPECT_THAT(out(), StartsWith("study  name  state"));
  EXPECT_THAT(out(),
              HasSubstr("s1     gemm  done    2/2  1.00 ms             -          4.0x            12.0x"));
  EXPECT_EQ(Tunectl({"ls", "--json"}), 0);
  EXPECT_EQ(OutAsJson()[0]["id"], "s1");
}

TEST_F(CommandsTest, LsShowsInRedWhatIsNotFaster) {
  v1::Study slow = Done("s2");
  slow.mutable_confirmation()->mutable_check()->set_outcome(v1::CORRECT);
  slow.mutable_confirmation()->mutable_check()->mutable_fresh()->set_ratio(0.5);
  server_.Put(slow);
  EXPECT_EQ(Tunectl({"ls"}), 0);
  EXPECT_THAT(out(), AllOf(HasSubstr("0.500x, not faster"), Not(HasSubstr("\033"))));
  EXPECT_EQ(RunTunectl({"--server", server_.address(), "ls"},
                       {.out = &out_, .err = &err_, .terminal = false, .width = 80, .colours = true}),
            0);
  EXPECT_THAT(out(), HasSubstr("\n\033[31ms2 "));
  EXPECT_THAT(out(), HasSubstr("\ns1 "));
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

TEST_F(CommandsTest, AServersWordsDoNotDrawOnTheTerminal) {
  server_.FailWith({grpc::StatusCode::INVALID_ARGUMENT,
                    "no\x1b[2Jthing\xC2\x9B"
                    "2J\rx"});
  EXPECT_EQ(Tunectl({"show", "s1"}), kExitFailed);
  EXPECT_THAT(err(), HasSubstr("no [2Jthing 2J x"));
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

TEST_F(CommandsTest, ReplayAsksHowACandidateIsMade) {
  EXPECT_EQ(Tunectl({"replay", "s1/1", "--no-wait", "--check", "-d", "tiles", "-d", "host"}), 0);
  ASSERT_EQ(server_.replayed().size(), 1u);
  EXPECT_TRUE(server_.replayed()[0].diagnosis().check_mapping());
  EXPECT_THAT(server_.replayed()[0].diagnosis().stages(), ::testing::ElementsAre("tiles", "host"));
  EXPECT_EQ(Tunectl({"replay", "s1/1", "--no-wait"}), 0);
  EXPECT_FALSE(server_.replayed().back().has_diagnosis());
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

TEST_F(CommandsTest, FetchOfWhatIsNotFasterWantsForce) {
  v1::Study study = Done("s1");
  v1::ProgramCheck* check = study.mutable_confirmation()->mutable_check();
  check->set_outcome(v1::CORRECT);
  check->mutable_fresh()->set_ratio(0.5);
  check->mutable_fresh()->set_ratio_low(0.4);
  check->mutable_fresh()->set_ratio_high(0.6);
  check->clear_warm();
  server_.Put(study);
  const std::string file = folder_.path() + "/out.c";
  EXPECT_EQ(Tunectl({"fetch", "s1", "-o", file}), 0);
  EXPECT_THAT(err(), HasSubstr("s1 (gemm): slower than the original, 0.500x (0.400x .. 0.600x)"));
  EXPECT_THAT(err(), HasSubstr("--force"));
  EXPECT_FALSE(ReadFile(file).ok());
  EXPECT_EQ(Tunectl({"fetch", "s1", "--json"}), 0);
  EXPECT_TRUE(OutAsJson()["file"].is_null());
  EXPECT_EQ(OutAsJson()["not_faster"].size(), 1);
  EXPECT_EQ(Tunectl({"fetch", "s1", "-o", file, "--force"}), 0) << err();
  EXPECT_TRUE(ReadFile(file).ok());
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

// A study like s1 on a GPU, its region number `k` of one file.
void PutCudaStudy(FakeServer& server, const std::string& id) {
  v1::Study study = Done(id);
  *study.mutable_device() = Parse<v1::Device>(R"pb(target: CUDA
                                                   model: "H200"
                                                   cores: 132
                                                   cuda { compute_capability_major: 9 })pb");
  study.set_target(v1::CUDA);
  server.Put(study);
  server.Put(id, Spec());
  server.Put(id, Parse<v1::Candidate>(R"pb(index: 1
                                           state: EVALUATED
                                           evaluation {
                                             outcome: CORRECT
                                             measurement { median: 0.000001 }
                                             code: "{ tune_region_main(0); }"
                                             device_file: "__global__ void main_0() {}\n"
                                             kernels { name: "k[S0]" function: "main_0" seconds: 1e-6 }
                                           })pb"));
}

TEST_F(CommandsTest, FetchOfACudaStudyWritesTwoFiles) {
  PutCudaStudy(server_, "s2");
  const std::string file = folder_.path() + "/out.c", device_file = folder_.path() + "/out.cu";
  EXPECT_EQ(Tunectl({"fetch", "s2", "-o", file}), 0) << err();
  EXPECT_THAT(ReadFile(file).value(), HasSubstr("{ tune_region_main(0); }"));
  EXPECT_THAT(ReadFile(file).value(),
              HasSubstr("Belongs to out.cu: build that with `nvcc -O3 -arch=sm_90 -c`"));
  EXPECT_EQ(
      ReadFile(device_file).value(),
      WithMark(
          "// Tuned by tunectl, study s2, for H200; belongs to out.c.\n// nvcc -O3 -arch=sm_90 -c out.cu\n"
          "__global__ void main_0() {}\n"));
  EXPECT_EQ(out(), absl::StrCat("Wrote ", file, " and ", device_file, "; build\n  nvcc -O3 -arch=sm_90 -c ",
                                device_file, " -o ", device_file, ".o\nand ", file,
                                " as you build the original, linked with\n  ", device_file,
                                ".o -L/usr/local/cuda/lib64 -lcudart -lstdc++\n"));
  EXPECT_EQ(Tunectl({"fetch", "s2", "-o", file, "--json"}), 0);
  EXPECT_EQ(OutAsJson()["device_files"][0], device_file);
}

TEST_F(CommandsTest, FetchKeepsFilesOfOthers) {
  PutCudaStudy(server_, "s2");
  const std::string file = folder_.path() + "/out.c";
  File("out.cu", "mine\n");
  EXPECT_EQ(Tunectl({"fetch", "s2", "-o", file}), kExitFailed);
  EXPECT_THAT(err(), HasSubstr("out.cu: exists, and tunectl did not write it"));
  EXPECT_FALSE(std::filesystem::exists(file));
  EXPECT_EQ(Tunectl({"fetch", "s2", "-o", file, "--force"}), 0) << err();
  EXPECT_EQ(Tunectl({"fetch", "s2", "-o", file}), 0) << err();
  File("out.c", kSource);  // what the study is of
  EXPECT_EQ(Tunectl({"fetch", "s1", "-o", file, "--force"}), kExitFailed);
  EXPECT_THAT(err(), HasSubstr("holds gemm.c of the original program"));
  EXPECT_EQ(ReadFile(file).value(), kSource);
}

TEST_F(CommandsTest, TuneAndExtractKeepTheirInputs) {
  const std::string stored = Stored(1), before = ReadFile(stored).value();
  std::filesystem::create_hard_link(stored, folder_.path() + "/other.scop");
  std::ostringstream out, err;
  EXPECT_EQ(RunTunectl({"tune", stored, "-o", folder_.path() + "/other.scop"}, {&out, &err}), kExitFailed);
  EXPECT_THAT(err.str(), HasSubstr("never overwritten"));
  EXPECT_EQ(Tunectl({"extract", stored, "-o", stored, "--force"}), kExitFailed);
  EXPECT_EQ(ReadFile(stored).value(), before);
  const std::string foreign = File("foreign.scop", "mine\n");
  EXPECT_EQ(Tunectl({"extract", stored, "-o", foreign}), kExitFailed);
  EXPECT_EQ(Tunectl({"extract", stored, "-o", foreign, "--force"}), 0) << this->err();
  EXPECT_EQ(Tunectl({"extract", stored, "-o", foreign}), 0) << this->err();
}

TEST_F(CommandsTest, FetchOfACudaStudyNeedsAFile) {
  PutCudaStudy(server_, "s2");
  EXPECT_EQ(Tunectl({"fetch", "s2"}), kExitUsage);
  EXPECT_THAT(err(), HasSubstr("--output NAME.c"));
  EXPECT_EQ(out(), "");
  EXPECT_EQ(Tunectl({"fetch", "s2", "--json"}), 0);
  EXPECT_THAT(std::string(OutAsJson()["text"]), HasSubstr("Belongs to gemm.tuned.cu"));
  EXPECT_THAT(std::string(OutAsJson()["device_text"]), HasSubstr("__global__"));
  EXPECT_EQ(Tunectl({"fetch", "s1", "--json"}), 0);
  EXPECT_TRUE(OutAsJson()["device_text"].is_null());
}

TEST_F(CommandsTest, FetchRefusesTheNameOfACudaFile) {
  for (const char* study : {"s1", "s2"}) {
    EXPECT_EQ(Tunectl({"fetch", study, "-o", folder_.path() + "/out.cu"}), kExitUsage);
    EXPECT_THAT(err(), HasSubstr("/out.c;"));
  }
  EXPECT_FALSE(ReadFile(folder_.path() + "/out.cu").ok());
  std::ostringstream out, err;
  EXPECT_EQ(RunTunectl({"tune", Stored(1), "-o", "out.cu"}, {&out, &err}), kExitUsage);
  EXPECT_THAT(err.str(), HasSubstr("name the file in C or C++"));
}

TEST_F(CommandsTest, RegionsOfOneFileHaveACudaFileEach) {
  const std::string source =
      "int main(void) {\n#pragma scop\nx = 1;\n#pragma endscop\n"
      "#pragma scop\ny = 1;\n#pragma endscop\n}\n";
  for (const std::string id : {"s2", "s3"}) {
    PutCudaStudy(server_, id);
    v1::StudySpec spec = Spec();
    spec.mutable_program()->mutable_files(0)->set_content(source);
    v1::SourceRegion* region = spec.mutable_scop()->mutable_region();
    const size_t from = id == "s2" ? 0 : source.find("endscop\n") + 8;
    region->set_begin_offset(source.find("#pragma scop", from));
    region->set_body_begin_offset(source.find("= 1", from) - 2);
    region->set_body_end_offset(source.find("#pragma endscop", from));
    region->set_end_offset(source.find("endscop\n", from) + 7);
    server_.Put(id, spec);
  }
  const std::string file = folder_.path() + "/out.c";
  EXPECT_EQ(Tunectl({"fetch", "s2", "s3", "-o", file}), 0) << err();
  EXPECT_THAT(ReadFile(file).value(), HasSubstr("Belongs to out.1.cu"));
  EXPECT_THAT(ReadFile(file).value(), HasSubstr("Belongs to out.2.cu"));
  EXPECT_THAT(ReadFile(folder_.path() + "/out.1.cu").value(), HasSubstr("study s2"));
  EXPECT_THAT(ReadFile(folder_.path() + "/out.2.cu").value(), HasSubstr("study s3"));
  EXPECT_THAT(out(), HasSubstr("out.1.cu.o " + folder_.path() + "/out.2.cu.o -L"));
}

// Makes the study one of size n = `size`, on a GPU with entry points.
void SetSize(FakeServer& server, const std::string& id, int64_t size, v1::Study study) {
  v1::ParameterValue* value = study.mutable_reference()->add_parameters();
  value->set_name("n");
  value->set_value(size);
  server.Put(study);
  v1::StudySpec spec = Spec();
  spec.mutable_scop()->add_parameters()->set_name("n");
  spec.mutable_scop()->mutable_parameters(0)->set_c_type("int");
  server.Put(id, spec);
  v1::Candidate best;
  best.set_index(1);
  best.set_state(v1::EVALUATED);
  best.mutable_evaluation()->set_outcome(v1::CORRECT);
  best.mutable_evaluation()->set_code(absl::StrCat("{ x = ", size, "; }"));
  if (study.device().target() == v1::CUDA) {
    best.mutable_evaluation()->set_code("{ if (tune_region_main(0) == 0) tune_done = 1; }");
    best.mutable_evaluation()->set_device_file("main_workspace_bytes() {} main_kernel0\n");
  }
  server.Put(id, best);
}

v1::Study OnGpu(v1::Study study) {
  study.mutable_device()->set_target(v1::CUDA);
  study.mutable_device()->set_model("H200");
  return study;
}

TEST_F(CommandsTest, FetchOfSeveralSizesWritesOneFile) {
  SetSize(server_, "s2", 500, Done("s2"));
  SetSize(server_, "s3", 1000, Done("s3"));
  EXPECT_EQ(Tunectl({"fetch", "s2", "s3"}), 0) << err();
  EXPECT_THAT(out(), HasSubstr("   n = 500: study s2: 12.00 times as fast"));
  EXPECT_THAT(out(),
              HasSubstr("if (n == 500)\n{ x = 500; }\nelse if (n == 1000)\n{ x = 1000; }\nelse {\nx = 1;"));
}

TEST_F(CommandsTest, OfTheSameSizeTheFasterOneIsTaken) {
  SetSize(server_, "s2", 500, Done("s2"));
  v1::Study on_gpu = OnGpu(Done("s3"));
  v1::ComparedTimes* times = on_gpu.mutable_confirmation()->mutable_check()->mutable_fresh();
  on_gpu.mutable_confirmation()->mutable_check()->set_outcome(v1::CORRECT);
  times->set_ratio(5);
  times->set_ratio_low(4);
  times->set_ratio_high(6);
  SetSize(server_, "s3", 500, on_gpu);
  const std::string file = folder_.path() + "/out.c";
  // The program was not run with s2, so that the regions' gains decide.
  on_gpu.set_gain_over_sequential(20);
  SetSize(server_, "s3", 500, on_gpu);
  EXPECT_EQ(Tunectl({"fetch", "s2", "s3", "-o", file}), 0) << err();
  EXPECT_THAT(err(), HasSubstr("Left out: s2 (-): s3 (cuda) is faster at the same size"));
  EXPECT_THAT(ReadFile(file).value(), HasSubstr("study s3"));
  EXPECT_THAT(ReadFile(file).value(), Not(HasSubstr("study s2")));
  // Where both were, it does.
  v1::Study on_host = Done("s2");
  *on_host.mutable_confirmation() = on_gpu.confirmation();
  on_host.mutable_confirmation()->mutable_check()->mutable_fresh()->set_ratio(5.5);
  SetSize(server_, "s2", 500, on_host);
  EXPECT_EQ(Tunectl({"fetch", "s2", "s3", "-o", file}), 0) << err();
  EXPECT_THAT(ReadFile(file).value(), Not(HasSubstr("study s3")));
  // One that failed there is never the faster one.
  on_gpu.mutable_confirmation()->mutable_check()->set_outcome(v1::RUNTIME);
  SetSize(server_, "s3", 500, on_gpu);
  SetSize(server_, "s2", 500, Done("s2"));
  EXPECT_EQ(Tunectl({"fetch", "s2", "s3", "-o", file, "--force"}), 0) << err();
  EXPECT_THAT(ReadFile(file).value(), Not(HasSubstr("study s3")));
}

TEST_F(CommandsTest, SizesThatAreNotFasterAreLeftOut) {
  SetSize(server_, "s2", 500, Done("s2"));
  v1::Study slow = Done("s3");
  slow.mutable_confirmation()->mutable_check()->set_outcome(v1::CORRECT);
  slow.mutable_confirmation()->mutable_check()->mutable_fresh()->set_ratio_low(0.5);
  SetSize(server_, "s3", 1000, slow);
  EXPECT_EQ(Tunectl({"fetch", "s2", "s3"}), 0);
  EXPECT_THAT(err(), HasSubstr("Left out, without --force: s3 (gemm): cannot be told apart"));
  EXPECT_THAT(out(), Not(HasSubstr("x = 1000")));
  EXPECT_EQ(Tunectl({"fetch", "s2", "s3", "--force"}), 0);
  EXPECT_THAT(out(), HasSubstr("x = 1000"));
}

TEST_F(CommandsTest, SizesOnAGpuHaveNamesOfTheirOwn) {
  SetSize(server_, "s2", 500, OnGpu(Done("s2")));
  SetSize(server_, "s3", 1000, OnGpu(Done("s3")));
  SetSize(server_, "s4", 20, Done("s4"));  // may stay on the host
  const std::string base = folder_.path() + "/out";
  EXPECT_EQ(Tunectl({"fetch", "s2", "s3", "s4", "-o", base + ".c"}), 0) << err();
  EXPECT_THAT(ReadFile(base + ".c").value(), HasSubstr("tune_region_main_n500(0)"));
  EXPECT_THAT(ReadFile(base + ".c").value(), HasSubstr("Belongs to out.n1000.cu"));
  EXPECT_THAT(ReadFile(base + ".c").value(), HasSubstr("if (n == 20)\n{\n{ x = 20; }\ntune_done = 1;\n}\n"));
  EXPECT_THAT(ReadFile(base + ".n1000.cu").value(), HasSubstr("main_n1000_kernel0"));
  EXPECT_THAT(ReadFile(base + ".cu").value(), HasSubstr("if (n == 500) return main_n500_device("));
  EXPECT_THAT(ReadFile(base + ".h").value(), HasSubstr("main_create(main_handle **handle, int n);"));
  EXPECT_THAT(out(), HasSubstr(base + ".n500.cu.o " + base + ".n1000.cu.o " + base + ".cu.o -L"));
}

TEST_F(CommandsTest, SubmitOfSizesMakesAStudyOfEach) {
  v1::Extraction extraction;
  *extraction.add_scops() = Spec().scop();
  extraction.mutable_scops(0)->add_parameters()->set_name("n");
  *extraction.mutable_program() = Spec().program();
  extraction.mutable_program()->set_has_main(false);
  const std::string stored = folder_.path() + "/gemm.scop";
  ASSERT_TRUE(StoreExtraction(extraction, stored).ok());
  EXPECT_EQ(Tunectl({"submit", stored, "--sizes", "n=500,1000"}), 0) << err();
  ASSERT_EQ(server_.submitted().size(), 2u);
  EXPECT_EQ(server_.submitted()[1].spec().name(), "gemm n=1000");
  EXPECT_EQ(server_.submitted()[1].spec().program().parameter_values().at("n"), 1000);
  EXPECT_EQ(Tunectl({"submit", stored, "--sizes", "n"}), kExitUsage);
  EXPECT_THAT(err(), HasSubstr("such as n=500,1000,2000"));
}

TEST_F(CommandsTest, TargetAutoTriesWhatThereIs) {
  const std::string stored = Stored(1);
  EXPECT_EQ(Tunectl({"submit", stored, "--target", "auto"}), 0) << err();
  EXPECT_THAT(err(), HasSubstr("--target auto: only cpu is tried, as no worker offers a GPU\n"));
  ASSERT_EQ(server_.submitted().size(), 1u);
  EXPECT_EQ(server_.submitted()[0].spec().target(), v1::CPU);
  server_.Put(Parse<v1::WorkerView>(R"pb(name: "w"
                                         state: IDLE
                                         devices { target: CPU }
                                         devices { target: CUDA })pb"));
  EXPECT_EQ(Tunectl({"submit", stored, "--target", "auto"}), 0) << err();
  EXPECT_THAT(err(), Not(HasSubstr("auto")));
  ASSERT_EQ(server_.submitted().size(), 3u);
  EXPECT_EQ(server_.submitted()[1].spec().target(), v1::CPU);
  EXPECT_EQ(server_.submitted()[1].spec().name(), "gemm on cpu");
  EXPECT_EQ(server_.submitted()[2].spec().target(), v1::CUDA);
  EXPECT_EQ(Tunectl({"submit", stored, "--target", "auto", "--generator", "ppcg"}), kExitUsage);
}

TEST_F(CommandsTest, ShowOfACudaStudyHasTheBestOnesKernels) {
  PutCudaStudy(server_, "s2");
  EXPECT_EQ(Tunectl({"show", "s2"}), 0);
  EXPECT_THAT(out(), HasSubstr("\nkernels of candidate 1\nkernel  function"));
  EXPECT_THAT(out(), HasSubstr("1.00 us"));
  EXPECT_EQ(Tunectl({"show", "s2", "--json"}), 0);
  EXPECT_EQ(OutAsJson()["best_candidate"]["evaluation"]["kernels"][0]["function"], "main_0");
  EXPECT_EQ(Tunectl({"show", "s1"}), 0);
  EXPECT_THAT(out(), Not(HasSubstr("kernels")));
}

TEST_F(CommandsTest, ShowTiming) {
  server_.Put("s1", Parse<v1::Candidate>(R"pb(index: 0
                                              origin: SEARCH
                                              state: EVALUATED
                                              created_unix_ms: 1000
                                              evaluated_unix_ms: 3000
                                              evaluation {
                                                worker: "w"
                                                stages { stage: "run" seconds: 1 }
                                              })pb"));
  EXPECT_EQ(Tunectl({"show", "s1", "--timing"}), 0);
  EXPECT_THAT(out(), HasSubstr("1 evaluation in 2.00 s: 0.5 a second\n"));
  EXPECT_THAT(out(), HasSubstr("run              1  1.00 s  1.00 s  100.0%         50.0%\n"));
  EXPECT_EQ(Tunectl({"show", "s1", "--timing", "--json"}), 0);
  EXPECT_EQ(OutAsJson()["timing"]["stages"][0]["seconds"], 1.0);
  EXPECT_EQ(Tunectl({"show", "s1/0", "--timing"}), kExitUsage);
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

TEST_F(CommandsTest, WorkersWithSeveralDevicesAndTasks) {
  server_.Put(Parse<v1::WorkerView>(R"pb(
    name: "w1"
    state: BUSY
    running: "s1/1 run, s1/2 compile, s1/3 compile, s1/4 walk, s2 reference"
    devices {
      target: CUDA
      model: "H200"
      cores: 132
      memory_bytes: 150754820096
      cuda { compute_capability_major: 9 driver_version: 13000 }
    }
    devices {
      target: CUDA
      model: "H200"
      cores: 132
      cuda { ordinal: 1 }
      quarantine: "it failed"
    }
    devices { target: CPU model: "X" cores: 4 })pb"));
  EXPECT_EQ(Tunectl({"workers"}), 0);
  EXPECT_THAT(out(), HasSubstr("s1/1 run, s1/2 compile, s1/3 compile and 2 more  "));
  EXPECT_THAT(out(),
              HasSubstr("cuda:0: H200, sm_90, 132 multiprocessors, 140.4 GiB, driver for CUDA 13.0\n  "));
  EXPECT_THAT(out(), ContainsRegex("  cuda:1: H200, 132 multiprocessors +quarantined: it failed\n  "));
  EXPECT_THAT(out(), HasSubstr("  cpu: X, 4 cores\n"));
  EXPECT_EQ(Tunectl({"workers", "--json"}), 0);
  EXPECT_EQ(OutAsJson()[0]["devices"].size(), 3u);
  EXPECT_EQ(OutAsJson()[0]["devices"][1]["quarantine"], "it failed");
  EXPECT_THAT(std::string(OutAsJson()[0]["running"]), HasSubstr("s2 reference"));
}

TEST_F(CommandsTest, WorkersAndStudiesOfPpcg) {
  v1::WorkerView worker = Parse<v1::WorkerView>(R"pb(name: "w1"
                                                     state: IDLE
                                                     devices { target: CUDA model: "H200" cores: 132 })pb");
  server_.Put(worker);
  v1::Study queued;
  queued.set_id("s2");
  queued.set_name("gemm");
  queued.set_state(v1::QUEUED);
  queued.set_target(v1::CUDA);
  queued.set_generator("ppcg");
  server_.Put(queued);
  EXPECT_EQ(Tunectl({"show", "s2"}), 0);
  EXPECT_THAT(out(), ContainsRegex("waiting +no connected worker has ppcg: install PPCG 0.09"));
  EXPECT_THAT(out(), ContainsRegex("generator +ppcg\n"));
  EXPECT_EQ(Tunectl({"show", "s2", "--json"}), 0);
  EXPECT_EQ(OutAsJson()["generator"], "ppcg");
  EXPECT_EQ(Tunectl({"submit", Stored(1), "--generator", "ppcg"}), 0);
  EXPECT_THAT(err(), HasSubstr("It waits: no connected worker has ppcg"));
  worker.mutable_devices(0)->set_ppcg("ppcg-0.09, pet-0.11.6, isl-0.25");
  worker.set_name("w2");
  server_.Put(worker);
  EXPECT_EQ(Tunectl({"show", "s2"}), 0);
  EXPECT_THAT(out(), Not(HasSubstr("waiting")));
  EXPECT_EQ(Tunectl({"workers"}), 0);
  EXPECT_THAT(out(), ContainsRegex("cuda:0: H200, 132 multiprocessors, ppcg-0.09\n"));
  EXPECT_EQ(Tunectl({"workers", "--json"}), 0);
  EXPECT_EQ(OutAsJson()[1]["devices"][0]["ppcg"], "ppcg-0.09, pet-0.11.6, isl-0.25");
}

TEST_F(CommandsTest, SubmitSaysThatNoWorkerHasTheDevice) {
  EXPECT_EQ(Tunectl({"submit", Stored(1)}), 0);
  EXPECT_THAT(err(), HasSubstr("no worker is connected: start `tune-worker --server " + server_.address()));
  server_.Put(Parse<v1::WorkerView>(R"pb(name: "w1"
                                         state: IDLE
                                         devices { target: CPU model: "X" })pb"));
  EXPECT_EQ(Tunectl({"submit", Stored(1)}), 0);
  EXPECT_EQ(err(), "");
  EXPECT_EQ(Tunectl({"submit", Stored(1), "--target", "cuda", "--json"}), 0);
  EXPECT_THAT(err(), HasSubstr("no connected worker has a CUDA device"));
  EXPECT_EQ(OutAsJson().size(), 1u);
}

// What is printed by someone who follows a queued study; at the first line that holds `cue` the study ends.
class EndAt : public std::stringbuf {
 public:
  EndAt(FakeServer* server, std::string cue) : server_(server), cue_(std::move(cue)) {}

 protected:
  int sync() override {
    if (str().find(cue_) != std::string::npos) server_->Put(Done("s2"));
    return 0;
  }

 private:
  FakeServer* const server_;
  const std::string cue_;
};

TEST_F(CommandsTest, FollowingAQueuedStudySaysWhatIsMissingOnce) {
  v1::Study queued;
  queued.set_id("s2");
  queued.set_name("gemm");
  queued.set_state(v1::QUEUED);
  queued.set_target(v1::CUDA);
  server_.Put(queued);
  EndAt buffer(&server_, "CUDA device");
  std::ostream out(&buffer);
  Session session({&out, &out});
  session.options.server = server_.address();
  FollowOptions options;
  options.queue_patience = absl::ZeroDuration();
  const InterruptGuard interrupt;
  StudyClient* const client = session.Client().value();
  const auto followed = Follow(session, *client, "s2", interrupt, options);
  ASSERT_TRUE(followed.ok()) << followed.status();
  EXPECT_EQ(followed->study.state(), v1::DONE);
  const std::string text = buffer.str(), cue = "no connected worker has a CUDA device";
  EXPECT_THAT(text, HasSubstr("gemm: " + cue + ": start `tune-worker --server " + server_.address()));
  EXPECT_EQ(text.find(cue, text.find(cue) + 1), std::string::npos) << text;
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
  EXPECT_EQ(levels.count("sandbox"), 1u);
  EXPECT_EQ(levels.count("CUDA toolkit"), 1u);
  server_.Stop();
  EXPECT_EQ(Tunectl({"doctor"}), kExitFailed);
  EXPECT_THAT(out(), HasSubstr("fail  server"));
}

// As workers do.
TEST_F(CommandsTest, DoctorTakesTheCompilerThatCcNames) {
  setenv("CC", "no-such-compiler -O", 1);
  EXPECT_EQ(Tunectl({"doctor"}), kExitFailed);
  unsetenv("CC");
  EXPECT_THAT(out(), HasSubstr("fail  C compiler    no-such-compiler -O no-such-compiler: no such program"));
  EXPECT_THAT(out(), HasSubstr("fail  OpenMP        no-such-compiler -O -fopenmp "));
}

TEST_F(CommandsTest, DoctorWarnsOfABrokenNvcc) {
  const std::string nvcc = folder_.path() + "/nvcc", path = std::getenv("PATH");
  ASSERT_TRUE(WriteFile(nvcc, "#!/bin/sh\necho wrong machine >&2\nexit 1\n").ok());
  std::filesystem::permissions(nvcc, std::filesystem::perms::owner_all);
  setenv("PATH", (folder_.path() + ":" + path).c_str(), 1);
  EXPECT_EQ(Tunectl({"doctor"}), kExitOk);
  setenv("PATH", path.c_str(), 1);
  EXPECT_THAT(out(), HasSubstr(nvcc + " --version exited with status 1: wrong machine"));
}

}  // namespace
}  // namespace tune
