#include "common/base/sandbox_support.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

namespace tune {
namespace {

using ::testing::HasSubstr;

TEST(SandboxSupportTest, CanBeSwitchedOffForAMachineWithoutNamespaces) {
  setenv("TUNE_SANDBOX_NAMESPACES", "off", 1);
  const absl::Status support = SandboxSupport();
  unsetenv("TUNE_SANDBOX_NAMESPACES");
  EXPECT_EQ(support.code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(std::string(support.message()),
              HasSubstr("this machine permits no sandbox: namespaces are switched off"));
  EXPECT_EQ(std::string(support.message()).find('\n'), std::string::npos);
}

}  // namespace
}  // namespace tune
