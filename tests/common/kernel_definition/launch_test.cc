#include "common/kernel_definition/launch.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/kernel_definition/definition_space.h"
#include "tests/common/kernel_definition/sample_definitions.h"

namespace tune {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::vector<Value> Whole(const std::vector<int64_t>& numbers) {
  std::vector<Value> values;
  for (const int64_t number : numbers) values.push_back(Value::Integer(number));
  return values;
}

std::string ErrorAt(const v1::KernelDefinition& definition, const std::vector<Value>& configuration) {
  const auto launch = EvaluateLaunch(definition, configuration);
  return launch.ok() ? "it has one" : std::string(launch.status().message());
}

TEST(LaunchTest, ParametersAreMacrosAndSizesAreEvaluated) {
  const auto launch = EvaluateLaunch(testing::Definition(), Whole({64, 4, 4})).value();
  EXPECT_THAT(launch.macros, ElementsAre("block_x=64", "block_y=4", "tile=4"));
  ASSERT_EQ(launch.kernels.size(), 1u);
  EXPECT_EQ(launch.kernels[0].expression, "convolve");
  ASSERT_EQ(launch.launches.size(), 1u);
  EXPECT_THAT(launch.launches[0].block, ElementsAre(64, 4, 1));
  EXPECT_THAT(launch.launches[0].grid, ElementsAre(16, 512, 1));
  EXPECT_EQ(launch.launches[0].shared_bytes, 0);
  EXPECT_EQ(launch.launches[0].times, 1);
  EXPECT_EQ(launch.scalars.at("width").whole(), 4096);
}

TEST(LaunchTest, WithoutAGridTheProblemIsCutIntoBlocks) {
  v1::KernelDefinition definition = testing::Definition();
  definition.mutable_kernels(0)->clear_grid();
  definition.mutable_problem(0)->set_size("4100");
  const auto launch = EvaluateLaunch(definition, Whole({64, 4, 4})).value();
  EXPECT_THAT(launch.launches[0].grid, ElementsAre(65, 513, 1));
}

TEST(LaunchTest, GridsInThreadsAreRoundedUpToBlocks) {
  v1::KernelDefinition definition = testing::Definition();
  definition.mutable_kernels(0)->set_grid(0, "1000");
  definition.mutable_kernels(0)->set_grid_unit(v1::GRID_UNIT_THREADS);
  EXPECT_THAT(EvaluateLaunch(definition, Whole({64, 4, 4})).value().launches[0].grid,
              ElementsAre(16, 128, 1));
}

TEST(LaunchTest, TemplateArgumentsAreNotMacros) {
  v1::KernelDefinition definition = testing::ConvolutionWith(R"pb(
    kernels {
      name: "blur::rows"
      block: "256"
      template_arguments: "block_x * 2"
      template_arguments: "'float'"
      template_arguments: "tile == 1"
      arguments { names: "out" }
    }
    macros { name: "WIDTH" value: "n" }
    macros { name: "FAST" value: "tile == 2" })pb");
  const auto launch = EvaluateLaunch(definition, Whole({64, 4, 2})).value();
  EXPECT_EQ(launch.kernels[1].expression, "blur::rows<128, float, false>");
  EXPECT_THAT(launch.macros, ElementsAre("block_y=4", "WIDTH=4096", "FAST=1"));
}

TEST(LaunchTest, AMacroMayHaveTheNameOfAParameterThatTemplatesUse) {
  v1::KernelDefinition definition = testing::Definition();
  definition.mutable_kernels(0)->add_template_arguments("tile");
  definition.add_macros()->set_name("tile");
  definition.mutable_macros(0)->set_value("tile");
  EXPECT_THAT(EvaluateLaunch(definition, Whole({16, 1, 4})).value().macros,
              ElementsAre("block_x=16", "block_y=1", "tile=4"));
}

TEST(LaunchTest, KernelsRunInTheirSequence) {
  const v1::KernelDefinition definition = testing::ConvolutionWith(R"pb(
    kernels { name: "sum" block: "128" grid: "1" dynamic_shared_bytes: "4 * block_x" }
    arguments { name: "partial" type: NUMBER_DOUBLE count: "block_y" memory: ARGUMENT_LOCAL }
    launches { kernel: "sum" }
    launches { kernel: "convolve" times: "tile - 1" }
    launches { kernel: "sum" times: "10" })pb");
  const auto launch = EvaluateLaunch(definition, Whole({32, 4, 1})).value();
  ASSERT_EQ(launch.launches.size(), 3u);
  EXPECT_EQ(launch.launches[0].kernel, "sum");
  EXPECT_EQ(launch.launches[0].shared_bytes, 4 * 32 + 8 * 4);
  EXPECT_EQ(launch.launches[1].times, 0);
  EXPECT_EQ(launch.launches[2].times, 10);
}

TEST(LaunchTest, SaysWhatNoDeviceTakes) {
  const v1::KernelDefinition definition = testing::Definition();
  EXPECT_EQ(ErrorAt(definition, Whole({64, 32, 1})),
            "kernel convolve: a block of 64 x 32 x 1 has 2048 threads, more than 1024");
  v1::KernelDefinition deep = definition;
  *deep.mutable_kernels(0)->add_block() = "100";
  EXPECT_EQ(ErrorAt(deep, Whole({1, 1, 1})), "kernel convolve: block z: \"100\" is more than 64");
  v1::KernelDefinition high = definition;
  high.mutable_kernels(0)->set_grid(1, "m * 100");
  EXPECT_EQ(ErrorAt(high, Whole({1, 1, 1})), "kernel convolve: grid y: 204800 blocks, more than 65535");
  v1::KernelDefinition large = definition;
  large.mutable_kernels(0)->set_dynamic_shared_bytes("1024 ** 3");
  EXPECT_EQ(ErrorAt(large, Whole({1, 1, 1})),
            "kernel convolve: dynamic shared memory: \"1024 ** 3\" is 1073741824, more than 1048576");
  v1::KernelDefinition broken = definition;
  broken.mutable_kernels(0)->set_block(0, "block_x // (tile - 1)");
  EXPECT_EQ(ErrorAt(broken, Whole({64, 1, 1})),
            "kernel convolve: block x: \"block_x // (tile - 1)\": column 9: division by zero");
  v1::KernelDefinition half = definition;
  half.mutable_kernels(0)->set_block(0, "block_x / 128");
  EXPECT_EQ(ErrorAt(half, Whole({64, 1, 1})),
            "kernel convolve: block x: \"block_x / 128\" is 0.5, which is no whole number");
  v1::KernelDefinition local = testing::ConvolutionWith(
      "arguments { name: 'scratch' type: NUMBER_DOUBLE count: 'tile * 100000' memory: ARGUMENT_LOCAL }");
  EXPECT_EQ(ErrorAt(local, Whole({32, 1, 2})),
            "kernel convolve: 1600000 bytes of dynamic shared memory, more than 1048576");
  EXPECT_THAT(ErrorAt(definition, Whole({64})), HasSubstr("a configuration of 1 values"));
}

TEST(LaunchTest, ScalarsFitTheirTypes) {
  v1::KernelDefinition definition = testing::Definition();
  definition.mutable_arguments(3)->mutable_fill()->set_constant("n * 1000000");
  EXPECT_EQ(ErrorAt(definition, Whole({32, 1, 1})), "argument width: 4096000000 does not fit into int32");
}

TEST(LaunchTest, CHasNeitherBlockNorGrid) {
  const v1::KernelDefinition definition = testing::Definition(R"pb(
    language: KERNEL_LANGUAGE_C
    file: "add.c"
    kernels { name: "add" }
    parameters {
      name: "unroll"
      values { integer: 1 }
      values { integer: 2 }
    }
    parameters {
      name: "type"
      values { text: "float" }
      values { text: "double" }
    }
    parameters {
      name: "fast"
      values { boolean: true }
    })pb");
  const auto launch =
      EvaluateLaunch(definition, {Value::Integer(2), Value::String("double"), Value::Boolean(true)}).value();
  EXPECT_THAT(launch.macros, ElementsAre("unroll=2", "type=double", "fast=1"));
  EXPECT_THAT(launch.launches[0].grid, ElementsAre(1, 1, 1));
}

TEST(DefinitionSpaceTest, TheDefaultIsWhatIsGivenAndTheMiddleOfTheRest) {
  v1::KernelDefinition definition = testing::Definition();
  EXPECT_EQ(PrintValues(definition, ValuesOf(definition, DefaultConfiguration(definition).value())),
            "block_x=32, block_y=4, tile=2");
  EXPECT_EQ(ParameterSpaceOf(definition).value().count(), 24);
  definition.add_constraints("block_y != 4 and tile != 2");
  EXPECT_EQ(
      std::string(DefaultConfiguration(definition).status().message()),
      "the default configuration is not valid: constraint \"block_y != 4 and tile != 2\" leaves tile no "
      "value");
  const std::vector<Value> near = ValuesOf(definition, NearestToDefaults(definition).value());
  EXPECT_EQ(near[0].whole(), 32);
  EXPECT_NE(near[1].whole(), 4);
  EXPECT_NE(near[2].whole(), 2);
}

TEST(LaunchTest, AClockIsNoMacro) {
  v1::KernelDefinition definition = testing::Definition();
  definition.mutable_parameters(2)->set_name(kGraphicsClock);
  definition.clear_constraints();
  definition.mutable_kernels(0)->mutable_grid()->Clear();
  const auto launch = EvaluateLaunch(definition, Whole({64, 4, 1200})).value();
  EXPECT_THAT(launch.macros, ElementsAre("block_x=64", "block_y=4"));
  EXPECT_EQ(launch.graphics_clock_mhz, 1200);
  EXPECT_EQ(EvaluateLaunch(testing::Definition(), Whole({64, 4, 4}))->graphics_clock_mhz, 0);
}

}  // namespace
}  // namespace tune
