// Look-up, exchange and retention on the command line, against servers in this process.
#include <gmock/gmock.h>
#include <google/protobuf/text_format.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <sstream>

#include "absl/synchronization/notification.h"
#include "client/cli/tunectl.h"
#include "client/report/json.h"
#include "client/submit/front_end.h"
#include "common/base/file.h"
#include "common/exchange/archive.h"
#include "common/exchange/gzip.h"
#include "common/exchange/study_identity.h"
#include "tests/client/testing/fake_page.h"
#include "tests/client/testing/tunectl_test.h"
#include "tests/common/testing/sample_scops.h"

namespace tune {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

v1::Match KnownMatch(const std::string& id, const std::string& option, v1::Match::DeviceMatch device,
                     v1::Match::SizeMatch size) {
  v1::Match match;
  EXPECT_TRUE(google::protobuf::TextFormat::ParseFromString(
      R"pb(study {
             name: "gemm"
             owner: "ann@lab"
             state: DONE
             best_index: 4
             best { samples: 0.001 median: 0.001 confidence_low: 0.001 confidence_high: 0.001 }
             gain_over_default: 2
             gain_over_sequential: 40
             device {
               target: CUDA
               model: "NVIDIA H200"
               cuda { compute_capability_major: 9 }
             }
             reference {
               parameters { name: "ni" value: 1000 }
               parameters { name: "nj" value: 1100 }
             }
           }
           configuration { decisions { key: "tile" } })pb",
      &match));
  match.mutable_study()->set_id(id);
  match.mutable_configuration()->mutable_decisions(0)->set_option(option);
  match.set_device(device);
  match.set_size(size);
  return match;
}

class ExchangeCommandsTest : public TunectlTest {
 protected:
  std::string path(const std::string& name) const { return folder_.path() + "/" + name; }

  // gemm as a stored extraction.
  std::string Gemm(bool has_main = true) {
    v1::Extraction extraction;
    *extraction.add_scops() = testing::GemmScop();
    extraction.mutable_program()->set_has_main(has_main);
    extraction.mutable_program()->add_defines("LARGE");
    EXPECT_TRUE(StoreExtraction(extraction, path("gemm.scop")).ok());
    return path("gemm.scop");
  }
  void Know(const std::vector<v1::Match>& matches) {
    v1::LookUpResponse known;
    known.add_devices("NVIDIA H200");
    for (const v1::Match& match : matches) *known.add_matches() = match;
    server_.SetKnown(known);
  }

  // An archive of one study that is on both fake servers as s1.
  static std::string ArchiveOf(const std::string& name) {
    v1::Archive archive;
    v1::ArchivedStudy& study = *archive.add_studies();
    study.mutable_study()->set_id("s1");
    study.mutable_study()->set_name(name);
    study.mutable_study()->set_best_index(0);
    study.mutable_study()->mutable_best()->set_median(0.5);
    study.mutable_spec()->mutable_scop()->set_name("kernel");
    v1::Candidate& candidate = *study.add_candidates()->mutable_candidate();
    candidate.set_origin(v1::SEARCH);
    candidate.set_state(v1::EVALUATED);
    candidate.mutable_evaluation()->set_outcome(v1::CORRECT);
    candidate.mutable_evaluation()->mutable_measurement()->set_median(0.5);
    study.set_fingerprint(StudyFingerprint(study));
    return PrintArchive(archive).value();
  }
  static v1::ImportStudiesResponse Imported(const std::string& id, bool duplicate) {
    v1::ImportStudiesResponse response;
    response.add_studies()->mutable_study()->set_id(id);
    response.mutable_studies(0)->mutable_study()->set_name("gemm");
    response.mutable_studies(0)->set_duplicate(duplicate);
    return response;
  }
  static v1::Study Ended(const std::string& id, int64_t created) {
    v1::Study study;
    study.set_id(id);
    study.set_state(v1::DONE);
    study.set_best_index(0);
    study.set_created_unix_ms(created);
    return study;
  }

  FakeServer other_{folder_.path() + "/o"};
};

