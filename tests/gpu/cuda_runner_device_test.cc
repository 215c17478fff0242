// tune-cuda-runner on a device: candidates of every bad kind, each between two good ones. With
// tests/gpu/simulated_driver in LD_LIBRARY_PATH the device is simulated and kernels are host code.
// TUNE_LIBEXEC names the folder of tune-cuda-runner; default: this build's.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <optional>
#include <random>

#include "absl/strings/match.h"
#include "absl/strings/str_replace.h"
#include "common/base/file.h"
#include "common/base/message_process.h"
#include "common/base/subprocess.h"
#include "common/evaluation/architecture.h"
#include "common/evaluation/measurement.h"
#include "tune/v1/runner.pb.h"
#include "worker/print/launch_sequence.h"
#include "worker/sandbox/device_access.h"
#include "worker/sandbox/sandbox.h"

namespace tune {
namespace {

using ::testing::HasSubstr;

constexpr char kDevicePrelude[] = R"(
#define tune_fault() (*(volatile int *)8 = 1)
#define tune_endless() while (((volatile double *)B)[0] != 1.5e300) {}
#define SIMULATED(name)
static __device__ double tune_fetch(cudaTextureObject_t texture, int element) {
  const int2 words = tex1Dfetch<int2>(texture, element);
  return __hiloint2double(words.y, words.x);
}
static __device__ double tune_fetch_plane(cudaTextureObject_t texture, int element) {
  const uint2 words = tex2D<uint2>(texture, element % 400 + 0.5f, element / 400 + 0.5f);
  return __hiloint2double(words.y, words.x);
}
#define SIMULATED_VARIABLE(name)
)";

constexpr char kSimulatedPrelude[] = R"(
#include <cstddef>
#include <utility>
static struct { unsigned x, y, z; } blockIdx, threadIdx, blockDim;
static int result, hungry;
#define __global__
#define __device__
#define tune_fault() (result = 700)
#define tune_endless() (result = -1)
#define tune_break_device() (result = 214)
#define tune_hungry() (hungry = -2)
template <typename... A, size_t... I>
void call(void (*kernel)(A...), void **arguments, std::index_sequence<I...>) {
  kernel(*(A *)arguments[I]...);
}
template <typename... A>
int simulate(void (*kernel)(A...), const unsigned *grid, const unsigned *block, void **arguments) {
  result = hungry = 0;
  blockDim.x = block[0];
  for (blockIdx.x = 0; blockIdx.x < grid[0]; ++blockIdx.x)
    for (threadIdx.x = 0; threadIdx.x < block[0] && result == 0; ++threadIdx.x)
      call(kernel, arguments, std::index_sequence_for<A...>());
  return result != 0 ? result : hungry;
}
template <typename... A>
struct Sizes {
  Sizes(void (*)(A...)) : of{sizeof(A)..., 0} {}
  size_t of[sizeof...(A) + 1];
};
typedef unsigned long long cudaTextureObject_t;
static double tune_fetch(cudaTextureObject_t texture, int element) { return ((const double *)texture)[element]; }
static double tune_fetch_plane(cudaTextureObject_t texture, int element) { return tune_fetch(texture, element); }
#define SIMULATED_VARIABLE(name) extern "C" const size_t simulated_##name##_bytes = sizeof(name);
#define SIMULATED(name)                                                                            \
  extern "C" int simulated_##name(const unsigned *grid, const unsigned *block, void **arguments) { \
    return simulate(name, grid, block, arguments);                                                 \
  }                                                                                                \
  extern "C" Sizes simulated_##name##_sizes(name);
)";

// The region is B = alpha A + B; `own` is memory of the candidate's.
constexpr char kKernel[] = R"(
extern "C" __global__ void scale(double alpha, const double *A, double *B, double *own, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  BODY
}
SIMULATED(scale)
)";

constexpr char kPlanBody[] = R"(
  int n = COUNT;
  for (int repeat = 0; repeat < LAUNCHES; ++repeat) {
    void *arguments[] = {(void *)host[0], (void *)&memory[1], (void *)&memory[2], (void *)&memory[3], &n};
    const struct tune_launch one = {0, {(n + BLOCK - 1) / BLOCK, 1, 1}, {BLOCK, 1, 1}, arguments};
    launch(context, &one);
  }
}
)";

constexpr char kGood[] = "B[i] = alpha * A[i] + B[i];";

std::string Bytes(const std::vector<double>& values) {
  return std::string(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(double));
}

// The runner process in a sandbox that has the files below `folder`, started again after a lost device, as
// the worker does.
class Driver {
 public:
  Driver(std::string program, std::string folder) : program_(std::move(program)) {
    EXPECT_TRUE(MakeFolder(folder + "/recorded").ok());
    plan_.writable.push_back(folder + "/recorded");
    plan_.readable.push_back(std::move(folder));
    AllowDevices(&plan_);
  }

  v1::CudaResult Run(const v1::CudaJob& job) {
    if (process_ == nullptr) {
      const auto command = MakeSandboxed({program_, "--serve", "0"}, plan_, {});
      EXPECT_TRUE(command.ok()) << command.status();
      auto started = MessageProcess::Start(command->argv, command->options);
      EXPECT_TRUE(started.ok()) << started.status();
      process_ = *std::move(started);
      ++starts_;
    }
    const MessageAnswer answer = process_->Exchange(job.SerializeAsString(), absl::Seconds(60));
    v1::CudaResult result;
    EXPECT_EQ(answer.end, MessageAnswer::kAnswered) << answer.reason << "\n" << answer.log;
    EXPECT_TRUE(result.ParseFromString(answer.message));
    for (const std::string& note : result.notes()) std::printf("note: %s\n", note.c_str());
    if (result.device_lost() || answer.end != MessageAnswer::kAnswered) process_.reset();
    return result;
  }
  int starts() const { return starts_; }

