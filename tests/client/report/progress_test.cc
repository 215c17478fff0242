#include "client/report/progress.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "client/report/table.h"

namespace tune {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

const absl::Time kStart = absl::FromUnixSeconds(1'000'000);

v1::Study Searching(int evaluated, int budget = 50) {
  v1::Study study;
  study.set_id("s1");
  study.set_name("gemm");
  study.set_state(v1::SEARCHING);
  study.set_evaluated(evaluated);
  study.set_budget(budget);
  study.set_best_index(-1);
  return study;
}

v1::Study WithBest(v1::Study study, int64_t index, double seconds) {
  study.set_best_index(index);
  study.mutable_best()->set_median(seconds);
  study.set_gain_over_default(0.0054 / seconds);
  study.set_gain_over_sequential(0.0162 / seconds);
  return study;
}

TEST(ProgressLineTest, EverythingWhereThereIsRoom) {
  EXPECT_EQ(ProgressLine(WithBest(Searching(25), 23, 0.00132), absl::Seconds(41), 120),
            "gemm 25/50 |###############               | best 1.32 ms (4.1x over default) 0:41 left");
}

TEST(ProgressLineTest, DropsWordsThenBarThenGains) {
  const v1::Study study = WithBest(Searching(25), 23, 0.00132);
  const absl::Duration left = absl::Seconds(41);
  EXPECT_EQ(ProgressLine(study, left, 60), "gemm 25/50 |#########        | best 1.32 ms (4.1x) 0:41 left");
  EXPECT_EQ(ProgressLine(study, left, 50), "gemm 25/50 best 1.32 ms (4.1x) 0:41 left");
  EXPECT_EQ(ProgressLine(study, left, 35), "gemm 25/50 best 1.32 ms 0:41 left");
  EXPECT_EQ(ProgressLine(study, left, 12), "gemm 25/50");
  EXPECT_EQ(ProgressLine(study, left, 6), "gemm 2");
}

TEST(ProgressLineTest, NeverWiderThanTheTerminal) {
  v1::Study study = WithBest(Searching(25), 23, 0.00132);
  study.set_name("na\xc3\xafve name \033[31m of \xe2\x82\xac\n");
  for (auto state : {v1::QUEUED, v1::REFERENCE, v1::SEARCHING, v1::CONFIRMING}) {
    study.set_state(state);
    for (int width = 1; width < 150; ++width) {
      const std::string line = ProgressLine(study, absl::Seconds(5), width);
      EXPECT_LE(DisplayWidth(line), width);
      EXPECT_THAT(line, Not(HasSubstr("\033")));
      EXPECT_THAT(line, Not(HasSubstr("\n")));
    }
  }
}

TEST(ProgressLineTest, BarGrowsWithTheWork) {
  EXPECT_THAT(ProgressLine(Searching(0), std::nullopt, 80), HasSubstr("|                              |"));
  EXPECT_THAT(ProgressLine(Searching(50), std::nullopt, 80), HasSubstr("|##############################|"));
  EXPECT_THAT(ProgressLine(Searching(60), std::nullopt, 80), HasSubstr("|##############################|"));
  EXPECT_THAT(ProgressLine(Searching(0, 0), std::nullopt, 80), HasSubstr("0/0"));
}

TEST(ProgressLineTest, BeforeTheSearch) {
  v1::Study study = Searching(0);
  study.set_state(v1::QUEUED);
  EXPECT_EQ(ProgressLine(study, std::nullopt, 80), "gemm waits for a worker");
  study.set_state(v1::REFERENCE);
  EXPECT_EQ(ProgressLine(study, std::nullopt, 80), "gemm reference run");
}

TEST(ProgressLineTest, NothingCorrect) {
  EXPECT_THAT(ProgressLine(Searching(3), std::nullopt, 80), HasSubstr("none correct yet"));
  EXPECT_EQ(BestSoFar(Searching(3)), "none correct yet");
  EXPECT_EQ(BestSoFar(WithBest(Searching(3), 1, 0.00132)), "1.32 ms (4.1x over default)");
}

v1::Study ByEnergy() {
  v1::Study study = WithBest(Searching(25), 23, 0.00132);
  study.mutable_search()->set_objective("energy");
  study.mutable_best()->set_joules(0.0033);
  study.mutable_default_measurement()->set_median(0.001);
  study.mutable_default_measurement()->set_joules(0.0066);
  v1::MetricValue* metric = study.add_best_metrics();
  metric->set_name("gflops");
  metric->set_value(412);
  return study;
}

TEST(ProgressLineTest, TheBestIsByTheObjective) {
  EXPECT_EQ(BestSoFar(ByEnergy()), "energy 0.0033 J (2.0x over default); 1.32 ms; 2.5 W; gflops 412");
  EXPECT_EQ(ProgressLine(ByEnergy(), absl::Seconds(41), 120),
            "gemm 25/50 |##############              | best energy 0.0033 J (2.0x over default); 1.32 ms; "
            "2.5 W; gflops 412 "
            "0:41 left");
  EXPECT_EQ(ProgressLine(ByEnergy(), absl::Seconds(41), 65),
            "gemm 25/50 |#######       | best energy 0.0033 J (2.0x) 0:41 left");
  EXPECT_THAT(StateLine(ByEnergy()), HasSubstr("searching, 50 evaluations, by energy"));
  v1::Study by_metric = ByEnergy();
  by_metric.mutable_search()->set_objective("gflops");
  by_metric.mutable_search()->set_maximise(true);
  EXPECT_EQ(BestSoFar(by_metric), "gflops 412; 1.32 ms; 0.0033 J; 2.5 W") << "the default has none";
  by_metric.clear_best_metrics();
  EXPECT_EQ(BestSoFar(by_metric), "no gflops; 1.32 ms; 0.0033 J; 2.5 W");
  by_metric.mutable_search()->set_objective("time");
  EXPECT_EQ(BestSoFar(by_metric), "1.32 ms (4.1x over default); 0.0033 J; 2.5 W");
}

TEST(PaceTest, FromTheFirstObservation) {
  Pace pace;
  EXPECT_EQ(pace.Left(50, kStart), std::nullopt);
  pace.Observe(10, kStart);  // those came before this client watched
  EXPECT_EQ(pace.Left(50, kStart), std::nullopt);
  pace.Observe(20, kStart + absl::Seconds(20));
  EXPECT_EQ(pace.Left(50, kStart + absl::Seconds(20)), absl::Seconds(60));
  EXPECT_EQ(pace.Left(50, kStart + absl::Seconds(25)), absl::Seconds(55));
  EXPECT_EQ(pace.Left(50, kStart + absl::Seconds(200)), absl::ZeroDuration());
}

class ProgressPrinterTest : public ::testing::Test {
 protected:
  std::string Take() {
    std::string text = out_.str();
    out_.str("");
    return text;
  }
  std::ostringstream out_;
};

TEST_F(ProgressPrinterTest, PlainLinesForNewBestAndEveryTenth) {
  ProgressPrinter printer(&out_, {});
  printer.Update(Searching(0), kStart);
  EXPECT_EQ(Take(), "gemm: searching, 50 evaluations\n");
  printer.Update(WithBest(Searching(1), 0, 0.0054), kStart);
  EXPECT_EQ(Take(), "gemm 1/50 new best 5.40 ms (1.0x over default)\n");
  printer.Update(WithBest(Searching(2), 0, 0.0054), kStart);
  printer.Update(WithBest(Searching(4), 0, 0.0054), kStart);
  EXPECT_EQ(Take(), "");
  printer.Update(WithBest(Searching(5), 0, 0.0054), kStart);
  EXPECT_EQ(Take(), "gemm 5/50 best 5.40 ms (1.0x over default)\n");
  printer.Update(WithBest(Searching(6), 6, 0.00132), kStart);
  EXPECT_THAT(Take(), HasSubstr("gemm 6/50 new best 1.32 ms"));
  printer.Tick(kStart + absl::Seconds(5));
  printer.Clear();
  EXPECT_EQ(Take(), "");
  v1::Study done = WithBest(Searching(50), 6, 0.00132);
  done.set_state(v1::DONE);
  printer.Update(done, kStart);
  EXPECT_THAT(Take(), HasSubstr("gemm: done\n"));
}

TEST_F(ProgressPrinterTest, PlainOutputOfAWholeStudyIsShortAndClean) {
  ProgressPrinter printer(&out_, {});
  for (int i = 0; i <= 1000; ++i)
    printer.Update(WithBest(Searching(i, 1000), 0, 0.0054), kStart + absl::Seconds(i));
  const std::string text = Take();
  EXPECT_LE(std::count(text.begin(), text.end(), '\n'), 12);
  EXPECT_THAT(text, Not(HasSubstr("\r")));
  EXPECT_THAT(text, Not(HasSubstr("\033")));
}

TEST_F(ProgressPrinterTest, TerminalRedrawsOneLine) {
  ProgressPrinter printer(&out_, {true, 60});
  printer.Update(Searching(0), kStart);
  EXPECT_THAT(Take(), HasSubstr("gemm: searching, 50 evaluations\n\rgemm 0/50 |"));
  printer.Update(WithBest(Searching(1), 0, 0.0054), kStart + absl::Seconds(1));
  const std::string second = Take();
  EXPECT_EQ(second.find('\r'), 0u);
  EXPECT_THAT(second, Not(HasSubstr("\n")));
  EXPECT_THAT(second, HasSubstr("0:49 left\033[K"));
  printer.Tick(kStart + absl::Seconds(1));
  EXPECT_EQ(Take(), "");  // nothing changed
  printer.Tick(kStart + absl::Seconds(2));
  EXPECT_THAT(Take(), HasSubstr("0:48 left"));
}

TEST_F(ProgressPrinterTest, TerminalLineGoesBeforeALineStays) {
  ProgressPrinter printer(&out_, {true, 60});
  printer.Update(Searching(1), kStart);
  Take();
  printer.Note("hello");
  EXPECT_EQ(Take(), "\r\033[Khello\n");
  printer.Tick(kStart);
  EXPECT_THAT(Take(), HasSubstr("gemm 1/50"));
  v1::Study done = Searching(50);
  done.set_state(v1::DONE);
  printer.Update(done, kStart);
  EXPECT_EQ(Take(), "\r\033[Kgemm: done\n");
}

TEST(StateLineTest, SaysWhatIsDone) {
  v1::Study study = Searching(0);
  study.mutable_reference()->set_sequential_seconds(0.0162);
  EXPECT_EQ(StateLine(study),
            "gemm: searching, 50 evaluations; the region takes 16.2 ms in one sequential execution");
  study.set_state(v1::FAILED);
  study.set_failure("the program\ncrashed");
  EXPECT_EQ(StateLine(study), "gemm: failed: the program crashed");
  study.set_state(v1::QUEUED);
  study.set_name("");
  EXPECT_EQ(StateLine(study), "s1: waits for a worker");
}

}  // namespace
}  // namespace tune
