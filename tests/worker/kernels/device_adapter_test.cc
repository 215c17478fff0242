#include "worker/kernels/device_adapter.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "absl/strings/str_replace.h"
#include "common/base/file.h"
#include "common/base/subprocess.h"
#include "common/kernel_definition/argument_form.h"

namespace tune {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

v1::KernelArgument Argument(const std::string& name, v1::NumberType type, const std::string& count = "") {
  v1::KernelArgument argument;
  argument.set_name(name);
  argument.set_type(type);
  argument.set_count(count);
  if (count.empty()) argument.mutable_fill()->set_constant("3");
  return argument;
}

// Two kernels, of which the second runs twice.
v1::KernelDefinition Definition() {
  v1::KernelDefinition definition;
  definition.set_language(v1::KERNEL_LANGUAGE_CUDA);
  definition.set_file("blur.cu");
  v1::KernelFunction& rows = *definition.add_kernels();
  rows.set_name("blur::rows");
  for (const char* argument : {"in", "out", "n"}) rows.mutable_arguments()->add_names(argument);
  v1::KernelFunction& columns = *definition.add_kernels();
  columns.set_name("columns");
  for (const char* argument : {"picture", "out"}) columns.mutable_arguments()->add_names(argument);
  *definition.add_arguments() = Argument("in", v1::NUMBER_FLOAT, "8");
  *definition.add_arguments() = Argument("out", v1::NUMBER_FLOAT, "16");
  *definition.add_arguments() = Argument("n", v1::NUMBER_UINT16);
  *definition.add_arguments() = Argument("weights", v1::NUMBER_FLOAT, "3");
  definition.mutable_arguments(3)->set_memory(v1::ARGUMENT_SYMBOL);
  *definition.add_arguments() = Argument("picture", v1::NUMBER_FLOAT, "12");
  definition.mutable_arguments(4)->set_memory(v1::ARGUMENT_TEXTURE);
  definition.mutable_arguments(4)->mutable_texture()->add_extents("4");
  definition.mutable_arguments(4)->mutable_texture()->add_extents("3");
  return definition;
}

EvaluatedConfiguration Configuration() {
  EvaluatedConfiguration configuration;
  configuration.macros = {"ROWS=2"};
  configuration.kernels = {{"blur::rows", "blur::rows<32, float>"}, {"columns", "columns"}};
  configuration.launches = {{"blur::rows", {4, 1, 1}, {32, 1, 1}, 128, 1},
                            {"columns", {1, 2, 1}, {8, 8, 1}, 0, 2}};
  configuration.scalars.emplace("n", Value::Integer(300));
  return configuration;
}

TEST(DeviceAdapterTest, WhatACandidateIsMadeOf) {
  const auto text = PrintDeviceText(Definition(), "blur.cu", Configuration());
  ASSERT_TRUE(text.ok()) << text.status();
  EXPECT_THAT(text->macros, ElementsAre("ROWS=2"));
  EXPECT_THAT(text->kernels, ElementsAre("blur::rows<32, float>", "columns"));
  const v1::CudaCandidate& candidate = text->candidate;
  ASSERT_EQ(candidate.kernels_size(), 2);
  EXPECT_EQ(candidate.kernels(0).dynamic_shared_bytes(), 128);
  EXPECT_EQ(candidate.kernels(1).dynamic_shared_bytes(), 0);
  ASSERT_EQ(candidate.arrays_size(), 4);
  EXPECT_EQ(candidate.arrays(1).name(), "out");
  EXPECT_EQ(candidate.arrays(1).bytes(), 64);
  EXPECT_EQ(candidate.arrays(2).symbol(), "weights");
  EXPECT_FALSE(candidate.arrays(2).symbol_is_output());
  ASSERT_EQ(candidate.textures_size(), 1);
  EXPECT_EQ(candidate.textures(0).array(), 3);
  EXPECT_THAT(candidate.textures(0).form().extents(), ElementsAre(4, 3));
}

// With a compiler of the host, to which the functions are ones that are not called.
std::string ErrorsOf(const std::string& source) {
  const TemporaryFolder folder = *TemporaryFolder::Make();
  const auto text = PrintDeviceText(Definition(), "blur.cu", Configuration());
  EXPECT_TRUE(WriteFile(folder.path() + "/blur.cu", source).ok());
  EXPECT_TRUE(WriteFile(folder.path() + "/unit.cc", text->unit).ok());
  SubprocessOptions options;
  options.folder = folder.path();
  const auto result = RunSubprocess({"c++", "-std=c++17", "-fsyntax-only", "unit.cc"}, options);
  return result->ok() ? "" : result->standard_error;
}

constexpr char kSource[] = R"(
typedef unsigned long long cudaTextureObject_t;
namespace blur { template <int width, typename T> void rows(const T* in, T* out, unsigned short n); }
void columns(cudaTextureObject_t picture, float* out);
)";