TEST_F(ExchangeCommandsTest, BestOfAFileThatIsKnown) {
  Know({KnownMatch("s3", "32", v1::Match::SAME_DEVICE, v1::Match::SAME_SIZES)});
  EXPECT_EQ(Tunectl({"best", Gemm()}), 0) << err();
  EXPECT_THAT(out(), HasSubstr("s3 (gemm) of ann@lab: 1.00 ms"));
  EXPECT_THAT(out(), HasSubstr("2.0x over default, 40.0x over sequential"));
  EXPECT_THAT(out(), HasSubstr("same device (NVIDIA H200), same sizes (ni = 1000, nj = 1100)"));
  EXPECT_THAT(out(), HasSubstr("fetch s3 -o gemm.tuned.c"));
  EXPECT_THAT(out(), Not(HasSubstr("not known exactly")));
  const v1::LookUpRequest asked = server_.look_ups().at(0);
  EXPECT_EQ(asked.scop().name(), "gemm");
  EXPECT_EQ(asked.parameters_size(), 0);
  EXPECT_EQ(asked.target(), v1::TARGET_UNSPECIFIED);
  EXPECT_FALSE(asked.program_fingerprint().empty());
  v1::Program settings;
  settings.add_defines("LARGE");
  EXPECT_EQ(asked.settings_fingerprint(), SettingsFingerprint(settings));
}

TEST_F(ExchangeCommandsTest, BestTellsHowNearMatchesDiffer) {
  Know({KnownMatch("s3", "32", v1::Match::SAME_DEVICE, v1::Match::OTHER_SIZES),
        KnownMatch("s4", "64", v1::Match::SAME_ARCHITECTURE, v1::Match::SAME_SETTINGS),
        KnownMatch("s5", "16", v1::Match::OTHER_DEVICE, v1::Match::UNKNOWN_SIZES)});
  EXPECT_EQ(Tunectl({"best", Gemm(), "--device", "H200", "--target", "cuda", "--parameter", "ni=4000"}), 0)
      << err();
  EXPECT_THAT(out(), HasSubstr("gemm: not known exactly; the nearest is"));
  EXPECT_THAT(out(), HasSubstr("same device (NVIDIA H200), other sizes (ni = 1000, nj = 1100 there)"));
  EXPECT_THAT(out(), HasSubstr("other device of the same architecture (NVIDIA H200, sm_90), same macros"));
  EXPECT_THAT(out(), HasSubstr("other device (NVIDIA H200), sizes not compared"));
  const v1::LookUpRequest asked = server_.look_ups().at(0);
  EXPECT_EQ(asked.device(), "H200");
  EXPECT_EQ(asked.target(), v1::CUDA);
  ASSERT_EQ(asked.parameters_size(), 1);
  EXPECT_EQ(asked.parameters(0).value(), 4000);
  EXPECT_EQ(asked.generator(), "builtin");
  EXPECT_EQ(Tunectl({"best", Gemm(), "--generator", "ppcg"}), 0) << err();
  EXPECT_EQ(server_.look_ups().at(1).generator(), "ppcg");
  EXPECT_EQ(Tunectl({"best", Gemm(), "--json"}), 0);
  const Json region = OutAsJson()[0];
  EXPECT_EQ(region["region"], "gemm");
  EXPECT_EQ(region["devices"][0], "NVIDIA H200");
  EXPECT_EQ(region["matches"][0]["sizes"], "other");
  EXPECT_EQ(region["matches"][1]["device"], "architecture");
  EXPECT_EQ(region["matches"][0]["exact"], false);
  EXPECT_EQ(region["matches"][0]["study"]["id"], "s3");
  EXPECT_EQ(region["matches"][0]["configuration"][0]["option"], "32");
}

TEST_F(ExchangeCommandsTest, BestOfAFileThatIsNotKnown) {
  EXPECT_EQ(Tunectl({"best", Gemm()}), 1);
  EXPECT_THAT(err(), HasSubstr("nothing is known here"));
  EXPECT_THAT(err(), HasSubstr("submit"));
  EXPECT_EQ(Tunectl({"best", Gemm(), "--json"}), 1);
  EXPECT_THAT(OutAsJson()[0]["matches"], IsEmpty());
}