 private:
  const std::string program_;
  SandboxSettings plan_;
  std::unique_ptr<MessageProcess> process_;
  int starts_ = 0;
};

struct CandidateOptions {
  std::string body = kGood;
  int block = 256;
  int launches = 1;
  bool graph = false;
  int64_t own_bytes = 0;  // 0: as many as B has
  int64_t shared_bytes = 0;
  bool texture = false;   // of A
  bool plane = false;     // a texture of two dimensions
  bool variable = false;  // `kept`, of as many elements
};

class CudaRunnerDeviceTest : public ::testing::Test {
 protected:
  static std::string Program() {
    const char* folder = std::getenv("TUNE_LIBEXEC");
    return absl::StrCat(folder != nullptr ? folder : TUNE_BINARY_DIR "/bin", "/tune-cuda-runner");
  }

  void SetUp() override {
    const auto listed = RunSubprocess({Program(), "--devices"});
    ASSERT_TRUE(listed.ok() && listed->ok());
    v1::CudaDevices devices;
    ASSERT_TRUE(devices.ParseFromString(listed->standard_output));
    if (devices.devices().empty()) GTEST_SKIP() << devices.trouble();
    device_ = devices.devices(0);
    simulated_ = device_.model() == "Simulated device";
    count_ = simulated_ ? 4000 : 4'000'000;
    folder_.emplace(*TemporaryFolder::Make());
    driver_ = std::make_unique<Driver>(Program(), folder_->path());
    WriteArrays();
    good_ = Candidate({});
  }

  std::string Path(const std::string& name) const { return folder_->path() + "/" + name; }

  void WriteArrays() {
    WriteArrays("", 1.5);
    WriteArrays("fresh.", 1.51);
  }

  void WriteArrays(const std::string& prefix, double alpha) {
    std::mt19937 random(static_cast<unsigned>(100 * alpha));
    std::uniform_real_distribution<double> values(-1, 1);
    std::vector<double> a(count_), b(count_), out(count_);
    for (int i = 0; i < count_; ++i) {
      a[i] = values(random);
      b[i] = values(random);
      out[i] = alpha * a[i] + b[i];
    }
    ASSERT_TRUE(WriteFile(Path(prefix + "alpha"), Bytes({alpha})).ok());
    ASSERT_TRUE(WriteFile(Path(prefix + "A"), Bytes(a)).ok());
    ASSERT_TRUE(WriteFile(Path(prefix + "B"), Bytes(b)).ok());
    ASSERT_TRUE(WriteFile(Path(prefix + "B.out"), Bytes(out)).ok());
  }

  void Compile(const std::vector<std::string>& command) {
    const auto result = RunSubprocess(command);
    ASSERT_TRUE(result.ok()) << result.status();
    ASSERT_TRUE(result->ok()) << result->standard_error;
  }

  v1::CudaCandidate Candidate(const CandidateOptions& options) {
    const std::string name = Path(absl::StrCat("c", ++compiled_));
    std::string kernel = absl::StrReplaceAll(kKernel, {{"BODY", options.body}});
    if (options.variable) {
      kernel = absl::StrCat("__device__ double kept[", count_, "];\nSIMULATED_VARIABLE(kept)\n", kernel);
    }
    if (options.texture)
      kernel = absl::StrReplaceAll(kernel, {{"const double *A", "const cudaTextureObject_t A"}});
    EXPECT_TRUE(WriteFile(name + ".cu", (simulated_ ? kSimulatedPrelude : kDevicePrelude) + kernel).ok());
    if (simulated_) {
      Compile({"c++", "-x", "c++", "-std=c++17", "-O1", "-w", "-shared", "-fPIC", name + ".cu", "-o",
               name + ".kernels"});
      EXPECT_TRUE(WriteFile(name + ".cubin", name + ".kernels").ok());
    } else {
      Compile({Program(), "--compile", name + ".cu", "--arch", ArchitectureOf(device_), "--output",
               name + ".cubin"});
    }
    const std::string plan =
        absl::StrReplaceAll(absl::StrCat(kLaunchSequenceDeclarations, kLaunchSequenceHead, kPlanBody),
                            {{"COUNT", absl::StrCat(count_)},
                             {"LAUNCHES", absl::StrCat(options.launches)},
                             {"BLOCK", absl::StrCat(options.block)},
                             {"&memory[1]", options.texture ? "&memory[5]" : "&memory[1]"}});
    EXPECT_TRUE(WriteFile(name + ".c", plan).ok());
    Compile({"cc", "-O1", "-shared", "-fPIC", name + ".c", "-o", name + ".so"});
    v1::CudaCandidate candidate;
    candidate.set_cubin(name + ".cubin");
    candidate.set_launch_sequence(name + ".so");
    candidate.set_graph(options.graph);
    candidate.add_kernels()->set_function("scale");
    candidate.mutable_kernels(0)->set_dynamic_shared_bytes(options.shared_bytes);
    const int64_t bytes = count_ * static_cast<int64_t>(sizeof(double));
    const auto add = [&](const char* array, int64_t size) {
      candidate.add_arrays()->set_name(array);
      candidate.mutable_arrays(candidate.arrays_size() - 1)->set_bytes(size);
    };
    add("alpha", 0);
    add("A", bytes);
    add("B", bytes);
    add("own", options.own_bytes > 0 ? options.own_bytes : bytes);
    if (options.texture) {
      v1::CudaTexture* texture = candidate.add_textures();
      texture->set_array(1);
      texture->set_element_type(v1::ELEMENT_TYPE_DOUBLE);
      if (!options.plane) return candidate;
      v1::TextureForm* form = texture->mutable_form();
      form->set_type(v1::NUMBER_UINT32);
      form->set_lanes(2);
      form->add_extents(400);
      form->add_extents(count_ / 400);
      form->set_address(v1::TEXTURE_BORDER);
    }
    return candidate;
  }

