#include "worker/codegen/given_trees.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "absl/strings/str_replace.h"
#include "common/decision/configuration.h"
#include "tests/common/testing/device_models.h"
#include "tests/common/testing/random_chooser.h"
#include "tests/common/testing/sample_scops.h"
#include "tests/worker/codegen/printed_trees.h"
#include "tests/worker/codegen/scop_interpreter.h"
#include "tests/worker/codegen/setting_chooser.h"

namespace tune {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

// A plan whose trees a test edits.
class Planned {
 public:
  Planned(const v1::Scop& scop, const std::map<std::string, int64_t>& values, Chooser& chooser)
      : reference_(testing::MakeReference(scop, values)),
        space_(CudaSpace::Make(WithParameterFacts(scop, values), values, testing::H200Options()).value()),
        plan_(space_->Walk(chooser).value()) {}

  TreeTexts Print(const std::vector<std::string>& stages) const {
    return testing::PrintedTrees(plan_, space_->options(), reference_, stages).value();
  }
  // The stage's trees with each `from` replaced by `to`, of which there is one at least.
  TreeTexts Edit(const std::string& stage, const std::string& from, const std::string& to) const {
    TreeTexts trees = Print({stage});
    int found = 0;
    for (auto& [title, text] : trees) found += absl::StrReplaceAll({{from, to}}, &text);
    EXPECT_GT(found, 0) << from;
    return trees;
  }
  absl::StatusOr<CudaProgram> Generate(const TreeTexts& trees) const {
    return GenerateCuda(plan_, space_->options(), reference_, trees);
  }
  std::string Kernels(const TreeTexts& trees) const {
    const auto program = Generate(trees);
    EXPECT_TRUE(program.ok()) << program.status();
    return program.ok() ? program->kernels : "";
  }
  // Why the trees are not taken.
  std::string Refusal(const TreeTexts& trees) const {
    const absl::Status status = Generate(trees).status();
    EXPECT_TRUE(absl::IsInvalidArgument(status)) << status;
    return std::string(status.message());
  }
  // Why what comes of them is wrong.
  std::string Failure(const TreeTexts& trees) const {
    const absl::Status status = Generate(trees).status();
    EXPECT_TRUE(absl::IsFailedPrecondition(status)) << status;
    return std::string(status.message());
  }

