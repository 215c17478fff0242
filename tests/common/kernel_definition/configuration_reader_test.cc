#include "common/kernel_definition/configuration_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/decision/configuration.h"
#include "tests/common/testing/matmul_definition.h"

namespace tune {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr char kChosen[] = "TRANSPOSED = 1\nTILE_I = 8\nTILE_J = 32\nUNROLL = 4\n";

TEST(ConfigurationReaderTest, ReadsWhatWalksRecord) {
  const ConfigurationReader reader = ConfigurationReader::Make(testing::MatmulDefinition(64)).value();
  const auto read = reader.Read(ParseConfiguration(kChosen).value());
  ASSERT_TRUE(read.ok()) << read.status();
  EXPECT_THAT(read->macros, ElementsAre("TILE_I=8", "TILE_J=32", "UNROLL=4", "TRANSPOSED=1"));
  EXPECT_EQ(PrintConfigurationHeader(*read),
            "/* runs transpose */\n/* runs matmul */\n/* argument n = 64 */\n"
            "#define TILE_I 8\n#define TILE_J 32\n#define UNROLL 4\n#define TRANSPOSED 1\n");
}

TEST(ConfigurationReaderTest, TheDefault) {
  const ConfigurationReader reader = ConfigurationReader::Make(testing::MatmulDefinition(64)).value();
  const EvaluatedConfiguration standard = reader.Default().value();
  EXPECT_THAT(standard.macros, ElementsAre("TILE_I=16", "TILE_J=16", "UNROLL=1", "TRANSPOSED=0"));
  EXPECT_THAT(PrintConfigurationHeader(standard), HasSubstr("/* runs transpose, 0 times */\n"));
}

TEST(ConfigurationReaderTest, RefusesWhatIsNotOfTheSpace) {
  const ConfigurationReader reader = ConfigurationReader::Make(testing::MatmulDefinition(64)).value();
  const auto code = [&](const std::string& text) {
    return reader.Read(ParseConfiguration(text).value()).status().code();
  };
  EXPECT_EQ(code("TILE_I = 8\n"), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(code(std::string(kChosen) + "OTHER = 1\n"), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(code("TRANSPOSED = 1\nTILE_I = 32\nTILE_J = 32\nUNROLL = 4\n"),
            absl::StatusCode::kInvalidArgument);
}

}  // namespace
}  // namespace tune
