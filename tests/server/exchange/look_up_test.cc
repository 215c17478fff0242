// Look-up: what counts as the same computation, and in which order matches come.
#include "server/exchange/look_up.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "absl/strings/str_replace.h"
#include "common/exchange/study_identity.h"
#include "tests/common/testing/matmul_definition.h"
#include "tests/common/testing/sample_scops.h"

namespace tune {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

v1::Device Gpu(const std::string& model, int major) {
  v1::Device device;
  device.set_target(v1::CUDA);
  device.set_model(model);
  device.mutable_cuda()->set_compute_capability_major(major);
  return device;
}

const v1::Device kH200 = Gpu("NVIDIA H200", 9), kH100 = Gpu("NVIDIA H100", 9), kA100 = Gpu("NVIDIA A100", 8);

v1::Scop RenamedGemmScop() {
  v1::Scop scop;
  std::string text = testing::GemmScop().SerializeAsString();
  // The same lengths, so that the message can still be read.
  scop.ParseFromString(absl::StrReplaceAll(text, {{"nk", "zz"}, {"nj", "yy"}, {"ni", "xx"}}));
  return scop;
}

// Fixed sizes in place of the parameters.
v1::Scop FixedScop(int64_t n) {
  const std::string size = absl::StrCat(n);
  return testing::ScopBuilder("fixed", {}, "1 = 1")
      .Array("y", {size})
      .Begin("i", "0 <= i < " + size)
      .Update(v1::ADD, {"y", "i"}, {{"y", size + " - 1 - i"}}, testing::Read(0))
      .End()
      .Build();
}

class LookUpTest : public ::testing::Test {
 protected:
  struct Known {
    v1::Scop scop = testing::GemmScop();
    v1::Device device = kH200;
    std::vector<int64_t> parameters = {1000, 1000, 1000};
    double best = 0.5;
    std::string macro = "LARGE";
    std::string generator = "builtin";
    std::string source = "int a;";
  };

  static v1::Program Program(const Known& known) {
    v1::Program program;
    program.add_defines(known.macro);
    program.add_files()->set_content(known.source);
    return program;
  }

  // A study that has ended with candidate 1 as its best.
  std::string Put(const Known& known) {
    StoredStudy whole;
    whole.study.set_state(v1::DONE);
    whole.study.set_best_index(known.best > 0 ? 1 : -1);
    whole.study.mutable_best()->set_median(known.best);
    *whole.study.mutable_device() = known.device;
    whole.study.mutable_reference()->set_executions(1);
    const auto& parameters = known.scop.parameters();
    for (int i = 0; i < parameters.size(); ++i) {
      v1::ParameterValue* value = whole.study.mutable_reference()->add_parameters();
      value->set_name(parameters[i].name());
      value->set_value(known.parameters[i]);
    }
    *whole.spec.mutable_scop() = known.scop;
    *whole.spec.mutable_program() = Program(known);
    whole.spec.set_generator(known.generator);
    StoredCandidate best;
    best.candidate.set_index(1);
    best.candidate.set_state(v1::EVALUATED);
    v1::Decision* decision = best.candidate.mutable_configuration()->add_decisions();
    decision->set_key("best");
    decision->set_option(absl::StrCat(known.best));
    whole.candidates.push_back(best);
    return store_->AddWholeStudies({whole}).value()[0].study.id();
  }

  // What a client asks that has the program of `known`.
  static v1::LookUpRequest Ask(const Known& known) {
    v1::LookUpRequest request;
    *request.mutable_scop() = known.scop;
    request.set_target(v1::CUDA);
    request.set_program_fingerprint(ProgramFingerprint(Program(known)));
    request.set_settings_fingerprint(SettingsFingerprint(Program(known)));
    return request;
  }
  static void SetParameters(v1::LookUpRequest* request, const std::vector<int64_t>& values) {
    for (size_t i = 0; i < values.size(); ++i) {
      v1::ParameterValue* value = request->add_parameters();
      value->set_name(request->scop().parameters(static_cast<int>(i)).name());
      value->set_value(values[i]);
    }
  }

  v1::LookUpResponse Find(const v1::LookUpRequest& request, std::vector<v1::Device> workers = {kH200}) {
    const auto response = LookUp(*store_, request, workers);
    EXPECT_TRUE(response.ok()) << response.status();
    return response.ok() ? *response : v1::LookUpResponse();
  }
  static std::vector<std::string> Ids(const v1::LookUpResponse& response) {
    std::vector<std::string> ids;
    for (const v1::Match& match : response.matches()) ids.push_back(match.study().id());
    return ids;
  }

