// Classes of sizes of a product on an H200: needs tune-extract.
#include "worker/codegen/size_classes.h"

#include <gtest/gtest.h>

#include "tests/common/testing/device_models.h"
#include "tests/common/testing/programs.h"

namespace tune {
namespace {

class SizeClasses : public ::testing::Test {
 protected:
  void SetUp() override {
    const auto extraction = testing::ExtractFile(testing::ProgramPath("gemm"));
    ASSERT_TRUE(extraction.ok()) << extraction.status();
    auto made = SymbolicPlans::Make(extraction->scops(0), testing::H200Options(), 1 << 15);
    ASSERT_TRUE(made.ok()) << made.status();
    plans_ = *std::move(made);
  }

  std::string Decisions(int64_t typical) const {
    const auto decisions = plans_->DecisionsAbout(typical);
    return decisions.ok() ? *decisions : decisions.status().ToString();
  }

  std::shared_ptr<const SymbolicPlans> plans_;
};

TEST_F(SizeClasses, ReachDownToWhereDecisionsAreOthers) {
  absl::Status status;
  const std::vector<SizeClass> classes = ClassesOf(*plans_, {4000, 3600, 400, 100}, &status);
  EXPECT_TRUE(status.ok()) << status;
  ASSERT_EQ(classes.size(), 3);  // the largest two sizes are one
  EXPECT_EQ(classes[0].typical, 4000);
  EXPECT_EQ(classes[1].typical, 400);
  EXPECT_EQ(classes[2].typical, 100);
  for (size_t i = 0; i + 1 < classes.size(); ++i) {
    EXPECT_LE(classes[i].least, classes[i].typical);
    EXPECT_GT(classes[i].least, classes[i + 1].typical);
    EXPECT_EQ(Decisions(classes[i].least), Decisions(classes[i].typical));
    EXPECT_NE(Decisions(classes[i].least - 4), Decisions(classes[i].typical));
  }
  EXPECT_EQ(classes[2].least, 0);
}

}  // namespace
}  // namespace tune
