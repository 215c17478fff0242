#include "client/report/roofline_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tune {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

v1::Study MakeStudy() {
  v1::Study study;
  v1::PeakRates& peaks = *study.mutable_device()->mutable_peaks();
  peaks.set_float_operations(60e12);
  peaks.set_memory_bytes(4e12);
  study.mutable_reference()->mutable_work()->set_float_operations(6e9);   // 100 us
  study.mutable_reference()->mutable_work()->set_read_bytes(1200000000);  // 400 us
  study.mutable_reference()->mutable_work()->set_written_bytes(400000000);
  return study;
}

TEST(RooflineTextTest, SaysHowNearAndToWhat) {
  EXPECT_EQ(RooflineText(MakeStudy(), 800e-6), "50% of the bound: 2.00 TB/s of 4.00 TB/s through memory");
  v1::Study study = MakeStudy();
  study.mutable_reference()->mutable_work()->set_float_operations(60e9);
  EXPECT_EQ(RooflineText(study, 20e-3), "5.0% of the bound: 3.00 TFLOP/s of 60.0 TFLOP/s");
}

TEST(RooflineTextTest, MoreThanTheBoundIsQuestioned) {
  EXPECT_THAT(RooflineText(MakeStudy(), 385e-6), Not(HasSubstr("check before believing")));
  EXPECT_THAT(RooflineText(MakeStudy(), 300e-6), HasSubstr("check before believing"));
}

TEST(RooflineTextTest, NothingIsSaidOfWhatIsNotKnown) {
  EXPECT_EQ(RooflineText(MakeStudy(), 0), "");
  v1::Study study = MakeStudy();
  study.mutable_device()->clear_peaks();
  EXPECT_EQ(RooflineText(study, 1), "");
  EXPECT_EQ(PeaksText(study.device()), "");
}

TEST(PeaksTextTest, NamesWhatWasMeasured) {
  EXPECT_EQ(PeaksText(MakeStudy().device()), "60.0 TFLOP/s in float, 4.00 TB/s of memory");
}

}  // namespace
}  // namespace tune
