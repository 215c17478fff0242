#include "worker/kernels/kernel_reference.h"

#include <gmock/gmock.h>

#include <cstring>

#include "tests/worker/kernels/kernel_study.h"
#include "worker/reference/reference_cache.h"

namespace tune {
namespace {

using ::testing::HasSubstr;

using Matrix = std::vector<double>;

Matrix Numbers(const std::string& bytes) {
  Matrix numbers(bytes.size() / sizeof(double));
  std::memcpy(numbers.data(), bytes.data(), bytes.size());
  return numbers;
}

// Of square matrices.
Matrix Product(const Matrix& a, const Matrix& b, int n) {
  Matrix c(n * n);
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      for (int k = 0; k < n; ++k) c[i * n + j] += a[i * n + k] * b[k * n + j];
    }
  }
  return c;
}

class KernelReferenceTest : public KernelStudyTest {
 protected:
  std::string Failure() {
    const auto data = Reference();
    EXPECT_FALSE(data.ok());
    return std::string(data.status().message());
  }
};

TEST_F(KernelReferenceTest, TheDefaultConfigurationComputesTheOutputs) {
  const auto data = Reference();
  ASSERT_TRUE(data.ok()) << data.status() << log_;
  const Matrix expected = Product(Numbers(Bytes("in/A.bin")), Numbers(Bytes("in/B.bin")), 32);
  EXPECT_THAT(Numbers(Bytes("out/C.bin")), ::testing::Pointwise(::testing::DoubleNear(1e-12), expected));
  EXPECT_GT(data->reference.sequential_seconds(), 0);
  EXPECT_EQ(data->reference.memory_bytes(), 4 * 32 * 32 * 8);
  ASSERT_EQ(data->reference.parameters_size(), 1);
  EXPECT_EQ(data->reference.parameters(0).name(), "n");
  EXPECT_EQ(data->reference.parameters(0).value(), 32);
  EXPECT_EQ(data->reference.arrays_size(), 4);
}

TEST_F(KernelReferenceTest, FreshInputsAreOtherRandomNumbers) {
  const auto data = Reference();
  ASSERT_TRUE(data.ok()) << data.status() << log_;
  ASSERT_EQ(data->fresh_sets, 3);
  EXPECT_NE(Bytes("fresh/0/in/A.bin"), Bytes("in/A.bin"));
  EXPECT_NE(Bytes("fresh/0/in/A.bin"), Bytes("fresh/1/in/A.bin"));
  EXPECT_EQ(Bytes("fresh/0/in/T.bin"), Bytes("in/T.bin"));
  const Matrix expected = Product(Numbers(Bytes("fresh/2/in/A.bin")), Numbers(Bytes("fresh/2/in/B.bin")), 32);
  EXPECT_THAT(Numbers(Bytes("fresh/2/out/C.bin")),
              ::testing::Pointwise(::testing::DoubleNear(1e-12), expected));
}

TEST_F(KernelReferenceTest, WithoutRandomFillsThereAreNoFreshInputs) {
  for (v1::KernelArgument& argument : *setup_.mutable_kernel()->mutable_arguments()) {
    if (argument.fill().has_random()) argument.mutable_fill()->set_generator("i % 7");
  }
  const auto data = Reference();
  ASSERT_TRUE(data.ok()) << data.status() << log_;
  EXPECT_EQ(data->fresh_sets, 0);
  EXPECT_THAT(log_, HasSubstr("no argument is filled with random numbers"));
}

TEST_F(KernelReferenceTest, AHostFunctionComputesTheOutputs) {
  v1::SourceFile& file = *setup_.mutable_program()->add_files();
  file.set_path("plain.c");
  file.set_content(
      "void twice(int n, const double *A, double *C) { for (int i = 0; i < n * n; i++) C[i] = 2 * A[i]; }");
  v1::HostFunction& host = *setup_.mutable_kernel()->mutable_reference()->mutable_host_function();
  host.set_file("plain.c");
  host.set_name("twice");
  for (const char* name : {"n", "A", "C"}) host.mutable_arguments()->add_names(name);
  const auto data = Reference();
  ASSERT_TRUE(data.ok()) << data.status() << log_;
  const Matrix a = Numbers(Bytes("in/A.bin")), c = Numbers(Bytes("out/C.bin"));
  ASSERT_EQ(a.size(), c.size());
  for (size_t i = 0; i < a.size(); ++i) ASSERT_EQ(c[i], 2 * a[i]);
}