  v1::CudaJob Job(const std::vector<v1::CudaCandidate>& candidates) {
    v1::CudaJob job;
    job.set_arrays_key("inputs");
    for (const char* name : {"alpha", "A", "B"}) {
      v1::RunnerArray* array = job.add_arrays();
      array->set_name(name);
      array->set_element_type(v1::ELEMENT_TYPE_DOUBLE);
      array->set_input_file(Path(name));
      array->set_read_only(true);
      array->add_fresh()->set_input_file(Path(absl::StrCat("fresh.", name)));
    }
    job.mutable_arrays(1)->add_extents(count_);
    job.mutable_arrays(2)->add_extents(count_);
    job.mutable_arrays(2)->set_read_only(false);
    job.mutable_arrays(2)->set_expected_file(Path("B.out"));
    job.mutable_arrays(2)->mutable_fresh(0)->set_expected_file(Path("fresh.B.out"));
    for (const v1::CudaCandidate& candidate : candidates) *job.add_candidates() = candidate;
    job.set_float_relative(1e-3);
    job.set_double_relative(1e-8);
    job.set_run_seconds(2);
    job.mutable_sampling()->set_max_samples(20);
    return job;
  }

  // A job of another study, with so many bytes in a further array.
  v1::CudaJob JobWithRoom(const std::string& study, int64_t bytes, const v1::CudaCandidate& candidate) {
    v1::CudaJob job = Job({candidate});
    job.set_arrays_key(study);
    v1::RunnerArray* array = job.add_arrays();
    array->set_name("room");
    array->set_element_type(v1::ELEMENT_TYPE_CHAR);
    array->add_extents(bytes);
    array->set_input_file(Path("room"));
    array->set_read_only(true);
    EXPECT_TRUE(WriteFile(Path("room"), "").ok());
    std::filesystem::resize_file(Path("room"), bytes);
    return job;
  }

  v1::RunnerVerdict One(const v1::CudaResult& result) {
    EXPECT_EQ(result.failure(), "");
    EXPECT_EQ(result.verdicts_size(), 1);
    return result.verdicts_size() == 1 ? result.verdicts(0) : v1::RunnerVerdict();
  }

  double GoodMedian() {
    const v1::RunnerVerdict verdict = One(driver_->Run(Job({good_})));
    EXPECT_EQ(verdict.outcome(), v1::CORRECT) << verdict.message();
    EXPECT_GE(verdict.samples_size(), 6);
    return Median({verdict.samples().begin(), verdict.samples().end()});
  }

  // Runs the candidate between two runs of the good one, which must stay as good and as fast.
  v1::RunnerVerdict Between(const v1::CudaCandidate& candidate, bool device_lost) {
    const double before = GoodMedian();
    const int starts = driver_->starts();
    const v1::CudaResult result = driver_->Run(Job({candidate}));
    EXPECT_EQ(result.device_lost(), device_lost);
    const double after = GoodMedian();
    EXPECT_EQ(driver_->starts(), starts + (device_lost ? 1 : 0));
    EXPECT_NEAR(after, before, 0.1 * before);
    return One(result);
  }
  v1::RunnerVerdict Between(const std::string& body, bool device_lost) {
    CandidateOptions options;
    options.body = body;
    return Between(Candidate(options), device_lost);
  }

  v1::Device device_;
  bool simulated_ = false;
  int count_ = 0;
  std::optional<TemporaryFolder> folder_;
  std::unique_ptr<Driver> driver_;
  v1::CudaCandidate good_;
  int compiled_ = 0;
};

// A local of the region may stand anywhere among the job's arrays, and a candidate may lack it.
// The simulated device's kernels use 300 W; a real one's less than a kilowatt and more than one watt.
TEST_F(CudaRunnerDeviceTest, EnergyOfARun) {
  CandidateOptions options;
  options.launches = 8;
  for (const bool graph : {false, true}) {
    options.graph = graph;
    v1::CudaJob job = Job({Candidate(options)});
    // Eight launches add alpha A to B eight times.
    job.mutable_arrays(2)->clear_expected_file();
    job.mutable_arrays(2)->clear_fresh();
    job.mutable_arrays(0)->clear_fresh();
    job.mutable_arrays(1)->clear_fresh();
    const v1::RunnerVerdict without = One(driver_->Run(job));
    EXPECT_EQ(without.joules(), 0);
    job.set_energy(true);
    const v1::CudaResult result = driver_->Run(job);
    const v1::RunnerVerdict verdict = One(result);
    ASSERT_EQ(verdict.outcome(), v1::CORRECT) << verdict.message();
    for (const std::string& note : result.notes())
      if (absl::StrContains(note, "energy")) GTEST_SKIP() << note;
    const double seconds = Median({verdict.samples().begin(), verdict.samples().end()});
    const double watts = verdict.joules() / seconds;
    std::printf("%g J in %g s: %g W\n", verdict.joules(), seconds, watts);
    if (simulated_) {
      EXPECT_NEAR(watts, 300, 15);
    } else {
      EXPECT_GT(watts, 1);
      EXPECT_LT(watts, 1000);
    }
  }
}

TEST_F(CudaRunnerDeviceTest, ArraysAreMatchedByName) {
  for (int place = 0; place <= 3; ++place) {
    v1::CudaJob job = Job({good_});
    job.add_arrays()->set_name("local");
    for (int i = 3; i > place; --i) job.mutable_arrays()->SwapElements(i, i - 1);
    job.set_arrays_key(absl::StrCat("local at ", place));
    EXPECT_EQ(One(driver_->Run(job)).outcome(), v1::CORRECT) << place;
  }
}

