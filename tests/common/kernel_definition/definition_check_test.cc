#include "common/kernel_definition/definition_check.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "tests/common/kernel_definition/sample_definitions.h"

namespace tune {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// The faults of the convolution with one text in place of another; as many lines as there are.
std::string FaultsWith(const std::string& text, const std::string& other) {
  const std::string changed = absl::StrReplaceAll(testing::kConvolution, {{text, other}});
  EXPECT_NE(changed, testing::kConvolution) << text;
  return absl::StrJoin(FaultsOf(testing::Definition(changed)), "\n");
}

std::string FaultsOfMore(const std::string& text) {
  return absl::StrJoin(FaultsOf(testing::ConvolutionWith(text)), "\n");
}

TEST(DefinitionCheckTest, AcceptsWhatIsRight) {
  EXPECT_THAT(FaultsOf(testing::Definition()), IsEmpty());
  EXPECT_TRUE(CheckDefinition(testing::Definition()).ok());
}

TEST(DefinitionCheckTest, SaysEachFaultInALine) {
  EXPECT_THAT(FaultsOf({}), ElementsAre("the language is not given: CUDA or C",
                                        "the source file is not given, or its name is no line of text",
                                        "no kernel is given",
                                        "no argument is written: there is nothing that the kernels compute"));
  const absl::Status status = CheckDefinition({});
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(status.message(), HasSubstr("CUDA or C\nthe source"));
}

TEST(DefinitionCheckTest, NamesThatExpressionsDoNotKnow) {
  EXPECT_EQ(FaultsWith("<= 1024", "<= limit"),
            "constraint: \"block_x * block_y <= limit\": column 22: \"limit\" is no "
            "parameter here; there are: block_x, block_y, m, n, problem_size, tile");
  EXPECT_EQ(
      FaultsWith("(block_x * tile)", "(block_x * tiles)"),
      "kernel convolve: grid: \"ceil(n / (block_x * tiles))\": column 21: \"tiles\" is no parameter here; "
      "there are: block_x, block_y, m, n, problem_size, tile");
  EXPECT_THAT(
      FaultsWith("n // 2", "n // k"),
      HasSubstr(
          "problem size m: \"n // k\": column 6: \"k\" is no parameter here; there are: n, problem_size"));
}

TEST(DefinitionCheckTest, SpacesWithoutConfigurations) {
  EXPECT_EQ(FaultsOfMore("constraints: 'tile > 4'"),
            "no configuration is valid: constraint \"tile > 4\" leaves tile no value");
  EXPECT_EQ(
      FaultsOfMore("constraints: 'tile > block_y' constraints: 'block_y * 2 > tile * 5'"),
      "no configuration is valid: constraint \"tile > block_y\" and constraint \"block_y * 2 > tile * 5\" "
      "contradict each other");
  EXPECT_EQ(FaultsOfMore("constraints: 'tile != 2'"),
            "the default configuration is not valid: constraint \"tile != 2\" leaves tile no value");
  EXPECT_EQ(FaultsOfMore("constraints: '8 % (tile - 2) == 0'"),
            "constraint \"8 % (tile - 2) == 0\" has no value at tile = 2: column 3: division by zero; add a "
            "constraint that excludes this");
}

TEST(DefinitionCheckTest, ValuesOfParameters) {
  EXPECT_EQ(FaultsWith("default_value { integer: 2 }", "default_value { integer: 3 }"),
            "parameter tile: the default 3 is none of its values");
  EXPECT_EQ(FaultsOfMore("parameters { name: 'max' values { integer: 1 } }"),
            "parameter max: this is no name of C that expressions can use");
  EXPECT_EQ(FaultsOfMore("parameters { name: 'n' values { integer: 1 } }"),
            "parameter n: the name is given twice");
  EXPECT_EQ(FaultsOfMore("parameters { name: 'a' }"), "parameter a: there are no values");
  EXPECT_EQ(FaultsOfMore("parameters { name: 'a' values { integer: 1 } values { text: 'x' } }"),
            "parameter a: a text stands among values of which the first is a number");
  EXPECT_EQ(FaultsOfMore("parameters { name: 'a' values { integer: 1 } values { integer: 1 } }"),
            "parameter a has the value 1 twice");
  EXPECT_EQ(FaultsOfMore("parameters { name: 'a' values { real: inf } }"),
            "parameter a: inf is no number that C can write");
}

TEST(DefinitionCheckTest, KernelsAndLaunches) {
  EXPECT_EQ(FaultsOfMore("launches { kernel: 'blur' }"),
            "launch of blur: there is no such kernel; there are: convolve");
  EXPECT_EQ(FaultsOfMore("kernels { name: 'sum' block: '32' arguments { names: 'put' } }"),
            "kernel sum: there is no argument put; there are: out, in, filter, width");
  EXPECT_EQ(
      FaultsOfMore("kernels { name: 'sum' block: '32' arguments { names: 'filter' } }"),
      "kernel sum: argument filter is no parameter of functions: it is a symbol or dynamic shared memory");
  EXPECT_EQ(FaultsOfMore("kernels { name: 'sum' }"), "kernel sum: the block's size is not given");
  EXPECT_EQ(FaultsOfMore("kernels { name: 'su m' block: '1' }"),
            "kernel su m: this is no name of a function");
  EXPECT_EQ(FaultsWith("LANGUAGE_CUDA", "LANGUAGE_C"),
            "kernel convolve: a C function has no block, grid, shared memory and template arguments");
  EXPECT_EQ(FaultsWith("block: \"block_x\"", "block: \"block_x * 64\""),
            "kernel convolve: block x: \"block_x * 64\" is 2048, more than 1024 (at block_x=32, block_y=4, "
            "tile=2)");
}

TEST(DefinitionCheckTest, Arguments) {
  EXPECT_EQ(FaultsWith("count: \"n * m\"", "count: \"tile\""),
            "argument out: count of elements: \"tile\" is a list of 3 values, which is no whole number");
  EXPECT_EQ(FaultsWith("count: \"n * m\"", "count: \"n - 5000\""),
            "argument out: count of elements: \"n - 5000\" is -904, less than 1");
  EXPECT_THAT(FaultsWith("count: \"n * m\"", "count: \"n ** 3 * m\""),
              HasSubstr("argument out: count of elements: \"n ** 3 * m\" is 140737488355328, more than"));
  EXPECT_EQ(FaultsWith("constant: \"n\"", "constant: \"0.5\""),
            "argument width: 0.5 is no whole number; the type is int32 (at block_x=32, block_y=4, tile=2)");
  EXPECT_EQ(FaultsWith("constant: \"0.04\"", "generator: \"i / (i - 24)\""),
            "argument filter: element 24: \"i / (i - 24)\": column 3: division by zero");
  EXPECT_EQ(FaultsWith("random {}", "random { low: '2' }"),
            "argument in: its least random value is more than the largest one");
  EXPECT_EQ(FaultsOfMore("arguments { name: 'k' type: NUMBER_INT8 }"), "argument k: a scalar needs a value");
  EXPECT_EQ(FaultsOfMore("arguments { name: 'k' type: NUMBER_CUSTOM count: '4' }"),
            "argument k: a custom type has 1 to 65536 bytes, not 0");
  EXPECT_EQ(FaultsOfMore("arguments { name: 'k' type: NUMBER_FLOAT count: '4' memory: ARGUMENT_TEXTURE "
                         "texture { extents: '2' extents: '3' } }"),
            "argument k: its texture has 6 elements, and it has 4");
  EXPECT_EQ(
      FaultsOfMore("arguments { name: 'k' type: NUMBER_INT32 count: '4' memory: ARGUMENT_TEXTURE "
                   "texture { extents: '4' linear: true } }"),
      "argument k: a texture that interpolates has numbers of float or half, or whole ones of at most 16 "
      "bits");
  EXPECT_EQ(FaultsWith("access: ARGUMENT_WRITE", "access: ARGUMENT_READ"),
            "no argument is written: there is nothing that the kernels compute");
}

TEST(DefinitionCheckTest, References) {
  EXPECT_EQ(FaultsOfMore("reference { checks { argument: 'in' } }"),
            "check of in: there is no such output; there are: out");
  EXPECT_EQ(FaultsOfMore("reference { checks { argument: 'out' threshold: -1 } }"),
            "check of out: the threshold is no number from 0");
  EXPECT_EQ(FaultsOfMore("reference { host_function { name: 'plain' } }"),
            "reference: the host function's file is not given");
  EXPECT_EQ(
      FaultsOfMore("reference { plain_kernel { kernel { name: 'plain' block: 'tile' grid: '1' } } }"),
      "reference: kernel plain: block x: \"tile\": column 1: \"tile\" is no parameter here; there are: m, n, "
      "problem_size");
  EXPECT_EQ(FaultsOfMore("reference { plain_kernel { kernel { name: 'plain' block: '16' block: '16' } } "
                         "checks { argument: 'out' method: CHECK_EACH_DIFFERENCE threshold: 0.1 "
                         "expected { generator: 'i * 2' } } }"),
            "");
}

TEST(DefinitionCheckTest, ClocksAreThoseOfGpus) {
  const auto faults = [](const std::string& name, const std::vector<int64_t>& values,
                         v1::KernelLanguage language) {
    v1::KernelDefinition definition = testing::Definition();
    definition.set_language(language);
    v1::TuningParameterValues& parameter = *definition.add_parameters();
    parameter.set_name(name);
    for (const int64_t value : values) parameter.add_values()->set_integer(value);
    return absl::StrJoin(FaultsOf(definition), "\n");
  };
  EXPECT_EQ(faults("nvml_gr_clock", {1980, 1200}, v1::KERNEL_LANGUAGE_CUDA), "");
  EXPECT_THAT(faults("nvml_gr_clock", {1980, 0}, v1::KERNEL_LANGUAGE_CUDA),
              HasSubstr("parameter nvml_gr_clock: 0 is no clock in MHz, such as 1200"));
  EXPECT_THAT(faults("nvml_gr_clock", {1980}, v1::KERNEL_LANGUAGE_C),
              HasSubstr("clocks are those of NVIDIA GPUs, and C functions run on the host"));
  EXPECT_THAT(faults("nvml_pwr_limit", {100}, v1::KERNEL_LANGUAGE_CUDA),
              HasSubstr("its graphics clock alone is set, by the parameter nvml_gr_clock"));
}

}  // namespace
}  // namespace tune
