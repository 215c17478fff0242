#include "common/space/ppcg_record.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "common/scop/parameter_values.h"
#include "tests/common/testing/sample_scops.h"

namespace tune {
namespace {

using ::testing::HasSubstr;

v1::Reference ReferenceOf(const std::vector<v1::PpcgSchedule>& schedules) {
  v1::Reference reference;
  *reference.mutable_ppcg() = {schedules.begin(), schedules.end()};
  return reference;
}

std::unique_ptr<ScheduleSpace> GemmSchedules() {
  const std::map<std::string, int64_t> values = {{"ni", 40}, {"nj", 50}, {"nk", 60}};
  return ScheduleSpace::Make(WithParameterFacts(testing::GemmScop(), values), values, {}).value();
}

TEST(PpcgSchedules, EachOnce) {
  std::set<std::string> own, all;
  for (const PpcgSchedulePlan& schedule : PpcgSchedules(nullptr)) {
    EXPECT_EQ(schedule.loaded, nullptr);
    EXPECT_TRUE(own.insert(schedule.Key()).second) << schedule.Key();
  }
  EXPECT_EQ(own.size(), 12);
  const auto schedules = GemmSchedules();
  int loaded = 0;
  for (const PpcgSchedulePlan& schedule : PpcgSchedules(schedules.get())) {
    EXPECT_TRUE(all.insert(schedule.Key()).second) << schedule.Key();
    loaded += schedule.loaded != nullptr;
  }
  EXPECT_GE(loaded, 1);
  EXPECT_EQ(all.size(), own.size() + loaded);
  EXPECT_LE(loaded, 6);
}

TEST(PpcgRecord, AnswersWhatWasRecorded) {
  PpcgSchedulePlan standard, serialized, other;
  serialized.serialize_sccs = true;
  other.feautrier = true;
  const std::vector<PpcgKernelShape> kernels = {{3, 2, 2}, {1, 1, 1}, {}};
  const auto record = PpcgRecord::Read(ReferenceOf(
      {RecordPpcgSchedule(standard, kernels),
       RecordPpcgSchedule(serialized, absl::ResourceExhaustedError("ppcg had not ended\nafter 60 s"))}));
  ASSERT_TRUE(record.ok()) << record.status();
  EXPECT_FALSE(record->has_builtin_schedules());
  EXPECT_EQ(record->Shapes(standard).value(), kernels);
  EXPECT_EQ(record->Shapes(serialized).status(), absl::InternalError("ppcg had not ended"));
  EXPECT_TRUE(absl::IsInternal(record->Shapes(other).status()));
  EXPECT_THAT(std::string(record->Shapes(other).status().message()), HasSubstr("has not recorded"));
}

TEST(PpcgRecord, KnowsWhetherPpcgCanLoadSchedules) {
  const auto schedules = GemmSchedules();
  std::vector<v1::PpcgSchedule> recorded;
  for (const PpcgSchedulePlan& schedule : PpcgSchedules(schedules.get()))
    recorded.push_back(RecordPpcgSchedule(schedule, absl::InternalError("")));
  EXPECT_TRUE(PpcgRecord::Read(ReferenceOf(recorded))->has_builtin_schedules());
  EXPECT_EQ(recorded[0].failure(), "ppcg failed");
}

TEST(PpcgRecord, RefusesWhatPpcgCannotHaveSaid) {
  EXPECT_TRUE(absl::IsInvalidArgument(PpcgRecord::Read({}).status()));
  for (const PpcgKernelShape& shape :
       std::vector<PpcgKernelShape>{{-1, 0, 0}, {1, 3, 1}, {1, 1, 4}, {1 << 30, 1, 1}}) {
    const auto record = PpcgRecord::Read(ReferenceOf({RecordPpcgSchedule({}, std::vector{shape})}));
    EXPECT_TRUE(absl::IsInvalidArgument(record.status())) << record.status();
  }
}

}  // namespace
}  // namespace tune