TEST_F(CudaRunnerDeviceTest, TexturesHoldTheArraysThatTheCandidateNames) {
  CandidateOptions options;
  options.texture = true;
  options.body = "B[i] = alpha * tune_fetch(A, i) + B[i];";
  v1::CudaCandidate candidate = Candidate(options);
  const v1::RunnerVerdict verdict = Between(candidate, false);
  EXPECT_EQ(verdict.outcome(), v1::CORRECT) << verdict.message();
  candidate.mutable_textures(0)->set_array(7);
  EXPECT_THAT(driver_->Run(Job({candidate})).failure(), HasSubstr("texture of array 7, which has no memory"));
}

TEST_F(CudaRunnerDeviceTest, TexturesOfSeveralDimensionsHaveMemoryOfTheirOwn) {
  CandidateOptions options;
  options.texture = options.plane = true;
  options.body = "B[i] = alpha * tune_fetch_plane(A, i) + B[i];";
  const v1::RunnerVerdict verdict = Between(Candidate(options), false);
  EXPECT_EQ(verdict.outcome(), v1::CORRECT) << verdict.message();
}

// Also on inputs that it has not seen, for every sample.
TEST_F(CudaRunnerDeviceTest, VariablesOfTheModuleHoldWhatArraysDo) {
  CandidateOptions options;
  options.variable = true;
  options.body = "B[i] = alpha * kept[i] + B[i]; kept[i] = 0;";
  v1::CudaCandidate candidate = Candidate(options);
  candidate.mutable_arrays(1)->set_symbol("kept");
  v1::RunnerVerdict verdict = Between(candidate, false);
  EXPECT_EQ(verdict.outcome(), v1::CORRECT) << verdict.message();
  options.body = "kept[i] = alpha * A[i] + kept[i];";
  candidate = Candidate(options);
  candidate.mutable_arrays(2)->set_symbol("kept");
  candidate.mutable_arrays(2)->set_symbol_is_output(true);
  verdict = Between(candidate, false);
  EXPECT_EQ(verdict.outcome(), v1::CORRECT) << verdict.message();
  candidate.mutable_arrays(2)->set_bytes(candidate.arrays(2).bytes() - 8);
  verdict = Between(candidate, false);
  EXPECT_EQ(verdict.outcome(), v1::RUNTIME);
  EXPECT_THAT(verdict.message(), HasSubstr("the variable kept has"));
  candidate.mutable_arrays(2)->set_symbol("other");
  verdict = Between(candidate, false);
  EXPECT_EQ(verdict.outcome(), v1::RUNTIME);
  EXPECT_THAT(verdict.message(), HasSubstr("no __constant__ or __device__ variable other"));
}

TEST_F(CudaRunnerDeviceTest, OutputsAreRecorded) {
  v1::CudaJob job = Job({good_});
  job.set_arrays_key("");
  job.set_record_folder(Path("recorded"));
  job.mutable_arrays(2)->clear_expected_file();
  const v1::RunnerVerdict measured = One(driver_->Run(job));
  ASSERT_EQ(measured.outcome(), v1::CORRECT) << measured.message();
  EXPECT_GE(measured.samples_size(), 6);
  std::vector<double> recorded(count_), expected(count_);
  const std::string bytes = *ReadFile(Path("recorded/B.bin")), wanted = *ReadFile(Path("B.out"));
  ASSERT_EQ(bytes.size(), wanted.size());
  std::memcpy(recorded.data(), bytes.data(), bytes.size());
  std::memcpy(expected.data(), wanted.data(), wanted.size());
  for (int i = 0; i < count_; ++i) ASSERT_NEAR(recorded[i], expected[i], 1e-12) << i;
  EXPECT_FALSE(std::filesystem::exists(Path("recorded/A.bin")));
  job.set_only_record(true);
  EXPECT_EQ(One(driver_->Run(job)).samples_size(), 0);
}

TEST_F(CudaRunnerDeviceTest, OutputsAreComparedByTheirMethod) {
  CandidateOptions options;
  options.body = "B[i] = alpha * A[i] + B[i] + (i == 5) * 0.25;";
  v1::CudaJob job = Job({Candidate(options)});
  v1::RunnerArray& array = *job.mutable_arrays(2);
  for (const v1::CheckMethod method : {v1::CHECK_SUM_OF_DIFFERENCES, v1::CHECK_EACH_DIFFERENCE}) {
    job.set_arrays_key(absl::StrCat("method ", method));
    array.set_method(method);
    array.set_threshold(0.2);
    const v1::RunnerVerdict wrong = One(driver_->Run(job));
    EXPECT_EQ(wrong.outcome(), v1::CORRECTNESS);
    EXPECT_THAT(wrong.message(), HasSubstr("B[5] is "));
    EXPECT_NEAR(wrong.errors(0).measured(), 0.25, 1e-6);
    job.set_arrays_key(absl::StrCat("method ", method, " with room"));
    array.set_threshold(0.3);
    const v1::RunnerVerdict right = One(driver_->Run(job));
    EXPECT_EQ(right.outcome(), v1::CORRECT) << right.message();
    EXPECT_NEAR(right.errors(0).measured(), 0.25, 1e-6);
  }
}

TEST_F(CudaRunnerDeviceTest, KernelsPreferAShareOfSharedMemory) {
  v1::CudaCandidate candidate = good_;
  candidate.mutable_kernels(0)->set_shared_carveout(50);
  EXPECT_EQ(Between(candidate, false).outcome(), v1::CORRECT);
  candidate.mutable_kernels(0)->set_shared_carveout(1000);
  const v1::RunnerVerdict refused = Between(candidate, false);
  EXPECT_EQ(refused.outcome(), v1::RUNTIME);
  EXPECT_THAT(refused.message(), HasSubstr("share of shared memory 1000%"));
}

