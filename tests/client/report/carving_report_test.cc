#include "client/report/carving_report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tune {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

v1::InspectionView View(int64_t index, bool removed, double seconds) {
  v1::InspectionView view;
  view.mutable_inspection()->set_index(index);
  view.mutable_inspection()->add_kernels()->set_function("tune_kernel0");
  view.set_removed(removed);
  view.set_reason(absl::StrCat("inspection ", index, removed ? " is removed: it is surpassed" : " is kept"));
  view.set_seconds(seconds);
  if (seconds > 0) view.set_candidate_plus_one(10 + index + 1);
  return view;
}

TEST(CarvingReportTest, TellsBothFiguresOfThePaper) {
  const std::vector<v1::InspectionView> views = {View(0, true, 4), View(1, false, 2), View(2, true, 1.5),
                                                 View(3, true, 3), View(4, false, 0)};
  const CarvingFigures figures = FiguresOf(views);
  EXPECT_DOUBLE_EQ(figures.ShareKept(), 0.4);
  EXPECT_DOUBLE_EQ(*BestKeptOverBest(figures, views), 0.75);
  const std::string report = CarvingReport("s3", views);
  EXPECT_THAT(report, HasSubstr("s3: 5 configurations inspected"));
  EXPECT_THAT(report, HasSubstr("2, 40.0 % of them"));
  EXPECT_THAT(report, HasSubstr("(candidate 12, inspection 2)"));
  EXPECT_THAT(report, HasSubstr("the best kept has 75.0 % of the best speed"));
  EXPECT_THAT(report, Not(HasSubstr("not all that is removed was measured")));
  EXPECT_EQ(CarvingJson(views)["best_kept_over_best"], 0.75);
}

TEST(CarvingReportTest, SaysWhatWasNotMeasured) {
  v1::InspectionView failed = View(2, true, 0);
  failed.mutable_inspection()->clear_kernels();
  failed.mutable_inspection()->set_failure("ptxas: no");
  const std::vector<v1::InspectionView> views = {View(0, false, 2), View(1, true, 0), failed};
  const std::string report = CarvingReport("s3", views);
  EXPECT_THAT(report, HasSubstr("2, of which 1 cannot be built"));
  EXPECT_THAT(report, HasSubstr("not all that is removed was measured"));
  EXPECT_FALSE(BestKeptOverBest(FiguresOf({}), {}).has_value());
  EXPECT_THAT(CarvingTable(views), HasSubstr("does not build"));
  EXPECT_THAT(InspectionText(views[1]), HasSubstr("is removed: it is surpassed\n"));
}

}  // namespace
}  // namespace tune
