#include "client/kernels/kernel_study.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "client/kernels/short_form.h"
#include "common/base/file.h"

namespace tune {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr char kScaleKernel[] = R"(
file src/scale.c
problem n=100
parameter UNROLL=1,2
argument x:double[n]:inout:file=x.raw
kernel scale
reference function plain:file=plain.c
)";

class KernelStudyTest : public ::testing::Test {
 protected:
  KernelStudyTest() {
    Write("src/scale.c",
          "#include <math.h>\n#include \"types.h\"\n#include \"missing.h\"\nvoid scale(double *x) {}\n");
    Write("src/types.h", "#  include \"../common/base.h\"\n");
    Write("common/base.h", "");
    Write("unused.h", "");
    Write("plain.c", "void plain(double *x) {}\n");
    Write("x.raw", std::string(800, '\0'));
    request_.file = Write("scale.tune", kScaleKernel);
  }

  std::string Write(const std::string& name, const std::string& text) {
    const std::string path = absl::StrCat(folder_.path(), "/", name);
    EXPECT_TRUE(MakeFolder(path.substr(0, path.rfind('/'))).ok());
    EXPECT_TRUE(WriteFile(path, text).ok());
    return path;
  }
  absl::StatusOr<v1::StudySpec> Make() {
    const absl::StatusOr<v1::KernelDefinition> definition =
        ReadShortForm(tune::ReadFile(request_.file).value_or(""), request_.file);
    EXPECT_TRUE(definition.ok()) << definition.status();
    return MakeKernelSpec(definition.value_or(v1::KernelDefinition()), request_, wishes_);
  }
  std::string Failure() {
    const auto spec = Make();
    EXPECT_FALSE(spec.ok());
    return std::string(spec.status().message());
  }

  TemporaryFolder folder_ = *TemporaryFolder::Make();
  FrontEndRequest request_;
  StudyWishes wishes_;
};

TEST_F(KernelStudyTest, HoldsTheDefinitionAndEveryFileOfIt) {
  request_.compile_flags = {"-O2"};
  wishes_.parameters["n"] = 50;
  wishes_.search.set_evaluations(7);
  const auto spec = Make();
  ASSERT_TRUE(spec.ok()) << spec.status();
  EXPECT_EQ(spec->kernel().problem(0).size(), "50");
  EXPECT_EQ(spec->kernel().language(), v1::KERNEL_LANGUAGE_C);
  EXPECT_EQ(spec->target(), v1::CPU);
  EXPECT_EQ(spec->search().evaluations(), 7);
  EXPECT_THAT(spec->program().sources(), ElementsAre("src/scale.c"));
  EXPECT_THAT(spec->program().compile_flags(), ElementsAre("-O2"));
  std::vector<std::string> paths;
  for (const v1::SourceFile& file : spec->program().files()) paths.push_back(file.path());
  EXPECT_THAT(paths, ElementsAre("src/scale.c", "src/types.h", "common/base.h", "plain.c", "x.raw"));
  EXPECT_FALSE(spec->has_scop());
}

TEST_F(KernelStudyTest, FurtherSourcesAndFoldersOfHeaders) {
  Write("src/scale.c", "#include \"base.h\"\nvoid scale(double *x) {}\n");
  request_.with = {Write("more/helper.c", "")};
  request_.include_directories = {folder_.path() + "/common"};
  const auto spec = Make();
  ASSERT_TRUE(spec.ok()) << spec.status();
  EXPECT_THAT(spec->program().sources(), ElementsAre("src/scale.c", "more/helper.c"));
  EXPECT_THAT(spec->program().include_directories(), ElementsAre("common"));
  EXPECT_EQ(spec->program().files(1).path(), "common/base.h");
}

TEST_F(KernelStudyTest, RefusesWhatItDoesNotHave) {
  wishes_.parameters["m"] = 50;
  EXPECT_THAT(Failure(), HasSubstr("size m: the problem has no size of this name; it has: n"));
  wishes_.parameters.clear();
  wishes_.region = 1;
  EXPECT_THAT(Failure(), HasSubstr("--region: "));
  wishes_.region = 0;
  request_.arguments = {"7"};
  EXPECT_THAT(Failure(), HasSubstr("--arg: "));
}

TEST_F(KernelStudyTest, AStudyForEachSize) {
  v1::KernelDefinition definition =
      ReadShortForm(tune::ReadFile(request_.file).value_or(""), request_.file).value();
  definition.mutable_arguments(0)->mutable_fill()->set_constant(
      "1");  // no file, whose length would have to fit
  const auto sized = MakeSizedKernelSpecs(definition, request_, wishes_, {{{"n", 100}}, {{"n", 50}}});
  ASSERT_TRUE(sized.ok()) << sized.status();
  ASSERT_EQ(sized->size(), 2u);
  EXPECT_EQ((*sized)[0].name(), "scale n=100");
  EXPECT_EQ((*sized)[1].name(), "scale n=50");
  EXPECT_EQ((*sized)[1].kernel().problem(0).size(), "50");
  wishes_.parameters["n"] = 7;
  EXPECT_THAT(
      std::string(MakeSizedKernelSpecs(definition, request_, wishes_, {{{"n", 9}}}).status().message()),
      HasSubstr("--sizes and --param both say n"));
}

TEST_F(KernelStudyTest, FilesLieInTheDefinitionsFolder) {
  request_.with = {"/etc/passwd"};
  EXPECT_THAT(Failure(), HasSubstr("lies outside of"));
  request_.with.clear();
  Write("scale.tune", std::string(kScaleKernel) + "file ../scale.c\n");
  EXPECT_THAT(Failure(), HasSubstr("file ../scale.c lies outside of"));
  Write("scale.tune", std::string(kScaleKernel) + "file gone.c\n");
  EXPECT_THAT(Failure(), HasSubstr("gone.c"));
}

TEST_F(KernelStudyTest, ADefinitionIsCheckedHere) {
  Write("scale.tune", std::string(kScaleKernel) + "constraint UNROL > 1\n");
  EXPECT_THAT(Failure(), HasSubstr("UNROL"));
}

TEST(KernelDefinitionFile, IsKnownByItsName) {
  EXPECT_TRUE(IsKernelDefinition("a/b.tune"));
  EXPECT_FALSE(IsKernelDefinition("a/kernel.c"));
}

}  // namespace
}  // namespace tune