TEST_F(CudaRunnerDeviceTest, GoodCandidateHasSamplesAndFacts) {
  CandidateOptions options;
  options.launches = 1;
  v1::CudaJob job = Job({good_});
  job.set_kernel_times(true);
  const v1::RunnerVerdict verdict = One(driver_->Run(job));
  ASSERT_EQ(verdict.outcome(), v1::CORRECT) << verdict.message();
  EXPECT_GE(verdict.samples_size(), 6);
  EXPECT_GT(verdict.first_seconds(), 0);
  ASSERT_EQ(verdict.errors_size(), 1);
  EXPECT_EQ(verdict.errors(0).array(), "B");
  EXPECT_LT(verdict.errors(0).relative_l2(), 1e-14);
  ASSERT_EQ(verdict.kernels_size(), 1);
  const v1::KernelEvaluation& kernel = verdict.kernels(0);
  EXPECT_EQ(kernel.function(), "scale");
  EXPECT_EQ(kernel.launches(), 1);
  EXPECT_EQ(kernel.threads_per_block(), 256);
  EXPECT_GT(kernel.registers(), 0);
  EXPECT_GT(kernel.blocks_per_multiprocessor(), 0);
  const double median = Median({verdict.samples().begin(), verdict.samples().end()});
  EXPECT_GT(kernel.seconds(), 0.3 * median);
  EXPECT_LT(kernel.seconds(), 1.3 * median);
}

TEST_F(CudaRunnerDeviceTest, TimesOfManyLaunchesAreSums) {
  CandidateOptions options;
  options.body = "if (n > 0) own[i] = A[i]; B[i] = own[i] * alpha + (i < n ? B[i] : 0);";
  options.launches = 600;
  v1::CudaJob job = Job({Candidate(options)});
  job.set_double_relative(1e9);  // the sum of 600 launches is another result
  job.set_kernel_times(true);
  const v1::RunnerVerdict verdict = One(driver_->Run(job));
  ASSERT_EQ(verdict.outcome(), v1::CORRECT) << verdict.message();
  ASSERT_EQ(verdict.kernels_size(), 1);
  EXPECT_EQ(verdict.kernels(0).launches(), 600);
  const double median = Median({verdict.samples().begin(), verdict.samples().end()});
  EXPECT_NEAR(verdict.kernels(0).seconds(), median, 0.5 * median);
}

TEST_F(CudaRunnerDeviceTest, AGraphTakesLessThanItsLaunches) {
  CandidateOptions options;
  options.body = "if (i < 256) B[i] = alpha * A[i] + B[i];";
  options.launches = 1000;
  v1::CudaJob job = Job({Candidate(options)});
  job.set_double_relative(1e9);  // the sum of the launches is another result
  job.set_kernel_times(true);
  const v1::RunnerVerdict separate = One(driver_->Run(job));
  ASSERT_EQ(separate.outcome(), v1::CORRECT) << separate.message();
  job.mutable_candidates(0)->set_graph(true);
  const v1::RunnerVerdict graph = One(driver_->Run(job));
  ASSERT_EQ(graph.outcome(), v1::CORRECT) << graph.message();
  EXPECT_EQ(graph.kernels(0).launches(), 1000);
  EXPECT_GT(graph.kernels(0).seconds(), 0);
  const auto median = [](const v1::RunnerVerdict& verdict) {
    return Median({verdict.samples().begin(), verdict.samples().end()});
  };
  std::printf("1000 launches: %.1f us, as a graph %.1f us\n", 1e6 * median(separate), 1e6 * median(graph));
  EXPECT_LT(median(graph), median(separate));
}

TEST_F(CudaRunnerDeviceTest, WhatAGraphComputesIsChecked) {
  CandidateOptions options;
  options.graph = true;
  EXPECT_EQ(Between(Candidate(options), false).outcome(), v1::CORRECT);
  options.body = "B[i] = alpha * A[i] + B[i] + (i == 5);";
  EXPECT_EQ(Between(Candidate(options), false).outcome(), v1::CORRECTNESS);
}

TEST_F(CudaRunnerDeviceTest, WrongResult) {
  const v1::RunnerVerdict verdict = Between("B[i] = alpha * A[i] + B[i] + (i == 5);", false);
  EXPECT_EQ(verdict.outcome(), v1::CORRECTNESS);
  EXPECT_THAT(verdict.message(), HasSubstr("B[5] is "));
  EXPECT_EQ(verdict.samples_size(), 0);
}

TEST_F(CudaRunnerDeviceTest, MemoryOfItsOwnIsPoisoned) {
  const v1::RunnerVerdict verdict = Between("B[i] = own[i] == own[i] ? alpha * A[i] + B[i] : 7;", false);
  EXPECT_EQ(verdict.outcome(), v1::CORRECTNESS);
  EXPECT_THAT(verdict.message(), HasSubstr("B[0] is 7"));
}

// Memory of its own is no number before its first run, and keeps what it found then.
constexpr char kRemembers[] = "if (own[i] != own[i]) own[i] = alpha * A[i] + B[i]; B[i] = own[i];";

TEST_F(CudaRunnerDeviceTest, OutputsThatAreRememberedDoNotPass) {
  const v1::RunnerVerdict verdict = Between(kRemembers, false);
  EXPECT_EQ(verdict.outcome(), v1::CORRECTNESS);
  EXPECT_THAT(verdict.message(), HasSubstr("on inputs that it had not seen: B["));
}

