#include "client/exchange/application_tries.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "common/base/file.h"
#include "libtune/wisdom/tries_file.h"

namespace tune {
namespace {

using ::testing::SizeIs;

class ApplicationTriesTest : public ::testing::Test {
 protected:
  static std::string Line(long size, double seconds, libtune::TryKind kind = libtune::TryKind::kTry) {
    return libtune::TryLine({kind, {"gemm:01", "a GPU", {size}}, {seconds, {{"tile", "64"}}}}) + "\n";
  }
  void Append(const std::string& text) { std::ofstream(path_, std::ios::app) << text; }
  std::vector<v1::ReportTriesRequest> ReadAndReport(bool run_ended = false) {
    EXPECT_TRUE(tries_.Read().ok());
    std::vector<v1::ReportTriesRequest> reports = tries_.Reports(run_ended);
    for (const v1::ReportTriesRequest& report : reports) tries_.Reported(report);
    return reports;
  }

  const TemporaryFolder folder_ = TemporaryFolder::Make().value();
  const std::string path_ = folder_.path() + "/tries";
  ApplicationTries tries_{path_};
};

TEST_F(ApplicationTriesTest, FollowsTheLinesAsTheyCome) {
  EXPECT_THAT(ReadAndReport(), SizeIs(0)) << "no file yet";
  Append(Line(5, 2) + "what is no line\n" + Line(5, 3) + Line(7, 1).substr(0, 9));
  const auto first = ReadAndReport();
  ASSERT_THAT(first, SizeIs(1));
  ASSERT_THAT(first[0].searches(), SizeIs(1));
  EXPECT_THAT(first[0].searches(0).tries(), SizeIs(2));
  EXPECT_EQ(first[0].searches(0).tries(1).seconds(), 3);
  EXPECT_EQ(first[0].searches(0).end(), v1::OnlineSearch::GOES_ON);
  Append(Line(7, 1).substr(9) + Line(5, 1) + Line(5, 1, libtune::TryKind::kSettled));
  const auto second = ReadAndReport();
  ASSERT_THAT(second, SizeIs(1));
  EXPECT_EQ(second[0].run(), first[0].run());
  ASSERT_THAT(second[0].searches(), SizeIs(2));
  const v1::OnlineSearch& settled = second[0].searches(0);
  EXPECT_EQ(settled.inputs(0), 5);
  EXPECT_EQ(settled.first(), 2);
  EXPECT_THAT(settled.tries(), SizeIs(1));
  EXPECT_EQ(settled.end(), v1::OnlineSearch::SETTLED);
  EXPECT_TRUE(tries_.Tells({"gemm:01", "a GPU", {5}, 1, {}}));
  EXPECT_FALSE(tries_.Tells({"gemm:01", "a GPU", {7}, 1, {}}));
  // What goes on is told to go on; then that the run has ended, once.
  EXPECT_THAT(ReadAndReport()[0].searches(), SizeIs(1));
  EXPECT_EQ(ReadAndReport(/*run_ended=*/true)[0].searches(0).end(), v1::OnlineSearch::RUN_ENDED);
  EXPECT_THAT(ReadAndReport(/*run_ended=*/true), SizeIs(0));
  EXPECT_EQ(tries_.tries(), 4);
}

TEST_F(ApplicationTriesTest, FollowedAgainItMakesTheSameReports) {
  Append(Line(5, 2) + Line(7, 3));
  const auto reports = ReadAndReport();
  ApplicationTries again(path_);
  ASSERT_TRUE(again.Read().ok());
  EXPECT_EQ(again.Reports(false)[0].SerializeAsString(), reports[0].SerializeAsString());
}

TEST_F(ApplicationTriesTest, ManyTriesAreSeveralReportsInOrder) {
  for (int i = 0; i < 4500; ++i) Append(Line(5, i + 1));
  Append(Line(7, 1));
  const auto reports = ReadAndReport();
  ASSERT_THAT(reports, SizeIs(3));
  int64_t next = 0;
  for (const v1::ReportTriesRequest& report : reports) {
    const v1::OnlineSearch& part = report.searches(0);
    EXPECT_EQ(part.first(), next);
    next += part.tries_size();
    EXPECT_EQ(part.tries(part.tries_size() - 1).seconds(), static_cast<double>(next));
  }
  EXPECT_EQ(next, 4500);
  EXPECT_THAT(reports[2].searches(), SizeIs(2));
}

TEST_F(ApplicationTriesTest, AFileThatWasReplacedIsToldOf) {
  Append(Line(5, 2) + Line(5, 3));
  ReadAndReport();
  ASSERT_TRUE(WriteFile(path_, Line(5, 4)).ok());
  EXPECT_TRUE(absl::IsFailedPrecondition(tries_.Read()));
}

}  // namespace
}  // namespace tune