TEST_F(KernelReferenceTest, WhatIsExpectedOfAnOutputCanBeGiven) {
  v1::OutputCheck& check = *setup_.mutable_kernel()->mutable_reference()->add_checks();
  check.set_argument("C");
  check.mutable_expected()->set_generator("i");
  const auto data = Reference();
  ASSERT_TRUE(data.ok()) << data.status() << log_;
  EXPECT_EQ(Numbers(Bytes("out/C.bin"))[5], 5);
  EXPECT_EQ(data->fresh_sets, 0);
  EXPECT_THAT(log_, HasSubstr("holds for the recorded inputs alone"));
}

TEST_F(KernelReferenceTest, SaysWhatDoesNotCompile) {
  setup_.mutable_program()->mutable_files(0)->set_content("void transpose(void) {}\n");
  EXPECT_THAT(Failure(), HasSubstr("the default configuration does not compile: "));
  EXPECT_THAT(log_, HasSubstr("matmul"));
}

TEST_F(KernelReferenceTest, SaysThatItCrashed) {
  setup_.mutable_program()->mutable_files(0)->set_content(
      "void transpose(int n, double *B, double *T) {}\nvoid matmul(int n, double *A, double *B, double *T, "
      "double *C) { C[n * n] = "
      "A[0]; }\n");
  EXPECT_THAT(Failure(), HasSubstr("the default configuration failed: "));
}

TEST_F(KernelReferenceTest, ArgumentsNeedNoMoreMemoryThanIsAllowed) {
  setup_.mutable_limits()->set_memory_bytes(20'000);
  EXPECT_THAT(Failure(), HasSubstr("up to argument T"));
}

TEST_F(KernelReferenceTest, ArgumentsOfGpusAreRefused) {
  setup_.mutable_kernel()->mutable_arguments(1)->set_memory(v1::ARGUMENT_TEXTURE);
  EXPECT_THAT(Failure(), HasSubstr("argument A: symbols, textures and shared memory are a GPU's"));
}

class DeviceReferenceTest : public KernelStudyTest {
 protected:
  void SetUp() override {
    KernelStudyTest::SetUp();
    setup_.mutable_kernel()->set_language(v1::KERNEL_LANGUAGE_CUDA);
    for (v1::KernelFunction& kernel : *setup_.mutable_kernel()->mutable_kernels()) kernel.add_block("TILE_I");
  }
  std::string FailureOn(const ReferenceDevice* device) {
    return std::string(RunKernelReference(setup_, {compiler_.get(), runner_.get(), nullptr}, device,
                                          folder_->path() + "/reference", &log_)
                           .status()
                           .message());
  }
};

TEST_F(DeviceReferenceTest, ArgumentsFitTheDevice) {
  ReferenceDevice device;
  device.device.set_model("small GPU");
  device.device.set_memory_bytes(40'000);
  EXPECT_THAT(FailureOn(&device),
              HasSubstr("twice, once to be restored from (up to argument T); small GPU has"));
}

TEST_F(DeviceReferenceTest, AWorkerWithoutAGpuSaysSo) {
  EXPECT_THAT(FailureOn(nullptr), HasSubstr("this worker has no GPU"));
}

TEST_F(DeviceReferenceTest, ADefaultThatTheDeviceDoesNotTake) {
  ReferenceDevice device;
  device.device.set_model("small GPU");
  device.device.mutable_cuda()->set_max_threads_per_block(8);
  EXPECT_EQ(FailureOn(&device),
            "the default configuration: kernel transpose: 16 threads a block; small GPU takes 8");
}

// A function on the host needs no device.
TEST_F(DeviceReferenceTest, AFunctionOnTheHost) {
  v1::HostFunction& function = *setup_.mutable_kernel()->mutable_reference()->mutable_host_function();
  function.set_name("matmul");
  function.set_file("plain.c");
  v1::SourceFile& file = *setup_.mutable_program()->add_files();
  file.set_path("plain.c");
  file.set_content("#include \"matmul.c\"\n");
  EXPECT_EQ(FailureOn(nullptr), "") << log_;
  EXPECT_GT(Bytes("out/C.bin").size(), 0u);
}

// Definitions that differ have references of their own.
TEST_F(KernelReferenceTest, IsKeptByItsDefinition) {
  const ReferenceCache cache(folder_->path() + "/references");
  ASSERT_TRUE(cache
                  .Run(setup_, {compiler_.get(), runner_.get(), nullptr}, &log_,
                       [](const v1::StudySetup& setup, const ReferenceTools& tools, const std::string& folder,
                          std::string* log) {
                         return RunKernelReference(setup, tools, /*device=*/nullptr, folder, log);
                       })
                  .ok());
  EXPECT_TRUE(cache.Load(setup_, *compiler_).ok());
  setup_.mutable_kernel()->mutable_problem(0)->set_size("16");
  EXPECT_FALSE(cache.Load(setup_, *compiler_).ok());
}

}  // namespace
}  // namespace tune