TEST_F(CudaRunnerDeviceTest, OutputsThatAreRememberedDoNotPassInTurns) {
  CandidateOptions options;
  options.body = kRemembers;
  const v1::CudaResult result = driver_->Run(Job({good_, Candidate(options)}));
  ASSERT_EQ(result.verdicts_size(), 2) << result.failure();
  EXPECT_EQ(result.verdicts(0).outcome(), v1::CORRECT) << result.verdicts(0).message();
  EXPECT_EQ(result.verdicts(1).outcome(), v1::CORRECTNESS);
}

TEST_F(CudaRunnerDeviceTest, IllegalAddress) {
  const v1::RunnerVerdict verdict = Between("if (i == 0) tune_fault();", true);
  EXPECT_EQ(verdict.outcome(), v1::RUNTIME);
  EXPECT_THAT(verdict.message(), HasSubstr("CUDA_ERROR_ILLEGAL_ADDRESS"));
  EXPECT_THAT(verdict.message(), HasSubstr("compute-sanitizer"));
}

TEST_F(CudaRunnerDeviceTest, EndlessLoop) {
  const v1::RunnerVerdict verdict = Between("if (i == 0) tune_endless();", true);
  EXPECT_EQ(verdict.outcome(), v1::TIMEOUT);
  EXPECT_THAT(verdict.message(), HasSubstr("the region ran longer than 2 s"));
}

TEST_F(CudaRunnerDeviceTest, EndlessLoopBeforeMoreLaunchesThanTheQueueHolds) {
  CandidateOptions options;
  options.body = "if (i == 0) tune_endless();";
  options.launches = 5000;
  EXPECT_EQ(Between(Candidate(options), true).outcome(), v1::TIMEOUT);
}

TEST_F(CudaRunnerDeviceTest, WriteBehindTheEnd) {
  const v1::RunnerVerdict verdict = Between(absl::StrCat(kGood, "if (i == 0) B[n] = 1;"), false);
  EXPECT_EQ(verdict.outcome(), v1::RUNTIME);
  EXPECT_EQ(verdict.message(), "wrote behind the end of array B");
}

TEST_F(CudaRunnerDeviceTest, WriteToAnInput) {
  const v1::RunnerVerdict verdict = Between(absl::StrCat(kGood, "if (i == 3) ((double *)A)[i] = 9;"), false);
  EXPECT_EQ(verdict.outcome(), v1::RUNTIME);
  EXPECT_EQ(verdict.message(), "wrote to array A, which the region only reads");
}

TEST_F(CudaRunnerDeviceTest, TooManyThreads) {
  CandidateOptions options;
  options.block = 2048;
  const v1::RunnerVerdict verdict = Between(Candidate(options), false);
  EXPECT_EQ(verdict.outcome(), v1::RUNTIME);
  EXPECT_THAT(verdict.message(), HasSubstr("launch of scale refused: CUDA_ERROR_INVALID_VALUE"));
}

TEST_F(CudaRunnerDeviceTest, TooMuchSharedMemory) {
  CandidateOptions options;
  options.shared_bytes = 1 << 20;
  const v1::RunnerVerdict verdict = Between(Candidate(options), false);
  EXPECT_EQ(verdict.outcome(), v1::RUNTIME);
  EXPECT_THAT(verdict.message(), HasSubstr("1048576 bytes of dynamic shared memory"));
}

TEST_F(CudaRunnerDeviceTest, ExhaustedMemory) {
  CandidateOptions options;
  options.own_bytes = device_.memory_bytes();
  const v1::RunnerVerdict verdict = Between(Candidate(options), false);
  EXPECT_EQ(verdict.outcome(), v1::OOM);
  EXPECT_THAT(verdict.message(), HasSubstr("bytes of device memory are needed"));
}

TEST_F(CudaRunnerDeviceTest, NotLoadable) {
  v1::CudaCandidate candidate = good_;
  candidate.set_cubin(candidate.launch_sequence());
  v1::RunnerVerdict verdict = Between(candidate, false);
  EXPECT_EQ(verdict.outcome(), v1::RUNTIME);
  EXPECT_THAT(verdict.message(), HasSubstr("cannot load the candidate: cuModuleLoadData"));
  candidate = good_;
  candidate.mutable_kernels(0)->set_function("other");
  EXPECT_THAT(Between(candidate, false).message(), HasSubstr("kernel other: CUDA_ERROR_NOT_FOUND"));
  candidate = good_;
  candidate.set_launch_sequence(Path("none.so"));
  EXPECT_THAT(Between(candidate, false).message(), HasSubstr("launch sequence: "));
}

TEST_F(CudaRunnerDeviceTest, HopelessCandidateIsCutShort) {
  v1::CudaJob job = Job({good_});
  job.mutable_sampling()->set_best_seconds(1e-9);
  const v1::RunnerVerdict verdict = One(driver_->Run(job));
  EXPECT_EQ(verdict.outcome(), v1::TIMEOUT);
  EXPECT_THAT(verdict.message(), HasSubstr("hopeless"));
  EXPECT_EQ(verdict.samples_size(), 1);
}

// A part of its blocks tells how long it would run.
TEST_F(CudaRunnerDeviceTest, AHopelessCandidateDoesNotRunInFull) {
  if (simulated_) GTEST_SKIP() << "to its clock all blocks are alike";
  CandidateOptions options;
  options.block = 32;
  options.body = "volatile double x = 0; for (int k = 0; k < 2000; ++k) x = x + k; B[i] = x;";
  options.launches = 10;
  const v1::CudaCandidate slow = Candidate(options);
  GoodMedian();  // no estimate while nothing is known of the best
  v1::CudaJob job = Job({slow});
  job.mutable_sampling()->set_best_seconds(1e-6);
  const v1::RunnerVerdict verdict = One(driver_->Run(job));
  EXPECT_EQ(verdict.outcome(), v1::TIMEOUT);
  EXPECT_THAT(verdict.message(), HasSubstr("hopeless: about "));
  EXPECT_THAT(verdict.message(), HasSubstr(absl::StrCat(" of ", 10 * count_ / options.block, " blocks")));
  EXPECT_EQ(verdict.samples_size(), 0);
  for (const v1::StageTime& stage : verdict.stages()) EXPECT_NE(stage.stage(), "first run");
  EXPECT_EQ(driver_->starts(), 1);
  // What it left is of no consequence.
  GoodMedian();
}