TEST_F(ExchangeCommandsTest, BestRefusesWhatItCannotUse) {
  for (const std::vector<std::string>& wrong :
       std::vector<std::vector<std::string>>{{"best", "s3/1"},
                                             {"best", Gemm(), "--parameter", "ni"},
                                             {"best", Gemm(), "--parameter", "frob=3"},
                                             {"best", Gemm(), "--parameter", "ni=3", "--parameter", "ni=4"},
                                             {"best", Gemm(), "--target", "hip"}}) {
    EXPECT_EQ(Tunectl(wrong), 2) << wrong.back();
  }
  EXPECT_EQ(Tunectl({"best", path("none.c")}), 1);
  EXPECT_THAT(server_.look_ups(), IsEmpty());
}

TEST_F(ExchangeCommandsTest, AFileWithoutMainIsTheProgramThatASubmissionMakesOfIt) {
  const std::string file = Gemm(/*has_main=*/false);
  const std::vector<std::string> values = {"--param", "ni=5", "--param", "nj=6", "--param", "nk=7"};
  std::vector<std::string> best = {"best", file}, submit = {"submit", file};
  best.insert(best.end(), values.begin(), values.end());
  submit.insert(submit.end(), values.begin(), values.end());
  EXPECT_EQ(Tunectl(best), 1);
  EXPECT_EQ(Tunectl(submit), 0) << err();
  const auto asked = server_.look_ups();
  ASSERT_EQ(asked.size(), 2u);
  EXPECT_EQ(asked[0].program_fingerprint(), asked[1].program_fingerprint());
  EXPECT_EQ(asked[0].parameters_size(), 3);
  EXPECT_EQ(asked[1].parameters_size(), 3);
}

TEST_F(ExchangeCommandsTest, SubmitBeginsWithWhatIsKnown) {
  const auto same = v1::Match::SAME_DEVICE;
  Know({KnownMatch("s3", "32", same, v1::Match::SAME_SIZES),
        KnownMatch("s4", "32", same, v1::Match::OTHER_SIZES),
        KnownMatch("s5", "64", same, v1::Match::OTHER_SIZES),
        KnownMatch("s6", "16", same, v1::Match::OTHER_SIZES),
        KnownMatch("s7", "8", same, v1::Match::OTHER_SIZES)});
  EXPECT_EQ(Tunectl({"submit", Gemm()}), 0) << err();
  EXPECT_THAT(out(), HasSubstr("is known here: s3 (gemm)"));
  EXPECT_THAT(out(), HasSubstr("verified first (3 configurations; --fresh"));
  std::vector<std::string> seeds;
  const v1::StudySpec spec = server_.submitted().at(0).spec();
  for (const v1::Configuration& seed : spec.seeds()) seeds.push_back(seed.decisions(0).option());
  EXPECT_THAT(seeds, ElementsAre("32", "64", "16"));  // nearest first, each once, three at most
  EXPECT_EQ(Tunectl({"submit", Gemm(), "--fresh"}), 0);
  EXPECT_EQ(server_.submitted().at(1).spec().seeds_size(), 0);
  EXPECT_EQ(server_.look_ups().size(), 1u);
  EXPECT_EQ(Tunectl({"submit", Gemm(), "--json"}), 0);
  EXPECT_EQ(OutAsJson().size(), 1u);  // nothing but the studies
}

TEST_F(ExchangeCommandsTest, ResultsElsewhereAreWhatTheSearchExpects) {
  v1::Match match = KnownMatch("s3", "32", v1::Match::OTHER_DEVICE, v1::Match::SAME_SIZES);
  match.mutable_results()->set_source("s3 on NVIDIA H200");
  match.mutable_results()->add_results()->set_seconds(0.5);
  Know({match});
  EXPECT_EQ(Tunectl({"submit", Gemm()}), 0) << err();
  EXPECT_THAT(out(), HasSubstr("Results of one study are what the search expects at first."));
  const v1::StudySpec spec = server_.submitted().at(0).spec();
  ASSERT_EQ(spec.known_size(), 1);
  EXPECT_EQ(spec.known(0).source(), "s3 on NVIDIA H200");
  EXPECT_GT(server_.look_ups().at(0).results(), 0);
}

TEST_F(ExchangeCommandsTest, NearMatchesAreToldAsSuch) {
  Know({KnownMatch("s3", "32", v1::Match::OTHER_DEVICE, v1::Match::SAME_SIZES)});
  EXPECT_EQ(Tunectl({"submit", Gemm()}), 0) << err();
  EXPECT_THAT(out(), HasSubstr("the nearest that is known here is s3"));
  EXPECT_THAT(out(), HasSubstr("other device (NVIDIA H200)"));
  EXPECT_EQ(server_.submitted().at(0).spec().seeds_size(), 1);
}