TEST(DeviceAdapterTest, TheCompilerChecksWhatKernelsTake) {
  const auto with = [](const char* parameters, const char* others) {
    return ErrorsOf(absl::StrReplaceAll(kSource, {{parameters, others}}));
  };
  EXPECT_EQ(ErrorsOf(kSource), "");
  EXPECT_THAT(
      with("T* out, unsigned short n", "T* out"),
      HasSubstr("kernel blur::rows takes another number of arguments than the 3 that it is given: in, "
                "out, n"));
  EXPECT_THAT(with("unsigned short n", "int n"),
              HasSubstr("kernel blur::rows takes something else as argument 3 than n, a number of 2 bytes"));
  EXPECT_THAT(with("const T* in", "double in"), HasSubstr("as argument 1 than in, an array"));
  EXPECT_THAT(with("cudaTextureObject_t picture, float", "const float* picture, float"),
              HasSubstr("as argument 1 than picture, a texture object"));
  EXPECT_THAT(with("void columns", "void other"), HasSubstr("columns"));
}

TEST(DeviceAdapterTest, LaunchesAreCForTheHost) {
  const auto text = PrintDeviceText(Definition(), "blur.cu", Configuration());
  const TemporaryFolder folder = *TemporaryFolder::Make();
  ASSERT_TRUE(WriteFile(folder.path() + "/sequence.c", text->launches).ok());
  const auto result =
      RunSubprocess({"cc", "-std=gnu11", "-Wall", "-Werror", "-fsyntax-only", folder.path() + "/sequence.c"});
  EXPECT_TRUE(result->ok()) << result->standard_error;
  EXPECT_THAT(text->launches, HasSubstr("tune_scalar_n[] = {44, 1};"));
  EXPECT_THAT(text->launches, HasSubstr("{(void *)&memory[7], (void *)&memory[1]}"));
  EXPECT_THAT(text->launches, HasSubstr("tune_turn < 2"));
  EXPECT_THAT(text->launches, HasSubstr("one = {1, {1, 2, 1}, {8, 8, 1}, arguments}"));
}

TEST(DeviceAdapterTest, LaunchesThatTheDeviceDoesNotTake) {
  v1::Device device;
  device.set_model("small GPU");
  device.mutable_cuda()->set_max_threads_per_block(64);
  device.mutable_cuda()->set_shared_bytes_per_block_optin(128);
  EXPECT_TRUE(CheckLaunches(Configuration(), device).ok());
  EvaluatedConfiguration configuration = Configuration();
  configuration.launches[1].block = {8, 9, 1};
  EXPECT_EQ(CheckLaunches(configuration, device).message(),
            "kernel columns: 72 threads a block; small GPU takes 64");
  configuration = Configuration();
  configuration.launches[0].shared_bytes = 129;
  EXPECT_EQ(CheckLaunches(configuration, device).message(),
            "kernel blur::rows: 129 bytes of dynamic shared memory a block; small GPU takes 128");
}

TEST(DeviceAdapterTest, AFileThatCannotBeIncluded) {
  EXPECT_THAT(std::string(PrintDeviceText(Definition(), "a\"b.cu", Configuration()).status().message()),
              HasSubstr("rename it"));
}

}  // namespace
}  // namespace tune
