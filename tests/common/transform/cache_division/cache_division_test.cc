#include "common/transform/cache_division/cache_division.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/common/transform/sample_kernels.h"

namespace tune {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using testing::MakeKernel;
using testing::Offered;

TEST(CacheDivision, OlderDevicesDoNotDivideTheirMemory) {
  const Kernel kernel = MakeKernel({true}, {4000});
  EXPECT_THAT(Offered(kernel, FactsOf(testing::P100()), "k.cache"), IsEmpty());
  EXPECT_THAT(Offered(kernel, FactsOf(testing::T4()), "k.cache"),
              ElementsAre("default", "l1", "half", "shared"));
}

}  // namespace
}  // namespace tune