TEST_F(ExchangeCommandsTest, ExportWritesTheFormats) {
  server_.Put(Ended("s1", 1));
  server_.SetFile(ArchiveOf("gemm"));
  EXPECT_TRUE(WriteFile(path("a.tune"), "mine").ok());
  EXPECT_EQ(Tunectl({"export", "s1", "-o", path("a.tune")}), 1);
  EXPECT_THAT(err(), HasSubstr("--force"));
  EXPECT_EQ(Tunectl({"export", "s1", "-o", path("a.tune"), "--force"}), 0) << err();
  EXPECT_EQ(ReadFile(path("a.tune")).value(), ArchiveOf("gemm"));
  EXPECT_FALSE(server_.exports().at(0).without_texts());
  EXPECT_EQ(Tunectl({"export", "s1", "--format", "t4"}), 0) << err();
  EXPECT_EQ(OutAsJson()["results"][0]["invalidity"], "correct");
  EXPECT_TRUE(server_.exports().at(1).without_texts());
  EXPECT_EQ(Tunectl({"export", "s1", "--format", "kernel-tuner"}), 0) << err();
  EXPECT_EQ(OutAsJson()["tuned"]["study"], "s1");
  EXPECT_EQ(Tunectl({"export", "s1", "--format", "wisdom", "-o", path("k.wisdom"), "--json"}), 0) << err();
  EXPECT_EQ(OutAsJson()["format"], "wisdom");
  EXPECT_THAT(ReadFile(path("k.wisdom")).value(), HasSubstr("\"key\":\"kernel\""));
  // Over its own files of any format it writes without being told to.
  EXPECT_EQ(Tunectl({"export", "s1", "--format", "t4", "-o", path("k.wisdom")}), 0) << err();
  EXPECT_EQ(Tunectl({"export", "s1", "-o", path("k.wisdom")}), 0) << err();
  EXPECT_EQ(Tunectl({"export", "s1", "--format", "wisdom", "-o", path("k.wisdom")}), 0) << err();
}

TEST_F(ExchangeCommandsTest, FilesAreCompressedByTheirNames) {
  server_.Put(Ended("s1", 1));
  server_.SetFile(ArchiveOf("gemm"));
  EXPECT_EQ(Tunectl({"export", "s1", "--format", "kernel-tuner", "-o", path("c.json.gz")}), 0) << err();
  const std::string content = ReadFile(path("c.json.gz")).value();
  EXPECT_TRUE(IsGzip(content));
  EXPECT_EQ(Json::parse(Gunzip(content).value())["tuned"]["study"], "s1");
  EXPECT_EQ(Tunectl({"export", "s1", "--format", "t4", "-o", path("c.json.gz")}), 0) << "its own: " << err();
  EXPECT_EQ(Tunectl({"export", "s1", "-o", path("a.tune.gz")}), 0) << err();
  server_.SetImported(Imported("s7", false));
  EXPECT_EQ(Tunectl({"import", path("c.json.gz")}), 0) << err();
  EXPECT_EQ(ParseArchive(server_.imports().at(0).second)->studies(0).study().provenance().format(), "T4");
  EXPECT_EQ(Tunectl({"import", path("a.tune.gz")}), 0) << err();
  EXPECT_EQ(server_.imports().at(1).second, ArchiveOf("gemm"));
  ASSERT_TRUE(WriteFile(path("cut.json.gz"), content.substr(0, content.size() / 2)).ok());
  EXPECT_EQ(Tunectl({"import", path("cut.json.gz")}), 1);
  EXPECT_THAT(err(), HasSubstr("cut.json.gz: the compressed data is damaged or cut off"));
}

TEST_F(ExchangeCommandsTest, ExportRefusesWhatItCannotWrite) {
  server_.Put(Ended("s1", 1));
  EXPECT_EQ(Tunectl({"export", "s1"}), 2);
  EXPECT_EQ(Tunectl({"export", "s1", "s2", "--format", "t4", "-o", path("x")}), 2);
  EXPECT_EQ(Tunectl({"export", "s1", "--format", "csv"}), 2);
  EXPECT_EQ(Tunectl({"export", "s9", "-o", path("x")}), 1);
  server_.SetFile(ArchiveOf("gemm"), /*whole=*/false);
  EXPECT_EQ(Tunectl({"export", "s1", "-o", path("x")}), 1);
  EXPECT_THAT(err(), HasSubstr("did not arrive whole"));
  EXPECT_FALSE(std::filesystem::exists(path("x")));
}

