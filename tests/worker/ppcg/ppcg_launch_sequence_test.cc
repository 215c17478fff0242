#include "worker/ppcg/ppcg_launch_sequence.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/worker/ppcg/sample_output.h"

namespace tune {
namespace {

using ::testing::HasSubstr;

DeviceArray Array(int index, const std::string& name, std::vector<int64_t> extents, bool by_value = false) {
  DeviceArray array;
  array.index = index;
  array.name = name;
  array.type = v1::ELEMENT_TYPE_DOUBLE;
  array.extents = std::move(extents);
  array.by_value = by_value;
  return array;
}

const std::vector<DeviceArray>& Arrays() {
  static const auto* const arrays = new std::vector<DeviceArray>{
      Array(0, "s", {}), Array(1, "alpha", {}, /*by_value=*/true), Array(2, "A", {96})};
  return *arrays;
}

PpcgOutput Sample() { return ParsePpcgOutput(testing::kSampleKernels, testing::kSampleHost, {"t"}).value(); }

TEST(PpcgLaunchSequence, LaunchesInTheirLoopsInFull) {
  const auto plan = PrintPpcgLaunchSequence(Sample(), Arrays());
  ASSERT_TRUE(plan.ok()) << plan.status();
  EXPECT_EQ(plan->substr(plan->find("#define")), R"(#define ppcg_min(x,y)    ((x) < (y) ? (x) : (y))
void tune_launch_sequence(void *const *memory, const void *const *host,
               void (*launch)(void *context, const struct tune_launch *launch), void *context) {
  (void)memory;
  (void)host;
  {
    void *arguments[] = {(void *)&memory[2], (void *)&memory[0], (void *)host[1]};
    const struct tune_launch one = {0, {3, 1, 1}, {32, 1, 1}, arguments};
    launch(context, &one);
  }
  for (int c0 = 0; c0 <= 4; c0 += 1) {
    if (c0 >= 1) {
      {
        int tune_a1 = c0;
        void *arguments[] = {(void *)&memory[2], &tune_a1};
        const struct tune_launch one = {1, {(unsigned)(ppcg_min(c0, 3)), 2, 1}, {16, 2, 1}, arguments};
        launch(context, &one);
      }
    } else {
    }
  }
}
)");
}

TEST(PpcgLaunchSequence, AnUnknownArrayIsNamed) {
  const auto plan = PrintPpcgLaunchSequence(Sample(), {Array(0, "s", {})});
  EXPECT_TRUE(absl::IsInternal(plan.status()));
  EXPECT_THAT(std::string(plan.status().message()), HasSubstr("passes dev_A for A, which is no array"));
}

TEST(PpcgLaunchSequence, TooManyBlocksAreAConstraint) {
  PpcgOutput output = Sample();
  output.host.children[0].launch.grid = {"1", "65536"};
  const auto plan = PrintPpcgLaunchSequence(output, Arrays());
  EXPECT_TRUE(absl::IsInvalidArgument(plan.status()));
  EXPECT_THAT(std::string(plan.status().message()),
              HasSubstr("kernel0 with 65536 blocks along y, and CUDA allows 1 to 65535"));
}

}  // namespace
}  // namespace tune
