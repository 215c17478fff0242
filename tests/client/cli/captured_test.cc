// submit --captured: sizes that applications met.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "client/submit/front_end.h"
#include "common/base/file.h"
#include "common/scop/online_identity.h"
#include "libtune/wisdom/capture_file.h"
#include "tests/client/testing/tunectl_test.h"

namespace tune {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

class CapturedTest : public TunectlTest {
 protected:
  // A file whose region has parameter n, at least 1, and the file's other region none.
  void Store(bool has_main) {
    v1::Extraction extraction;
    v1::Scop* scop = extraction.add_scops();
    scop->set_name("gemm");
    scop->add_parameters()->set_name("n");
    scop->set_context("[n] -> { : n >= 1 }");
    extraction.add_scops()->set_name("set");
    for (v1::Scop& each : *extraction.mutable_scops()) each.mutable_region()->set_file("gemm.c");
    v1::SourceFile* file = extraction.mutable_program()->add_files();
    file->set_path("gemm.c");
    file->set_content("void gemm(int n);");
    extraction.mutable_program()->set_has_main(has_main);
    ASSERT_TRUE(StoreExtraction(extraction, stored_).ok());
    gemm_ = OnlineIdentity(extraction.scops(0));
    set_ = OnlineIdentity(extraction.scops(1));
  }

  void Capture(const std::string& region, const libtune::Inputs& inputs,
               const std::string& device = "a GPU") {
    ASSERT_TRUE(libtune::CaptureFile(captured_).Add({region, device, inputs}, "double A[n]").ok());
  }
  int Submit(std::vector<std::string> options = {}) {
    options.insert(options.begin(), {"submit", stored_, "--captured", captured_});
    return Tunectl(options);
  }
  std::vector<std::string> Names() const {
    std::vector<std::string> names;
    for (const auto& request : server_.submitted()) names.push_back(request.spec().name());
    return names;
  }

  const std::string stored_ = folder_.path() + "/gemm.scop";
  const std::string captured_ = folder_.path() + "/app.captured";
  std::string gemm_, set_;
};

TEST_F(CapturedTest, MakesAStudyOfEachSize) {
  Store(false);
  Capture(gemm_, {500});
  Capture(gemm_, {1000});
  Capture(gemm_, {1000}, "another GPU");
  Capture(set_, {});
  EXPECT_EQ(Submit(), 0) << err();
  EXPECT_THAT(Names(), ElementsAre("gemm:gemm n=1000", "gemm:gemm n=500", "gemm:set"));
  EXPECT_EQ(server_.submitted()[0].spec().program().parameter_values().at("n"), 1000);
  EXPECT_EQ(server_.submitted()[2].spec().scop().name(), "set");
  EXPECT_THAT(err(), Not(HasSubstr("app.captured")));
}

TEST_F(CapturedTest, SaysWhatItLeavesOut) {
  Store(false);
  Capture("syrk:0123456789ab", {7});
  Capture(gemm_, {0});
  for (const long size : {100, 200, 300, 400}) Capture(gemm_, {size});
  EXPECT_EQ(Submit({"--most", "2"}), 0) << err();
  EXPECT_THAT(Names(), ElementsAre("gemm:gemm n=100", "gemm:gemm n=200"));
  EXPECT_THAT(err(), AllOf(HasSubstr("app.captured, line 1: " + stored_ + " has no region `syrk`"),
                           HasSubstr("app.captured, line 2, n=0: "),
                           HasSubstr("Left out, as at most 2 are submitted: 2 sizes of "),
                           HasSubstr(" (n=300, n=400); --most is for more.\n")));
}

TEST_F(CapturedTest, WithoutAnySizeNothingIsSubmitted) {
  Store(false);
  EXPECT_NE(Submit(), 0) << "no such file";
  EXPECT_THAT(err(), HasSubstr("app.captured"));
  Capture("gemm:0123456789ab", {7});
  EXPECT_NE(Submit(), 0);
  EXPECT_THAT(err(),
              AllOf(HasSubstr("line 1: `gemm` was another region then (gemm:0123456789ab, which is " + gemm_),
                    HasSubstr("so nothing was submitted")));
  EXPECT_THAT(Names(), ElementsAre());
}

TEST_F(CapturedTest, AProgramIsGivenItsSizesByArguments) {
  Store(true);
  Capture(gemm_, {500});
  Capture(gemm_, {1000});
  EXPECT_NE(Submit(), 0);
  EXPECT_THAT(err(), HasSubstr("lines 1 and 2: the main of " + stored_ + " sets n of `gemm`"));
  EXPECT_EQ(Submit({"--arg", "-n", "--arg", "{n}"}), 0) << err();
  EXPECT_THAT(Names(), ElementsAre("gemm:gemm n=500", "gemm:gemm n=1000"));
  EXPECT_THAT(server_.submitted()[1].spec().program().arguments(), ElementsAre("-n", "1000"));
}

TEST_F(CapturedTest, OptionsThatDoNotFit) {
  Store(false);
  Capture(gemm_, {500});
  EXPECT_EQ(Submit({"--sizes", "n=5,6"}), kExitUsage);
  EXPECT_EQ(Submit({"--most", "0"}), kExitUsage);
  EXPECT_EQ(Submit({"--target", "cpu+cuda"}), kExitUsage);
  EXPECT_EQ(Submit({"--param", "n=7"}), kExitUsage);
  EXPECT_THAT(err(), HasSubstr("--captured gives it its values"));
  EXPECT_EQ(Submit({"--kernel", "f"}), kExitUsage);
  EXPECT_EQ(Tunectl({"submit", stored_, "--most", "3"}), kExitUsage);
  EXPECT_THAT(Names(), ElementsAre());
}

}  // namespace
}  // namespace tune