TEST_F(ExchangeCommandsTest, ImportSendsTheArchiveAsItIs) {
  ASSERT_TRUE(WriteFile(path("a.tune"), ArchiveOf("gemm")).ok());
  server_.SetImported(Imported("s7", false));
  EXPECT_EQ(Tunectl({"import", path("a.tune")}), 0) << err();
  EXPECT_EQ(out(), "s1 (gemm) is now s7\n");
  EXPECT_EQ(server_.imports().at(0).first, "a.tune");
  EXPECT_EQ(server_.imports().at(0).second, ArchiveOf("gemm"));
  server_.SetImported(Imported("s7", true));
  EXPECT_EQ(Tunectl({"import", path("a.tune")}), 0);
  EXPECT_EQ(out(), "s1 (gemm) is known already as s7\n");
  EXPECT_EQ(Tunectl({"import", path("a.tune"), "--json"}), 0);
  EXPECT_EQ(OutAsJson()[0]["duplicate"], true);
  EXPECT_EQ(OutAsJson()[0]["from"], "s1");
}

TEST_F(ExchangeCommandsTest, ImportTakesT4AsResultsAlone) {
  ASSERT_TRUE(
      WriteFile(path("r.json"), R"({"results": [{"configuration": {"x": 1}, "times": {"runtimes": [2]},
                        "invalidity": "correct", "correctness": 1}]})")
          .ok());
  server_.SetImported(Imported("s8", false));
  EXPECT_EQ(Tunectl({"import", path("r.json")}), 0) << err();
  EXPECT_THAT(out(), HasSubstr("results without code"));
  const v1::Archive sent = ParseArchive(server_.imports().at(0).second).value();
  EXPECT_EQ(sent.studies(0).study().provenance().format(), "T4");
  EXPECT_EQ(sent.studies(0).candidates_size(), 1);
}

TEST_F(ExchangeCommandsTest, ImportTakesKernelTunersCachesAsResultsAlone) {
  const char* const cache = R"json({"tune_params_keys": ["x"], "cache": {"1": {"x": 1, "time": 2.5}}})json";
  ASSERT_TRUE(WriteFile(path("cache.json"), cache).ok());
  server_.SetImported(Imported("s7", false));
  EXPECT_EQ(Tunectl({"import", path("cache.json")}), 0) << err();
  EXPECT_THAT(out(), HasSubstr("results without code"));
  const v1::Archive archive = ParseArchive(server_.imports().at(0).second).value();
  EXPECT_EQ(archive.studies(0).study().provenance().format(), "Kernel Tuner cache");
  ASSERT_TRUE(WriteFile(path("bad.json"), R"json({"cache": {"1": {"x": 1}}})json").ok());
  EXPECT_EQ(Tunectl({"import", path("bad.json")}), 1);
  EXPECT_THAT(err(), HasSubstr("bad.json: not a Kernel Tuner cache: tune_params_keys must be a list"));
  EXPECT_EQ(server_.imports().size(), 1u);
}