  std::unique_ptr<Store> store_ = MakeMemoryStore();
};

TEST_F(LookUpTest, TheSameProgramOnTheSameDevice) {
  Put({});
  const v1::LookUpResponse response = Find(Ask({}));
  ASSERT_EQ(response.matches_size(), 1);
  EXPECT_EQ(response.matches(0).device(), v1::Match::SAME_DEVICE);
  EXPECT_EQ(response.matches(0).size(), v1::Match::SAME_SIZES);
  EXPECT_EQ(response.matches(0).configuration().decisions(0).key(), "best");
  EXPECT_THAT(response.devices(), ElementsAre("NVIDIA H200"));
}

TEST_F(LookUpTest, ResultsAreTheFastestOfTheSearch) {
  const std::string id = Put({});
  StudyChange change;
  change.study_id = id;
  for (int i = 2; i < 6; ++i) {
    v1::Candidate candidate;
    candidate.set_index(i);
    candidate.set_origin(i == 5 ? v1::REPLAY : v1::SEARCH);
    candidate.set_state(v1::EVALUATED);
    v1::Decision* decision = candidate.mutable_configuration()->add_decisions();
    decision->set_key("tile");
    decision->set_option(absl::StrCat(i));
    candidate.mutable_evaluation()->set_outcome(i == 3 ? v1::RUNTIME : v1::CORRECT);
    candidate.mutable_evaluation()->mutable_measurement()->set_median(10 - i);
    change.candidates.push_back({candidate, ""});
  }
  ASSERT_TRUE(store_->Apply(change).ok());
  v1::LookUpRequest request = Ask({});
  EXPECT_FALSE(Find(request).matches(0).has_results());
  request.set_results(5);
  const v1::KnownResults results = Find(request).matches(0).results();
  EXPECT_EQ(results.source(), id + " on NVIDIA H200");
  ASSERT_EQ(results.results_size(), 2);  // neither what failed nor replays
  EXPECT_EQ(results.results(0).seconds(), 6);
  EXPECT_EQ(results.results(0).configuration().decisions(0).option(), "4");
  request.set_results(1);
  EXPECT_EQ(Find(request).matches(0).results().results_size(), 1);
}

// A study for time that has measured energy, and one for energy: the faster and the thriftier candidates.
TEST_F(LookUpTest, ResultsAreRankedByTheObjectiveThatIsAskedFor) {
  const auto put = [&](const std::string& objective, int best, double seconds, double joules) {
    const std::string id = Put({});
    StudyChange change;
    change.study_id = id;
    v1::Study study = store_->GetStudy(id).value();
    study.mutable_search()->set_objective(objective);
    study.set_best_index(best);
    study.mutable_best()->set_median(seconds);
    study.mutable_best()->set_joules(joules);
    change.study = study;
    for (int i = 2; i < 5; ++i) {
      v1::Candidate candidate;
      candidate.set_index(i);
      candidate.set_origin(v1::SEARCH);
      candidate.set_state(v1::EVALUATED);
      v1::Decision* decision = candidate.mutable_configuration()->add_decisions();
      decision->set_key("tile");
      decision->set_option(absl::StrCat(i));
      candidate.mutable_evaluation()->set_outcome(v1::CORRECT);
      candidate.mutable_evaluation()->mutable_measurement()->set_median(i);
      if (i < 4) candidate.mutable_evaluation()->mutable_measurement()->set_joules(10 - i);
      change.candidates.push_back({candidate, ""});
    }
    EXPECT_TRUE(store_->Apply(change).ok());
    return id;
  };
  const std::string fast = put("", 2, 2, 8), thrifty = put("energy", 3, 3, 7);
  v1::LookUpRequest request = Ask({});
  request.set_results(5);
  v1::LookUpResponse found = Find(request);
  EXPECT_THAT(Ids(found), ElementsAre(fast, thrifty));
  EXPECT_EQ(found.matches(1).configuration().decisions(0).option(), "2") << "its fastest";
  ASSERT_EQ(found.matches(1).results().results_size(), 3);
  EXPECT_EQ(found.matches(1).results().results(0).seconds(), 2);
  request.mutable_search()->set_objective("energy");
  found = Find(request);
  EXPECT_THAT(Ids(found), ElementsAre(thrifty, fast));
  EXPECT_EQ(found.matches(1).configuration().decisions(0).option(), "3") << "its thriftiest";
  ASSERT_EQ(found.matches(1).results().results_size(), 2) << "of one no energy is known";
  EXPECT_EQ(found.matches(1).results().results(0).seconds(), 7);
  request.mutable_search()->set_objective("price");
  found = Find(request);
  ASSERT_EQ(found.matches_size(), 2);
  EXPECT_EQ(found.matches(0).results().results_size(), 0);
}

TEST_F(LookUpTest, KernelsOfOtherSizesAreFound) {
  const v1::StudySpec here = testing::KernelSpec(testing::MatmulDefinition(64), "void matmul();\n");
  const v1::StudySpec larger = testing::KernelSpec(testing::MatmulDefinition(128), "void matmul();\n");
  const v1::StudySpec other = testing::KernelSpec(testing::MatmulDefinition(64), "void matmul(int);\n");
  for (const v1::StudySpec& spec : {larger, here, other}) {
    StoredStudy whole;
    whole.study.set_state(v1::DONE);
    whole.study.set_best_index(0);
    whole.study.mutable_best()->set_median(1);
    whole.study.mutable_device()->set_target(v1::CPU);
    whole.study.mutable_reference()->set_executions(1);
    whole.spec = spec;
    StoredCandidate best;
    best.candidate.set_state(v1::EVALUATED);
    whole.candidates.push_back(best);
    ASSERT_TRUE(store_->AddWholeStudies({whole}).ok());
  }
  v1::LookUpRequest request;
  request.set_target(v1::CPU);
  request.mutable_kernel()->set_shape(KernelShape(here.kernel(), here.program()));
  request.mutable_kernel()->set_fingerprint(KernelFingerprint(here.kernel(), here.program()));
  request.set_program_fingerprint(ProgramFingerprint(here.program()));
  const v1::LookUpResponse response = Find(request);
  EXPECT_THAT(Ids(response), ElementsAre("s2", "s1"));
  EXPECT_EQ(response.matches(0).size(), v1::Match::SAME_SIZES);
  EXPECT_EQ(response.matches(1).size(), v1::Match::OTHER_SIZES);
  request.mutable_kernel()->clear_shape();
  EXPECT_TRUE(absl::IsInvalidArgument(LookUp(*store_, request, {}).status()));
}

TEST_F(LookUpTest, GeneratorsDoNotMix) {
  Known by_ppcg;
  by_ppcg.generator = "ppcg";
  const std::string ours = Put({}), theirs = Put(by_ppcg);
  v1::LookUpRequest request = Ask({});
  EXPECT_THAT(Ids(Find(request)), ElementsAre(ours));
  request.set_generator("builtin");
  EXPECT_THAT(Ids(Find(request)), ElementsAre(ours));
  request.set_generator("ppcg");
  EXPECT_THAT(Ids(Find(request)), ElementsAre(theirs));
}

TEST_F(LookUpTest, NamesAndTextsDoNotMatter) {
  Put({});
  Known mine;
  mine.scop = RenamedGemmScop();
  ASSERT_EQ(mine.scop.parameters(0).name(), "xx");
  mine.source = "int other;";
  v1::LookUpRequest request = Ask(mine);
  EXPECT_EQ(Find(request).matches(0).size(), v1::Match::SAME_SETTINGS);
  SetParameters(&request, {1000, 1000, 1000});
  EXPECT_EQ(Find(request).matches(0).size(), v1::Match::SAME_SIZES);
  request.clear_parameters();
  SetParameters(&request, {1000, 1000, 999});
  EXPECT_EQ(Find(request).matches(0).size(), v1::Match::OTHER_SIZES);
  mine.macro = "SMALL";
  EXPECT_EQ(Find(Ask(mine)).matches(0).size(), v1::Match::UNKNOWN_SIZES);
}

TEST_F(LookUpTest, ConstantsAreSizes) {
  Known small;
  small.scop = FixedScop(100);
  Put(small);
  Known mine;
  mine.scop = FixedScop(100);
  mine.source = "int other;";
  EXPECT_EQ(Find(Ask(mine)).matches(0).size(), v1::Match::SAME_SIZES);  // no parameter is left open
  mine.scop = FixedScop(300);
  EXPECT_EQ(Find(Ask(mine)).matches(0).size(), v1::Match::OTHER_SIZES);
  mine.scop = testing::GemmScop();
  EXPECT_THAT(Find(Ask(mine)).matches(), IsEmpty());
}

TEST_F(LookUpTest, ExtentsThatAreOpenAreNotKnownToBeEqual) {
  Known known;
  known.scop.mutable_arrays(2)->mutable_extents(1)->set_c_expression("nj + padding");
  Put(known);
  Known mine = known;
  mine.source = "int other;";
  mine.macro = "SMALL";
  v1::LookUpRequest request = Ask(mine);
  SetParameters(&request, {1000, 1000, 1000});
  EXPECT_EQ(Find(request).matches(0).size(), v1::Match::UNKNOWN_SIZES);
  EXPECT_EQ(Find(Ask(known)).matches(0).size(), v1::Match::SAME_SIZES);  // the same program
}

TEST_F(LookUpTest, NearestFirst) {
  Known known;
  known.device = kA100;
  const std::string other_device = Put(known);
  known.device = kH100;
  const std::string architecture = Put(known);
  known = {};
  known.parameters = {4000, 4000, 4000};
  known.source = "int b;";
  const std::string far = Put(known);
  known.parameters = {1100, 1000, 1000};
  const std::string near = Put(known);
  known.parameters = {1000, 1000, 1000};
  known.best = 0.7;
  const std::string slower = Put(known);
  known.best = 0.6;
  const std::string same = Put(known);
  v1::LookUpRequest request = Ask({});
  SetParameters(&request, {1000, 1000, 1000});
  request.set_limit(10);
  EXPECT_THAT(Ids(Find(request)), ElementsAre(same, slower, near, far, architecture, other_device));
  request.set_limit(2);
  EXPECT_THAT(Ids(Find(request)), ElementsAre(same, slower));
}

TEST_F(LookUpTest, DevicesAreThoseOfTheWorkersOrTheNamedOnes) {
  Put({});
  const v1::LookUpRequest request = Ask({});
  EXPECT_EQ(Find(request, {kH200}).matches(0).device(), v1::Match::SAME_DEVICE);
  EXPECT_EQ(Find(request, {kH100}).matches(0).device(), v1::Match::SAME_ARCHITECTURE);
  EXPECT_EQ(Find(request, {kA100}).matches(0).device(), v1::Match::OTHER_DEVICE);
  EXPECT_EQ(Find(request, {}).matches(0).device(), v1::Match::DEVICE_NOT_COMPARED);
  v1::LookUpRequest named = request;
  named.set_device("h200");
  EXPECT_EQ(Find(named, {kA100}).matches(0).device(), v1::Match::SAME_DEVICE);
  named.set_device("sm_90");
  EXPECT_EQ(Find(named, {kA100}).matches(0).device(), v1::Match::SAME_DEVICE);
  named.set_device("H100");
  EXPECT_EQ(Find(named, {kH100}).matches(0).device(), v1::Match::SAME_ARCHITECTURE);
  named.set_device("B200");
  EXPECT_EQ(Find(named, {kH200}).matches(0).device(), v1::Match::OTHER_DEVICE);
}

TEST_F(LookUpTest, AnotherTargetIsNoMatch) {
  Put({});
  v1::Device host;
  host.set_target(v1::CPU);
  host.set_model("a host");
  v1::LookUpRequest request = Ask({});
  request.set_target(v1::CPU);
  EXPECT_THAT(Find(request).matches(), IsEmpty());
  request.set_target(v1::TARGET_UNSPECIFIED);
  EXPECT_THAT(Find(request, {host}).matches(), IsEmpty());
  EXPECT_EQ(Find(request, {host, kH200}).matches_size(), 1);
  EXPECT_EQ(Find(request, {}).matches_size(), 1);
}

TEST_F(LookUpTest, WithoutAResultThereIsNoMatch) {
  Known failed;
  failed.best = 0;
  Put(failed);
  EXPECT_THAT(Find(Ask({})).matches(), IsEmpty());
  EXPECT_TRUE(absl::IsInvalidArgument(LookUp(*store_, {}, {}).status()));
}

// What cannot be answered with does not keep the others from it.
TEST_F(LookUpTest, DamagedResultsAreLeftOut) {
  const std::string good = Put({});
  StoredStudy damaged;
  damaged.study = store_->GetStudy(good).value();
  damaged.study.mutable_best()->set_median(0.25);
  damaged.spec = store_->GetSpec(good).value();
  store_->AddWholeStudies({damaged}).value();  // its best candidate is missing
  damaged.study.mutable_best()->set_median(std::nan(""));
  for (int i = 0; i < 40; ++i) store_->AddWholeStudies({damaged}).value();
  const v1::LookUpResponse found = Find(Ask({}));
  ASSERT_EQ(found.matches_size(), 1);
  EXPECT_EQ(found.matches(0).study().id(), good);
}

}  // namespace
}  // namespace tune