TEST_F(CudaRunnerDeviceTest, InputsStayOnTheDevice) {
  GoodMedian();
  for (const char* name : {"A", "B", "B.out"}) ASSERT_TRUE(std::filesystem::remove(Path(name)));
  GoodMedian();
  v1::CudaJob job = Job({good_});
  job.set_arrays_key("others");
  const v1::CudaResult result = driver_->Run(job);
  EXPECT_THAT(result.failure(), HasSubstr("array A: "));
  EXPECT_FALSE(result.device_lost());
  WriteArrays();
  GoodMedian();
  EXPECT_EQ(driver_->starts(), 1);
}

TEST_F(CudaRunnerDeviceTest, InputsOfStudiesThatTakeTurnsStayOnTheDevice) {
  v1::CudaJob job = Job({good_});
  const auto run = [&](int study) {
    job.set_arrays_key(absl::StrCat("study ", study));
    return driver_->Run(job);
  };
  constexpr int kStudies = 8;
  for (int study = 0; study < kStudies; ++study) EXPECT_EQ(One(run(study)).outcome(), v1::CORRECT);
  for (const char* name : {"A", "B", "B.out"}) ASSERT_TRUE(std::filesystem::remove(Path(name)));
  for (int study = 0; study < kStudies; ++study) {
    const v1::RunnerVerdict verdict = One(run(study));
    EXPECT_EQ(verdict.outcome(), v1::CORRECT) << study << ": " << verdict.message();
  }
  // One more than are kept: the first one goes. What cannot be read displaces nobody.
  EXPECT_THAT(run(kStudies).failure(), HasSubstr("array A: "));
  EXPECT_EQ(One(run(0)).outcome(), v1::CORRECT);
  WriteArrays();
  EXPECT_EQ(One(run(kStudies)).outcome(), v1::CORRECT);
  std::filesystem::remove(Path("A"));
  EXPECT_EQ(One(run(2)).outcome(), v1::CORRECT);
  EXPECT_THAT(run(1).failure(), HasSubstr("array A: "));
  EXPECT_EQ(driver_->starts(), 1);
}

TEST_F(CudaRunnerDeviceTest, IdleStudiesHaveHalfOfTheMemory) {
  if (!simulated_) GTEST_SKIP() << "would copy half of the device's memory";
  const int64_t bytes = int64_t{90} << 20;  // and as many for what candidates work on
  const auto run = [&](const char* study) { return driver_->Run(JobWithRoom(study, bytes, good_)); };
  for (const char* study : {"a", "b", "c"}) EXPECT_EQ(One(run(study)).outcome(), v1::CORRECT);
  GoodMedian();  // 540 MiB are idle
  std::filesystem::remove(Path("A"));
  EXPECT_EQ(One(run("b")).outcome(), v1::CORRECT);
  EXPECT_EQ(One(run("c")).outcome(), v1::CORRECT);
  EXPECT_THAT(run("a").failure(), HasSubstr("array A: "));
}

TEST_F(CudaRunnerDeviceTest, ACandidatesMemoryComesBeforeIdleStudies) {
  if (!simulated_) GTEST_SKIP() << "would fill the device's memory";
  const int64_t bytes = int64_t{100} << 20;
  EXPECT_EQ(One(driver_->Run(JobWithRoom("large", bytes, good_))).outcome(), v1::CORRECT);
  EXPECT_EQ(One(driver_->Run(JobWithRoom("small", 1 << 20, good_))).outcome(), v1::CORRECT);
  CandidateOptions options;
  options.own_bytes = int64_t{600} << 20;
  const v1::RunnerVerdict verdict = One(driver_->Run(Job({Candidate(options)})));
  EXPECT_EQ(verdict.outcome(), v1::CORRECT) << verdict.message();
  std::filesystem::remove(Path("A"));
  // The one that was used last stays.
  EXPECT_EQ(One(driver_->Run(JobWithRoom("small", 1 << 20, good_))).outcome(), v1::CORRECT);
  EXPECT_THAT(driver_->Run(JobWithRoom("large", bytes, good_)).failure(), HasSubstr("array A: "));
  // More than there is stays too much.
  options.own_bytes = device_.memory_bytes();
  WriteArrays();
  EXPECT_EQ(One(driver_->Run(Job({Candidate(options)}))).outcome(), v1::OOM);
}

// What a launch needs is known only when it is made.
TEST_F(CudaRunnerDeviceTest, ALaunchsMemoryComesBeforeIdleStudies) {
  if (!simulated_) GTEST_SKIP() << "would fill the device's memory";
  CandidateOptions options;
  options.body = absl::StrCat(kGood, "tune_hungry();");
  const v1::CudaCandidate hungry = Candidate(options);
  const int64_t bytes = int64_t{150} << 20;
  EXPECT_EQ(One(driver_->Run(JobWithRoom("large", bytes, good_))).outcome(), v1::CORRECT);
  v1::RunnerVerdict verdict = One(driver_->Run(Job({hungry})));
  EXPECT_EQ(verdict.outcome(), v1::CORRECT) << verdict.message();
  // Without idle studies it has what it has.
  verdict = One(driver_->Run(JobWithRoom("large", bytes, hungry)));
  EXPECT_EQ(verdict.outcome(), v1::OOM) << verdict.message();
}