TEST_F(ExchangeCommandsTest, BadFilesAreNotSent) {
  const std::vector<std::pair<std::string, std::string>> files = {{"cut", ArchiveOf("gemm").substr(0, 100)},
                                                                  {"text", "hello"},
                                                                  {"deep.json", std::string(500'000, '[')},
                                                                  {"other.json", R"({"results": 3})"},
                                                                  {"empty.json", R"({"results": []})"}};
  for (const auto& [name, content] : files) {
    ASSERT_TRUE(WriteFile(path(name), content).ok());
    EXPECT_EQ(Tunectl({"import", path(name)}), 1) << name;
    EXPECT_THAT(err(), HasSubstr(name));
  }
  EXPECT_EQ(Tunectl({"import", path("none")}), 1);
  EXPECT_THAT(server_.imports(), IsEmpty());
}

TEST_F(ExchangeCommandsTest, PublishCopiesToTheOtherServer) {
  server_.Put(Ended("s1", 1));
  server_.SetFile(ArchiveOf("gemm"));
  other_.SetImported(Imported("s5", false));
  EXPECT_EQ(Tunectl({"publish", "s1", "--to", other_.address()}), 0) << err();
  EXPECT_EQ(out(), "s1 (gemm) is now s5 at " + other_.address() + "\n");
  EXPECT_EQ(other_.imports().at(0).first, server_.address());
  EXPECT_EQ(other_.imports().at(0).second, ArchiveOf("gemm"));
  EXPECT_EQ(Tunectl({"publish", "s1"}), 2);
  other_.Stop();
  EXPECT_EQ(Tunectl({"publish", "s1", "--to", other_.address()}), 3);
  EXPECT_THAT(err(), HasSubstr(other_.address()));
}

TEST_F(ExchangeCommandsTest, PullTakesWhatIsNew) {
  other_.Put(Ended("s1", 100));
  other_.Put(Ended("s2", 200));
  v1::Study running = Ended("s3", 300);
  running.set_state(v1::SEARCHING);
  other_.Put(running);
  v1::Study nothing = Ended("s4", 400);
  nothing.set_best_index(-1);
  other_.Put(nothing);
  other_.SetFile(ArchiveOf("gemm"));
  v1::Study here = Ended("s9", 100);  // a copy of s1
  here.mutable_provenance()->set_server(other_.address());
  here.mutable_provenance()->set_study_id("s1");
  server_.Put(here);
  server_.SetImported(Imported("s10", false));
  EXPECT_EQ(Tunectl({"pull", "--from", other_.address()}), 0) << err();
  EXPECT_EQ(out(), "s2 (gemm) is now s10\n");
  ASSERT_EQ(other_.exports().size(), 1u);
  EXPECT_EQ(other_.exports()[0].study_ids(0), "s2");
  EXPECT_EQ(server_.imports().at(0).first, other_.address());
  EXPECT_EQ(Tunectl({"pull", "s1", "--from", other_.address(), "--json"}), 0);
  EXPECT_EQ(OutAsJson()[0]["from"], "s1");
  v1::Study second = Ended("s11", 200);
  second.mutable_provenance()->set_server(other_.address());
  second.mutable_provenance()->set_study_id("s2");
  server_.Put(second);
  EXPECT_EQ(Tunectl({"pull", "--from", other_.address()}), 0);
  EXPECT_THAT(out(), HasSubstr("Nothing new"));
}

TEST_F(ExchangeCommandsTest, PullNamesTheOptionOfTheOtherServersToken) {
  other_.FailWith({grpc::StatusCode::UNAUTHENTICATED, "no token"});
  EXPECT_EQ(Tunectl({"pull", "--from", other_.address()}), 1);
  EXPECT_THAT(err(), HasSubstr("--from-token-file"));
}

// The same from the page of the other server.
class PullFromPageTest : public ExchangeCommandsTest {
 protected:
  void PutStudies(int count) {
    std::string rows;
    for (int i = count; i > 0; --i) {
      const std::string id = absl::StrCat("s", i);
      absl::StrAppend(&rows, rows.empty() ? "" : ", ", R"({"id": ")", id,
                      R"(", "state": "done", "best_index": 0, "created": )", 100 * i,
                      R"(, "finished": null})");
      page_.Put("/api/v1/studies/" + id, R"({"provenance": null})");
      page_.Put("/api/v1/studies/" + id + "/archive", ArchiveOf("gemm"));
    }
    page_.Put("/api/v1/studies", absl::StrCat(R"({"studies": [)", rows, R"(], "matching": )", count, "}"));
  }
  int Pull(std::vector<std::string> more = {}) {
    more.insert(more.begin(), {"pull", "--from", page_.url() + "/"});
    return Tunectl(more);
  }

  FakePage page_;
};

TEST_F(PullFromPageTest, TakesWhatIsNew) {
  PutStudies(3);
  v1::Study here = Ended("s9", 200);  // a copy of s2, which came over another way
  here.mutable_provenance()->set_server("lab:7410");
  here.mutable_provenance()->set_study_id("s2");
  server_.Put(here);
  server_.SetImported(Imported("s10", false));
  EXPECT_EQ(Pull(), 0) << err();
  EXPECT_EQ(out(), "[1/2] s1 (gemm) is now s10\n[2/2] s3 (gemm) is now s10\n");
  ASSERT_EQ(server_.imports().size(), 2u);
  EXPECT_EQ(server_.imports()[0].first, page_.url());  // what the provenance keeps
  EXPECT_EQ(server_.imports()[0].second, ArchiveOf("gemm"));
  server_.SetImported(Imported("s10", true));
  EXPECT_EQ(Pull({"s2"}), 0);
  EXPECT_EQ(out(), "s2 (gemm) is known already as s10\n");
  EXPECT_EQ(Pull({"s2", "--json"}), 0);
  EXPECT_EQ(OutAsJson()[0]["from"], "s2");
  PutStudies(0);
  EXPECT_EQ(Pull(), 0);
  EXPECT_EQ(out(), "Nothing new at " + page_.url() + ".\n");
}

// A study that came to the other server from this one is not fetched.
TEST_F(PullFromPageTest, WhatCameFromHereStaysThere) {
  PutStudies(1);
  page_.Put("/api/v1/studies/s1",
            R"({"provenance": {"format": "archive", "server": "here", "study_id": "s4"}})");
  server_.Put(Ended("s4", 100));
  EXPECT_EQ(Pull(), 0) << err();
  EXPECT_THAT(out(), HasSubstr("Nothing new"));
  EXPECT_THAT(server_.imports(), IsEmpty());
}

TEST_F(PullFromPageTest, AStudyThatHasGoneIsLeftOut) {
  PutStudies(2);
  page_.Put("/api/v1/studies/s1/archive", FakePage::Error("not_found", "no study s1"), 404);
  server_.SetImported(Imported("s10", false));
  EXPECT_EQ(Pull(), 0) << err();
  EXPECT_EQ(server_.imports().size(), 1u);
  EXPECT_THAT(err(), HasSubstr("no study s1"));
  EXPECT_EQ(Pull({"s2", "s1"}), 1);  // asked for by name
  EXPECT_THAT(err(), HasSubstr("no study s1"));
}

TEST_F(PullFromPageTest, AnErrorTellsHowFarItCame) {
  PutStudies(3);
  page_.Put("/api/v1/studies/s2/archive", "<html>");
  server_.SetImported(Imported("s10", false));
  EXPECT_EQ(Pull(), 1);
  EXPECT_THAT(err(), HasSubstr("after 1 of 3"));
  EXPECT_THAT(err(), HasSubstr("no tuned-server"));
  EXPECT_EQ(Pull({"--json"}), 1);
  EXPECT_EQ(OutAsJson().size(), 1u);
}

TEST_F(PullFromPageTest, CtrlCEndsInOrder) {
  PutStudies(2);
  absl::Notification release;
  page_.Put("/api/v1/studies/s2/archive", [&](const httplib::Request&, httplib::Response&) {
    kill(getpid(), SIGINT);
    release.WaitForNotification();
  });
  server_.SetImported(Imported("s10", false));
  EXPECT_EQ(Pull(), 130);
  release.Notify();
  page_.Stop();  // nobody waits for it any more
  EXPECT_THAT(err(), HasSubstr("Interrupted after 1 of 2"));
  EXPECT_EQ(server_.imports().size(), 1u);
}

TEST_F(PullFromPageTest, TheTokenComesFromItsFile) {
  const std::string token = "0123456789abcdef0123456789abcdef";
  page_.SetToken(token);
  ASSERT_TRUE(WriteFile(path("token"), token + "\n").ok());
  ASSERT_EQ(chmod(path("token").c_str(), 0600), 0);
  EXPECT_EQ(Pull(), 1);
  EXPECT_THAT(err(), HasSubstr("--from-token-file"));
  page_.Put("/api/v1/studies", R"({"studies": [], "matching": 0})");
  EXPECT_EQ(Pull({"--from-token-file", path("token")}), 0) << err();
}

TEST_F(PullFromPageTest, AddressesThatCannotBeUsed) {
  EXPECT_EQ(Tunectl({"pull", "--from", "ftp://lab"}), 2);
  EXPECT_EQ(Tunectl({"pull", "--from", "http://lab:7411/studies"}), 2);
  EXPECT_EQ(Tunectl({"publish", "s1", "--to", page_.url()}), 2);
  EXPECT_THAT(err(), HasSubstr("a page only reads"));
  page_.Stop();
  EXPECT_EQ(Pull(), 3);
  EXPECT_THAT(err(), HasSubstr("no server answers at " + page_.url()));
  EXPECT_EQ(Tunectl({"pull", "--help"}), 0);
  EXPECT_THAT(out(), HasSubstr("https://"));
}

TEST_F(ExchangeCommandsTest, GcTellsThePolicyAndTheResult) {
  v1::CollectGarbageResponse collected;
  collected.set_texts(12);
  collected.set_text_bytes(2048);
  collected.add_removed_studies("s4");
  collected.add_removed_studies("s5");
  collected.set_removed_candidates(100);
  collected.set_bytes_before(4096);
  collected.set_bytes_after(1024);
  server_.SetCollected(collected);
  EXPECT_EQ(Tunectl({"gc", "--keep-days", "7", "--keep-best", "3", "--remove-days", "365"}), 0) << err();
  EXPECT_THAT(out(), HasSubstr("Texts of 12 evaluations (2.0 KiB) were removed."));
  EXPECT_THAT(out(), HasSubstr("2 studies with 100 candidates were removed: s4 s5"));
  EXPECT_THAT(out(), HasSubstr("Database: 4.0 KiB, now 1.0 KiB."));
  EXPECT_EQ(Tunectl({"gc", "--dry-run"}), 0);
  EXPECT_THAT(out(), HasSubstr("would be removed"));
  EXPECT_EQ(Tunectl({"gc", "--json"}), 0);
  EXPECT_EQ(OutAsJson()["removed_studies"].size(), 2u);
  const auto policies = server_.policies();
  EXPECT_EQ(policies[0].keep_days(), 7);
  EXPECT_EQ(policies[0].keep_best(), 3);
  EXPECT_EQ(policies[0].remove_days(), 365);
  EXPECT_FALSE(policies[0].dry_run());
  EXPECT_EQ(policies[1].keep_days(), 30);
  EXPECT_EQ(policies[1].keep_best(), 10);
  EXPECT_EQ(policies[1].remove_days(), 0);
  EXPECT_TRUE(policies[1].dry_run());
  EXPECT_EQ(Tunectl({"gc", "--keep-days", "-1"}), 2);
}

TEST_F(ExchangeCommandsTest, BackupWritesAWholeFileOrNone) {
  const std::string database(5000, 'd');
  server_.SetFile(database);
  EXPECT_EQ(Tunectl({"backup", path("b.db")}), 0) << err();
  EXPECT_EQ(ReadFile(path("b.db")).value(), database);
  EXPECT_THAT(out(), HasSubstr("tuned-server --restore"));
  EXPECT_EQ(Tunectl({"backup", path("b.db")}), 1);
  EXPECT_THAT(err(), HasSubstr("exists already"));
  server_.SetFile(database, /*whole=*/false);
  EXPECT_EQ(Tunectl({"backup", path("c.db")}), 1);
  EXPECT_FALSE(std::filesystem::exists(path("c.db")));
  EXPECT_EQ(Tunectl({"backup", path("none/c.db")}), 1);
}

TEST_F(ExchangeCommandsTest, AStudyFromElsewhereSaysSo) {
  v1::Study study = Ended("s1", 1);
  study.mutable_provenance()->set_format("archive");
  study.mutable_provenance()->set_server("lab:7410");
  study.mutable_provenance()->set_study_id("s4");
  server_.Put(study);
  EXPECT_EQ(Tunectl({"show", "s1"}), 0) << err();
  EXPECT_THAT(out(), HasSubstr("archive lab:7410 s4"));
  EXPECT_EQ(Tunectl({"show", "s1", "--json"}), 0);
  EXPECT_EQ(OutAsJson()["provenance"]["server"], "lab:7410");
}

TEST_F(ExchangeCommandsTest, EveryNewVerbHasHelp) {
  for (const char* verb : {"best", "export", "import", "publish", "pull", "gc", "backup"}) {
    EXPECT_EQ(Tunectl({verb, "--help"}), 0) << verb;
    EXPECT_THAT(out(), HasSubstr("Examples:")) << verb;
    EXPECT_THAT(out(), HasSubstr("--json prints")) << verb;
  }
}

}  // namespace
}  // namespace tune
