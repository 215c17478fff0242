// Candidates by the real compilers of CUDA, where they are; nothing is run.
#include "worker/kernels/device_library.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/base/file.h"
#include "common/device/compute_capability.h"
#include "common/kernel_definition/configuration_reader.h"
#include "tests/worker/kernels/kernel_study.h"
#include "worker/kernels/trip_notes.h"

namespace tune {
namespace {

using ::testing::HasSubstr;

constexpr char kScaleSource[] = R"(#include "parts/scale.h"
namespace area {
template <int width, typename T>
__global__ void scale(T *x, int n) {
  const int i = blockIdx.x * width + threadIdx.x;
  if (i < n) x[i] = SCALE(x[i]);
}
}
__global__ void plain(float *x, int n) { if (threadIdx.x < n) x[threadIdx.x] *= 2; }
)";

// true: nvcc.
class DeviceLibraryTest : public ::testing::TestWithParam<bool> {
 protected:
  void SetUp() override {
    setenv("TUNE_LIBEXEC", TUNE_BINARY_DIR "/bin", 1);
    folder_.emplace(*TemporaryFolder::Make());
    host_ = *HostCompiler::Make(folder_->path() + "/host");
    auto cubin = GetParam() ? CubinCompiler::MakeNvcc(folder_->path() + "/cubins")
                            : CubinCompiler::MakeNvrtc("NVRTC 13.0", folder_->path() + "/cubins");
    if (!cubin.ok()) GTEST_SKIP() << cubin.status().message();
    cubin_ = *std::move(cubin);
    const absl::StatusOr<CompileResult> trial = cubin_->Compile("__global__ void f() {}\n", "sm_90", {});
    if (!trial.ok() || !trial->ok) GTEST_SKIP() << "no compiler of CUDA here";
    v1::KernelDefinition definition;
    definition.set_language(v1::KERNEL_LANGUAGE_CUDA);
    definition.set_file("scale.cu");
    definition.add_compiler_options("-use_fast_math");
    testing::AddIntegerParameter("width", {32, 64}, 32, &definition);
    testing::AddIntegerParameter("FACTOR", {2, 3}, 2, &definition);
    v1::KernelFunction& kernel = *definition.add_kernels();
    kernel.set_name("area::scale");
    kernel.add_template_arguments("width");
    kernel.add_template_arguments("'float'");
    kernel.add_block("width");
    kernel.add_grid("4");
    v1::KernelArgument& x = *definition.add_arguments();
    x.set_name("x");
    x.set_type(v1::NUMBER_FLOAT);
    x.set_count("100");
    v1::KernelArgument& n = *definition.add_arguments();
    n.set_name("n");
    n.set_type(v1::NUMBER_INT32);
    n.mutable_fill()->set_constant("100");
    setup_ = SetupOf(testing::KernelSpec(definition, kScaleSource));
    setup_.mutable_program()->clear_compile_flags();
    v1::SourceFile& header = *setup_.mutable_program()->add_files();
    header.set_path("parts/scale.h");
    header.set_content("#define SCALE(value) ((value) * FACTOR)\n");
  }
  void TearDown() override { unsetenv("TUNE_LIBEXEC"); }

  absl::StatusOr<DeviceBuild> Build() {
    const auto reader = ConfigurationReader::Make(setup_.kernel());
    EXPECT_TRUE(reader.ok()) << reader.status();
    const auto text = DeviceTextOfReference(setup_, *reader->Default());
    EXPECT_TRUE(text.ok()) << text.status();
    return BuildDeviceText(setup_, *text, "sm_90", {cubin_.get(), host_.get(), nullptr, nullptr}, {});
  }