TEST_F(CudaRunnerDeviceTest, ABrokenDeviceIsNotTheCandidatesFault) {
  if (!simulated_) GTEST_SKIP() << "needs a device that breaks";
  CandidateOptions options;
  options.body = "tune_break_device();";
  const v1::CudaResult result = driver_->Run(Job({Candidate(options)}));
  EXPECT_THAT(result.failure(), HasSubstr("the device failed under the candidate"));
  EXPECT_TRUE(result.device_lost());
  EXPECT_EQ(result.verdicts_size(), 0);
}

TEST_F(CudaRunnerDeviceTest, AProgramThatTheDeviceHasNoRoomForIsAFailure) {
  if (!simulated_) GTEST_SKIP() << "would copy half of the device's memory";
  v1::CudaJob job = Job({good_});
  job.set_arrays_key("large");
  const int64_t bytes = device_.memory_bytes() / 2;
  ASSERT_TRUE(WriteFile(Path("large"), "").ok());
  std::filesystem::resize_file(Path("large"), bytes);
  job.mutable_arrays(1)->set_input_file(Path("large"));
  job.mutable_arrays(1)->set_element_type(v1::ELEMENT_TYPE_CHAR);
  job.mutable_arrays(1)->set_extents(0, bytes);
  const v1::CudaResult result = driver_->Run(job);
  EXPECT_THAT(result.failure(), HasSubstr("array A: "));
  EXPECT_THAT(result.failure(), HasSubstr("bytes of device memory are needed"));
  EXPECT_FALSE(result.device_lost());
  GoodMedian();
}

TEST_F(CudaRunnerDeviceTest, SeveralAreMeasuredInTurns) {
  CandidateOptions wrong;
  wrong.body = "B[i] = 0;";
  const v1::CudaResult result = driver_->Run(Job({good_, Candidate(wrong), good_}));
  ASSERT_EQ(result.verdicts_size(), 3) << result.failure();
  EXPECT_EQ(result.verdicts(0).outcome(), v1::CORRECT);
  EXPECT_EQ(result.verdicts(1).outcome(), v1::CORRECTNESS);
  EXPECT_EQ(result.verdicts(2).outcome(), v1::CORRECT);
  EXPECT_GE(result.verdicts(0).samples_size(), 6);
  EXPECT_EQ(result.verdicts(0).samples_size(), result.verdicts(2).samples_size());
  EXPECT_EQ(result.verdicts(1).samples_size(), 0);
}

TEST_F(CudaRunnerDeviceTest, TurnsEndInTime) {
  v1::CudaJob job = Job({good_, good_, good_});
  job.set_wall_seconds(60);
  const v1::CudaResult measured = driver_->Run(job);
  ASSERT_EQ(measured.verdicts_size(), 3) << measured.failure();
  for (const v1::RunnerVerdict& verdict : measured.verdicts()) {
    EXPECT_EQ(verdict.outcome(), v1::CORRECT) << verdict.message();
  }
  job.set_wall_seconds(1e-9);
  const v1::CudaResult late = driver_->Run(job);
  ASSERT_EQ(late.verdicts_size(), 3) << late.failure();
  for (const v1::RunnerVerdict& verdict : late.verdicts()) {
    EXPECT_EQ(verdict.outcome(), v1::TIMEOUT);
    EXPECT_EQ(verdict.message(), "not measured: the 1e-09 s for 3 candidates in turns were over");
  }
  EXPECT_FALSE(late.device_lost());
  GoodMedian();
}

TEST_F(CudaRunnerDeviceTest, TheOneThatLostTheDeviceIsTheLastVerdict) {
  CandidateOptions fault;
  fault.body = "tune_fault();";
  const v1::CudaResult result = driver_->Run(Job({good_, Candidate(fault), good_}));
  EXPECT_TRUE(result.device_lost());
  ASSERT_EQ(result.verdicts_size(), 2) << result.failure();
  EXPECT_EQ(result.verdicts(0).outcome(), v1::CORRECT);
  EXPECT_EQ(result.verdicts(1).outcome(), v1::RUNTIME);
  GoodMedian();
}

// Of a candidate that is five times slower than the best only where all are asked for.
TEST_F(CudaRunnerDeviceTest, KernelsOfSlowCandidatesAreTimedOnRequest) {
  v1::CudaJob job = Job({good_});
  job.mutable_sampling()->set_best_seconds(GoodMedian() / 5);
  job.set_kernel_times(true);
  EXPECT_EQ(One(driver_->Run(job)).kernels(0).seconds(), 0);
  job.set_metrics_of_all(true);
  EXPECT_GT(One(driver_->Run(job)).kernels(0).seconds(), 0);
}

// Needs permission to read counters; without it a note says so.
TEST_F(CudaRunnerDeviceTest, MetricsOrANote) {
  v1::CudaJob job = Job({good_});
  job.set_metrics(true);
  const v1::CudaResult result = driver_->Run(job);
  const v1::RunnerVerdict verdict = One(result);
  ASSERT_EQ(verdict.outcome(), v1::CORRECT) << verdict.message();
  ASSERT_EQ(verdict.kernels_size(), 1);
  if (verdict.kernels(0).metrics().empty()) {
    EXPECT_THAT(result.notes(), ::testing::Contains(HasSubstr("tuning goes on with times alone")));
  }
  for (const v1::Metric& metric : verdict.kernels(0).metrics()) {
    std::printf("%s %g (%.3f)\n", metric.name().c_str(), metric.value(), metric.normalised());
    EXPECT_GE(metric.normalised(), 0);
    EXPECT_LE(metric.normalised(), 1);
  }
  GoodMedian();
}

}  // namespace
}  // namespace tune
