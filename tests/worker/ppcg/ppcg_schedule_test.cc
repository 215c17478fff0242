#include "worker/ppcg/ppcg_schedule.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tune {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

TEST(PpcgSchedule, ValuesTakeTheParametersPlaces) {
  const std::map<std::string, int64_t> values = {{"n", 33}, {"m1", -4}};
  EXPECT_EQ(WithParameterValues("[n, m1] -> { S[i, n1] : 2n <= i < -m1 + 3 n and n1 = n }", values),
            "{ S[i, n1] : 2*(33) <= i < -(-4) + 3 (33) and n1 = (33) }");
  // A tuple that is no list of parameters stays.
  EXPECT_EQ(WithParameterValues("{ [i] -> [n - i] }", values), "{ [i] -> [(33) - i] }");
  EXPECT_EQ(WithParameterValues("", values), "");
}

TEST(PpcgSchedule, ATreeOverPpcgsInstances) {
  IslContext context;
  const absl::Status status = context.Run("test", [&]() -> absl::Status {
    const isl::schedule schedule(
        context.ctx(),
        "{ domain: \"[n] -> { S0[i, j] : 0 <= i < n and 0 <= j < n }\", child: { mark: \"kernel\", child: { "
        "schedule: \"[n] -> [{ S0[i, j] -> [(n - i)] }, { S0[i, j] -> [(2n + j)] }]\", permutable: 1, "
        "coincident: "
        "[ 1, 0 ] } } }");
    // In the text the first loop ran backwards.
    const isl::union_map iterations(context.ctx(), "{ S0[i, j] -> S0[-i, j] : 0 <= i < 5 and 0 <= j < 5 }");
    const std::string text = ScheduleForPpcg(schedule, iterations, {{"n", 5}});
    EXPECT_THAT(text, Not(HasSubstr("mark")));
    EXPECT_THAT(text, HasSubstr("permutable: 1"));
    EXPECT_THAT(text, HasSubstr("coincident: [ 1, 0 ]"));
    const isl::union_map map = isl::schedule(context.ctx(), text).map();
    EXPECT_TRUE(map.is_equal(
        isl::union_map(context.ctx(), "{ S0[a, j] -> [5 + a, 10 + j] : -4 <= a <= 0 and 0 <= j <= 4 }")))
        << text;
    return absl::OkStatus();
  });
  EXPECT_TRUE(status.ok()) << status;
}

}  // namespace
}  // namespace tune