 private:
  const v1::Reference reference_;
  const std::unique_ptr<CudaSpace> space_;
  const CudaPlan plan_;
};

// With shared tiles, each filled where it is read, and registers; boundary tiles are padded.
Planned Gemm(std::map<std::string, std::string> settings = {}) {
  settings.insert({{"k[S0,S1].distribution", "blocked_x"}, {"k[S0,S1].fills", "plain"}});
  testing::SettingChooser chooser(settings);
  return Planned(testing::GemmScop(), {{"ni", 1000}, {"nj", 1010}, {"nk", 1020}}, chooser);
}

// Two kernels with a reduction, the first of which makes what the second one reads.
Planned Imperfect() {
  DefaultChooser chooser;
  return Planned(testing::ImperfectScop(), {{"m", 200}, {"n", 210}}, chooser);
}

class GivenTreesSampleTest : public ::testing::TestWithParam<testing::SampleScop> {};

TEST_P(GivenTreesSampleTest, EveryStageGoesOnFromItsPrintedTree) {
  const testing::SampleScop& sample = GetParam();
  std::map<std::string, int64_t> values;
  for (const auto& [name, value] : sample.small) values[name] = 10 * value + 3;
  for (int seed = 0; seed < 3; ++seed) {
    SCOPED_TRACE(seed);
    DefaultChooser standard;
    testing::RandomChooser random(seed);
    const Planned planned(sample.make(), values, seed == 0 ? static_cast<Chooser&>(standard) : random);
    const CudaProgram made = planned.Generate({}).value();
    for (const std::string& stage : testing::MappingStages()) {
      SCOPED_TRACE(stage);
      const TreeTexts trees = planned.Print({stage});
      if (trees.empty()) continue;
      const auto again = planned.Generate(trees);
      ASSERT_TRUE(again.ok()) << again.status();
      EXPECT_EQ(again->kernels, made.kernels);
      EXPECT_EQ(again->launches, made.launches);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, GivenTreesSampleTest, ::testing::ValuesIn(testing::SampleScops()),
                         [](const auto& info) { return info.param.name; });

TEST(GivenTrees, EveryKernelHasTheSameStages) {
  std::vector<std::string> titles;
  for (const auto& [title, tree] : Imperfect().Print(testing::MappingStages())) titles.push_back(title);
  EXPECT_THAT(titles, ::testing::ElementsAre("block of k[S0,S3]", "block of k[S1,S2]", "copies of k[S0,S3]",
                                             "copies of k[S1,S2]", "host", "threads of k[S0,S3]",
                                             "threads of k[S1,S2]"));
}

TEST(GivenTrees, ALoopIsUnrolledAsTheTreeSays) {
  const Planned planned = Gemm();
  for (const std::string stage : {"threads", "tiles", "copies"}) {
    SCOPED_TRACE(stage);
    const std::string kernels = planned.Kernels(planned.Edit(stage, "loop: unroll 16", "loop: unroll 8"));
    EXPECT_THAT(kernels, AllOf(HasSubstr("#pragma unroll 8\n"), Not(HasSubstr("#pragma unroll 16\n"))));
  }
}

TEST(GivenTrees, LoopsTakeEachOthersPlace) {
  for (const std::string registers : {"on", "off"}) {
    const Planned planned = Gemm({{"k[S0,S1].registers", registers}});
    TreeTexts trees = planned.Print({"threads"});
    absl::StrReplaceAll({{"(i) mod 4", "(j) mod 4"}, {"(j) mod 4", "(i) mod 4"}},
                        &trees.at("threads of k[S0,S1]"));
    const std::string made = "A_shared0[4 * tune_t1 + tune_c2][",
                      swapped = "A_shared0[4 * tune_t1 + tune_c3][";
    EXPECT_THAT(planned.Kernels({}), HasSubstr(made));
    EXPECT_THAT(planned.Kernels(trees), AllOf(HasSubstr(swapped), Not(HasSubstr(made))));
  }
}

TEST(GivenTrees, WhatFollowsGoesByTheMembersOfTheRootBand) {
  const Planned planned = Gemm();
  const TreeTexts later = planned.Edit("block", "S1[i, k, j] -> [(k)]", "S1[i, k, j] -> [(16 + k)]");
  EXPECT_THAT(planned.Kernels({}), HasSubstr("const int tune_q1 = 16 * tune_c0 + tune_lane % 8 * 2;"));
  EXPECT_THAT(planned.Kernels(later),
              HasSubstr("const int tune_q1 = 16 * tune_c0 - 16 + tune_lane % 8 * 2;"));
  EXPECT_THAT(planned.Failure(planned.Edit("block", "S1[i, k, j] -> [(k)]", "S1[i, k, j] -> [(-k)]")),
              HasSubstr("wrong mapping: kernel k[S0,S1]: a thread runs a dependence backward"));
  EXPECT_THAT(planned.Refusal(planned.Edit("block", "{ S0[i, j] -> [(0)]; S1[i, k, j] -> [(k)] }, ", "")),
              HasSubstr("there is no band of 3 members below the mark of kernel k[S0,S1]"));
}

TEST(GivenTrees, CopiesRunAsTheTreeSays) {
  const Planned planned = Gemm();
  const TreeTexts reversed = planned.Edit("copies", "Load1[i0, i1] -> [(i0)]", "Load1[i0, i1] -> [(3 - i0)]");
  EXPECT_THAT(planned.Kernels(reversed), HasSubstr("C_registers[-tune_c0 + 3][tune_c1] = C["));
  EXPECT_THAT(planned.Refusal(planned.Edit("copies", "0 <= o0 <= 3", "0 <= o0 <= 2")),
              HasSubstr("copies of k[S0,S1]: it lacks Load1[3, "));
  EXPECT_THAT(planned.Refusal(planned.Edit("copies", "Fill0", "Fill9")),
              HasSubstr("copies of k[S0,S1]: it lacks Fill0["));
  EXPECT_THAT(planned.Refusal(planned.Edit("copies", "[] -> Load1[", "[] -> S0[")),
              HasSubstr("copies of k[S0,S1]: an extension adds S0["));
  EXPECT_THAT(planned.Failure(planned.Edit("copies", "loop: points 4", "loop: points 3")),
              HasSubstr("has more than the 3 points of its mark"));
}

TEST(GivenTrees, IndependentLaunchesTakeAnyOrder) {
  const std::map<std::string, std::string> settings = {{"independent_launches", "apart"}};
  testing::SettingChooser chooser(settings);
  const Planned planned(testing::IndependentScop(), {{"n", 300}}, chooser);
  const std::string made = planned.Generate({}).value().launches;
  const auto turned = planned.Generate(
      planned.Edit("host", "K0[] }\"\n  - filter: \"{ K1[]", "K1[] }\"\n  - filter: \"{ K0[]"));
  ASSERT_TRUE(turned.ok()) << turned.status();
  EXPECT_LT(made.find("one = {0, "), made.find("one = {1, "));
  EXPECT_GT(turned->launches.find("one = {0, "), turned->launches.find("one = {1, "));
}

TEST(GivenTrees, LaunchesKeepTheOrderOfDependences) {
  const Planned planned = Imperfect();
  EXPECT_THAT(planned.Failure(
                  planned.Edit("host", "K0[] }\"\n  - filter: \"{ K1[]", "K1[] }\"\n  - filter: \"{ K0[]")),
              HasSubstr("the host tree launches a dependence from kernel k[S1,S2] to k[S0,S3] backward"));
}

// The later stages see the edited tree, which their own may replace.
TEST(GivenTrees, StagesGoOnFromEachOther) {
  const Planned planned = Gemm();
  TreeTexts trees = planned.Edit("threads", "loop: unroll 16", "loop: unroll 8");
  trees.merge(planned.Edit("copies", "loop: unroll 16", "loop: unroll 2"));
  EXPECT_THAT(planned.Kernels(trees), HasSubstr("#pragma unroll 2\n"));
}

TEST(GivenTrees, OtherInstancesAreRefused) {
  const Planned planned = Gemm();
  EXPECT_THAT(planned.Refusal(planned.Edit("tiles", "0 <= k <= 1019", "0 <= k <= 1018")),
              HasSubstr("tiles of k[S0,S1]: it lacks S1["));
  EXPECT_THAT(planned.Refusal(planned.Edit("threads", "0 <= k <= 1019", "0 <= k <= 1020")),
              HasSubstr("threads of k[S0,S1]: it has S1["));
}

TEST(GivenTrees, MarksOfPlacesStay) {
  const Planned planned = Gemm();
  EXPECT_THAT(planned.Refusal(planned.Edit("tiles", "\"shared\"", "\"elsewhere\"")),
              HasSubstr("tiles of k[S0,S1]: its marks are \"registers\", \"elsewhere\"; those of the tree in "
                        "whose place it stands are \"registers\", \"shared\""));
}

TEST(GivenTrees, TreesThatTakeNoPlaceAreRefused) {
  const Planned planned = Imperfect();
  TreeTexts trees = planned.Print({"threads"});
  auto tree = trees.extract("threads of k[S0,S3]");
  tree.key() = "tiles of k[S0,S3]";  // a reduction has none
  trees.insert(std::move(tree));
  EXPECT_THAT(planned.Refusal(trees),
              HasSubstr("there is no tree \"tiles of k[S0,S3]\": block of k[S0,S3], "));
  EXPECT_THAT(planned.Refusal({{"block of k[S9]", trees.begin()->second}}),
              HasSubstr("there is no tree \"block of k[S9]\""));
  EXPECT_THAT(planned.Refusal({{"host", "domain: \"{ K0[\""}}),
              HasSubstr("host: reading a schedule tree: isl: "));
}

TEST(GivenTrees, TitlesTellTreesApart) {
  const auto trees = ReadTreeTexts("# host\nd\n\n# tiles of k[S0,S1]@2\na\n  # b\nc\n");
  ASSERT_TRUE(trees.ok()) << trees.status();
  EXPECT_EQ(*trees, (TreeTexts{{"host", "d\n\n"}, {"tiles of k[S0,S1]@2", "a\n  # b\nc\n\n"}}));
  EXPECT_TRUE(absl::IsInvalidArgument(ReadTreeTexts("\n").status()));
  EXPECT_THAT(ReadTreeTexts("domain\n").status().message(), HasSubstr("not \"domain\""));
  EXPECT_THAT(ReadTreeTexts("# host\nd\n# host\nd\n").status().message(), HasSubstr("two trees \"host\""));
}

}  // namespace
}  // namespace tune
