#include "worker/kernels/host_adapter.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/kernel_definition/definition_space.h"
#include "tests/common/testing/matmul_definition.h"

namespace tune {
namespace {

using ::testing::HasSubstr;

v1::KernelArgument& AddScalar(v1::NumberType type, const std::string& value,
                              v1::KernelDefinition* definition) {
  v1::KernelArgument& argument = *definition->add_arguments();
  argument.set_name(absl::StrCat("s", definition->arguments_size()));
  argument.set_type(type);
  argument.mutable_fill()->set_constant(value);
  return argument;
}

absl::StatusOr<std::string> Adapter(const v1::KernelDefinition& definition) {
  const auto choice = DefaultConfiguration(definition);
  EXPECT_TRUE(choice.ok()) << choice.status();
  const auto configuration = EvaluateLaunch(definition, ValuesOf(definition, *choice));
  EXPECT_TRUE(configuration.ok()) << configuration.status();
  return PrintHostAdapter(definition, definition.file(), HostCalls(definition, *configuration),
                          configuration->scalars);
}

TEST(HostAdapterTest, CallsInOrderWithArraysAndScalars) {
  v1::KernelDefinition definition = testing::MatmulDefinition(64);
  definition.mutable_launches(0)->set_times("3");
  const std::string text = *Adapter(definition);
  EXPECT_THAT(text, HasSubstr("#include \"matmul.c\"\n"));
  EXPECT_THAT(text, HasSubstr("static __typeof__(transpose) *volatile tune_function_0 = transpose;\n"));
  EXPECT_THAT(text, HasSubstr("  for (tune_turn = 0; tune_turn < 3; tune_turn++) tune_function_0(64L, "
                              "tune_arrays[1], tune_arrays[2]);\n"
                              "  tune_function_1(64L, tune_arrays[0], tune_arrays[1], tune_arrays[2], "
                              "tune_arrays[3]);\n"));
}

TEST(HostAdapterTest, ScalarsAreExact) {
  v1::KernelDefinition definition = testing::MatmulDefinition(64);
  definition.clear_launches();
  definition.mutable_kernels()->DeleteSubrange(1, 1);
  AddScalar(v1::NUMBER_FLOAT, "0.1", &definition);
  AddScalar(v1::NUMBER_INT64, "-2 ** 62 * 2", &definition);
  AddScalar(v1::NUMBER_BOOL, "True", &definition);
  EXPECT_THAT(*Adapter(definition),
              HasSubstr(", 0x1.999999999999ap-4, (-9223372036854775807L - 1L), 1L);\n"));
}

TEST(HostAdapterTest, AFileThatCannotBeIncludedIsRefused) {
  v1::KernelDefinition definition = testing::MatmulDefinition(64);
  definition.set_file("a\"b.c");
  EXPECT_THAT(std::string(Adapter(definition).status().message()), HasSubstr("rename it"));
}

}  // namespace
}  // namespace tune
