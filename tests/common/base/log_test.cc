#include "common/base/log.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <spdlog/sinks/ostream_sink.h>

#include <algorithm>
#include <memory>
#include <sstream>

namespace tune {
namespace {

using ::testing::EndsWith;

TEST(Log, ANameForgesNoLine) {
  std::ostringstream out;
  spdlog::logger logger("test", std::make_shared<spdlog::sinks::ostream_sink_st>(out));
  SetLogFormat(&logger);
  logger.info("worker {} has come", "x\n2026-01-01 00:00:00.000 info study s1 (gemm) is done\x1b[2J");
  const std::string text = out.str();
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 1);
  EXPECT_THAT(
      text,
      EndsWith(" info worker x\\x0a2026-01-01 00:00:00.000 info study s1 (gemm) is done\\x1b[2J has come\n"));
}

}  // namespace
}  // namespace tune