  std::optional<TemporaryFolder> folder_;
  std::unique_ptr<HostCompiler> host_;
  std::unique_ptr<CubinCompiler> cubin_;
  v1::StudySetup setup_;
};

TEST_P(DeviceLibraryTest, AnInstanceOfATemplate) {
  for (int time = 0; time < 2; ++time) {
    const auto build = Build();
    ASSERT_TRUE(build.ok() && build->compiled.ok) << build.status() << build->compiled.log;
    EXPECT_EQ(build->compiled.cached, time == 1);
    EXPECT_EQ(build->candidate.kernels(0).function(), "_ZN4area5scaleILi32EfEEvPT0_i");
    EXPECT_THAT(*ReadFile(build->candidate.cubin()), HasSubstr("_ZN4area5scaleILi32EfEEvPT0_i"));
  }
  // Another header is another binary.
  setup_.mutable_program()->mutable_files(1)->set_content("#define SCALE(value) ((value) + FACTOR)\n");
  EXPECT_FALSE(Build()->compiled.cached);
}

TEST_P(DeviceLibraryTest, APlainKernelIsTheReference) {
  v1::PlainKernel& plain = *setup_.mutable_kernel()->mutable_reference()->mutable_plain_kernel();
  plain.mutable_kernel()->set_name("plain");
  plain.mutable_kernel()->add_block("128");
  plain.mutable_kernel()->add_grid("1");
  const auto build = Build();
  ASSERT_TRUE(build.ok() && build->compiled.ok) << build.status() << build->compiled.log;
  ASSERT_EQ(build->candidate.kernels_size(), 1);
  EXPECT_EQ(build->candidate.kernels(0).function(), "_Z5plainPfi");
}

TEST_P(DeviceLibraryTest, OtherArgumentsAreRefusedByTheCompiler) {
  setup_.mutable_kernel()->mutable_arguments(1)->set_type(v1::NUMBER_DOUBLE);
  const auto build = Build();
  ASSERT_TRUE(build.ok()) << build.status();
  EXPECT_FALSE(build->compiled.ok);
  EXPECT_THAT(build->compiled.message,
              HasSubstr("kernel area::scale takes something else as argument 2 than n, a number of 8 bytes"));
}

TEST_P(DeviceLibraryTest, FlagsThatAreNotTaken) {
  setup_.mutable_kernel()->add_compiler_options("-ccbin=other");
  EXPECT_THAT(std::string(Build().status().message()), HasSubstr("the flag `-ccbin=other` is refused"));
}

INSTANTIATE_TEST_SUITE_P(Compilers, DeviceLibraryTest, ::testing::Bool(),
                         [](const auto& info) { return info.param ? "Nvcc" : "Nvrtc"; });

// Loops whose bounds stand in memory: what their comments say is found in the PTX by its lines.
TEST_P(DeviceLibraryTest, TripsByLinesOfTheSource) {
  setup_.mutable_kernel()->mutable_kernels(0)->set_name("rows");
  setup_.mutable_program()->mutable_files(0)->set_content(R"(
template <int width, typename T>
__global__ void rows(T *x, int n) {
  const int *ends = (const int *)x;
#pragma unroll 1
  for (int i = ends[0]; i < ends[1]; i++) {  // tune: trips 2 * width
    float sum = 0;
    // tune: trips 5
#pragma unroll 1
    for (int j = ends[i]; j < ends[i + 1]; j++)
      sum += x[j] * n;
    x[i] = sum;
  }
}
)");
  const auto reader = ConfigurationReader::Make(setup_.kernel());
  ASSERT_TRUE(reader.ok()) << reader.status();
  const DeviceText text = PrintDeviceText(setup_.kernel(), "scale.cu", *reader->Default()).value();
  const CudaTools tools = {cubin_.get(), host_.get(), nullptr, nullptr};
  const auto build = BuildDeviceText(setup_, text, "sm_90", tools, {});
  ASSERT_TRUE(build.ok() && build->compiled.ok) << build.status() << build->compiled.message;
  setup_.mutable_device()->mutable_cuda()->set_compute_capability_major(9);
  const auto ptx = CompileDeviceTextToPtx(setup_, text, tools, {});
  ASSERT_TRUE(ptx.ok() && ptx->ok) << ptx.status();
  CompiledKernels kernels;
  kernels.ptx = ReadFile(ptx->binary).value();
  kernels.cubin = ReadFile(build->compiled.binary).value();
  KernelLaunches& launches = kernels.launches.emplace_back();
  launches.kernel = build->candidate.kernels(0).function();
  launches.launch.block[0] = 32;
  NamedValues names;
  names["width"] = Value::Integer(32);
  kernels.trips = TripsOfSources(setup_.program(), names).value();
  ASSERT_EQ(kernels.trips.size(), 2u);
  const auto analyses = AnalyseKernels(kernels, FactsOfComputeCapability(9, 0));
  ASSERT_TRUE(analyses.ok()) << analyses.status();
  const std::vector<LoopTrips>& loops = analyses->at(0).loops;
  ASSERT_EQ(loops.size(), 2u) << kernels.ptx;
  EXPECT_EQ(loops[0].trips, 64) << kernels.ptx;
  EXPECT_EQ(loops[1].trips, 5) << kernels.ptx;
  EXPECT_EQ(loops[0].source, TripSource::kAnnotated);
  EXPECT_TRUE(analyses->at(0).IsSure());
}

}  // namespace
}  // namespace tune
