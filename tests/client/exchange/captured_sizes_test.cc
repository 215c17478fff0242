#include "client/exchange/captured_sizes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/scop/online_identity.h"

namespace tune {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

// Two regions: `gemm` with n, m and n * m, and `set` without parameters.
class CapturedSizesTest : public ::testing::Test {
 protected:
  CapturedSizesTest() {
    request_.file = "x.c";
    v1::Scop* gemm = extraction_.add_scops();
    gemm->set_name("gemm");
    gemm->add_parameters()->set_name("n");
    gemm->add_parameters()->set_name("m");
    v1::Parameter* product = gemm->add_parameters();
    product->set_name("n_m");
    product->add_factors("n");
    product->add_factors("m");
    extraction_.add_scops()->set_name("set");
    gemm_ = OnlineIdentity(extraction_.scops(0));
    set_ = OnlineIdentity(extraction_.scops(1));
  }

  void Add(const std::string& region, const std::vector<int64_t>& inputs) {
    captures_.captured.push_back({++line_, region, inputs});
  }
  CapturedSizes Match(int region = 0) const {
    return MatchCaptures(captures_, extraction_, request_, region);
  }

  ApplicationCaptures captures_;
  v1::Extraction extraction_;
  FrontEndRequest request_;
  std::string gemm_, set_;
  int line_ = 0;
};

TEST_F(CapturedSizesTest, AreTheParametersInTheOrderOfInputs) {
  Add(gemm_, {5, 7, 35});
  Add(set_, {});
  const CapturedSizes found = Match();
  ASSERT_EQ(found.sizes.size(), 2u);
  EXPECT_EQ(found.sizes[0].region, 1);
  EXPECT_EQ(SizeText(found.sizes[0].size), "n=5 m=7");
  EXPECT_EQ(found.sizes[1].region, 2);
  EXPECT_THAT(found.sizes[1].size, IsEmpty());
  EXPECT_THAT(found.messages, IsEmpty());
}

TEST_F(CapturedSizesTest, ThoseOfMostLinesComeFirst) {
  Add(gemm_, {5, 7, 35});
  Add(gemm_, {6, 7, 42});
  Add(gemm_ + ":parts", {6, 7, 42});
  Add(gemm_, {7, 7, 49});
  const CapturedSizes found = Match();
  ASSERT_EQ(found.sizes.size(), 3u);
  EXPECT_EQ(SizeText(found.sizes[0].size), "n=6 m=7");
  EXPECT_THAT(found.sizes[0].lines, ElementsAre(2, 3));
  EXPECT_EQ(SizeText(found.sizes[1].size), "n=5 m=7");
  EXPECT_EQ(SizeText(found.sizes[2].size), "n=7 m=7");
}

TEST_F(CapturedSizesTest, LinesOfOtherRegionsAreTold) {
  Add("jacobi:0123456789ab", {5});
  Add("gemm:0123456789ab", {5, 7, 35});
  Add("jacobi:0123456789ab", {6});
  Add("a region of its own", {6});
  Add(gemm_, {5, 7});
  Add(gemm_, {5, 7, 35});
  captures_.refused.push_back({7, "this is nothing"});
  const CapturedSizes found = Match();
  ASSERT_EQ(found.sizes.size(), 1u);
  EXPECT_THAT(found.sizes[0].lines, ElementsAre(6));
  EXPECT_THAT(
      found.messages,
      ElementsAre(
          AllOf(StartsWith("lines 1 and 3: x.c has no region `jacobi`"), HasSubstr("submit the file")),
          AllOf(StartsWith("line 2: `gemm` was another region then (gemm:0123456789ab, which is " + gemm_),
                HasSubstr("has changed since")),
          StartsWith("line 4: x.c has no region `a region of its own`"),
          StartsWith("line 5: `gemm` has 3 parameters"), "line 7: this is nothing"));
}

TEST_F(CapturedSizesTest, OneRegionAlone) {
  Add(gemm_, {5, 7, 35});
  Add(set_, {});
  const CapturedSizes found = Match(2);
  ASSERT_EQ(found.sizes.size(), 1u);
  EXPECT_EQ(found.sizes[0].region, 2);
  EXPECT_THAT(found.messages, ElementsAre("line 1: `gemm` is not the region of --region"));
}

TEST_F(CapturedSizesTest, AProgramIsToldWhatItsArgumentsHave) {
  extraction_.mutable_program()->set_has_main(true);
  Add(gemm_, {5, 7, 35});
  Add(gemm_, {5, 8, 40});
  Add(gemm_, {6, 8, 48});
  CapturedSizes found = Match();
  EXPECT_THAT(found.sizes, IsEmpty());
  EXPECT_THAT(found.messages,
              ElementsAre("lines 1, 2 and 3: the main of x.c sets n, m of `gemm`, as no --arg has "
                          "{n}; say which arguments its sizes come from, such as --arg {n}, or "
                          "submit a file without main that has the region"));
  request_.arguments = {"--size={n}"};
  found = Match();
  ASSERT_EQ(found.sizes.size(), 2u) << "m is what the program makes it";
  EXPECT_EQ(SizeText(found.sizes[0].size), "n=5");
  EXPECT_EQ(SizeText(found.sizes[1].size), "n=6");
  EXPECT_THAT(found.messages,
              ElementsAre("lines 1, 2 and 3: the main of x.c sets m of `gemm`, as no --arg has {m}"));
  request_.arguments = {"--size={n}x{m}"};
  EXPECT_EQ(Match().sizes.size(), 3u);
  EXPECT_THAT(Match().messages, IsEmpty());
}

TEST(LinesText, NamesTheFirstOnes) {
  EXPECT_EQ(LinesText({3}), "line 3");
  EXPECT_EQ(LinesText({3, 5}), "lines 3 and 5");
  EXPECT_EQ(LinesText({3, 5, 8}), "lines 3, 5 and 8");
  EXPECT_EQ(LinesText({3, 5, 8, 9}), "lines 3, 5, 8 and 1 other");
  EXPECT_EQ(LinesText({3, 5, 8, 9, 10}), "lines 3, 5, 8 and 2 others");
}

}  // namespace
}  // namespace tune
