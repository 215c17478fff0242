// One file for several sizes of a region: what it prints is what the original prints, at each of the sizes
// and at one in between; on a GPU (simulated) also by the entry points that take the right size.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "client/cli/tuned_output.h"
#include "tests/common/testing/programs.h"
#include "tune/v1/archive.pb.h"

namespace tune {
namespace {

using ::testing::HasSubstr;

constexpr char kIncludes[] = TUNE_SOURCE_DIR "/tests/tuned_builds/programs";

// The size is an argument, 30 the one in between.
constexpr char kParameter[] = R"(#include "checksum.h"
void smooth(int n, double *restrict a, double *restrict b) {
#pragma scop
  for (int t = 0; t < 3; t++) {
    for (int i = 1; i < n - 1; i++) b[i] = (a[i - 1] + a[i] + a[i + 1]) / 3;
    for (int i = 1; i < n - 1; i++) a[i] = b[i];
  }
#pragma endscop
}
static double a[50], b[50];
int main(void) {
  for (int n = 20; n <= 40; n += 10) {
    FILL(a, 50); FILL(b, 50); smooth(n, a, b); PRINT(a, 50); PRINT(b, 50);
  }
}
)";

// Calls of the entry points with data on the device.
constexpr char kCaller[] = R"(#include <cstdio>
#include <cuda_runtime.h>
#include "out.h"
static double a[50], b[50], c[50], d[50];
extern "C" int main() {
  void *on_device[2], *workspace = 0;
  for (void *&memory : on_device) cudaMalloc(&memory, sizeof a);
  if (smooth_workspace_bytes() > 0) cudaMalloc(&workspace, smooth_workspace_bytes());
  for (int n = 20; n <= 40; n += 10) {
    for (int i = 0; i < 50; ++i) a[i] = b[i] = c[i] = d[i] = (i * 7 + 3) % 23 + 1;
    cudaMemcpy(on_device[0], a, sizeof a, cudaMemcpyHostToDevice);
    cudaMemcpy(on_device[1], b, sizeof b, cudaMemcpyHostToDevice);
    const cudaError_t called = smooth_device((double *)on_device[0], (double *)on_device[1], n, workspace, 0);
    cudaMemcpy(a, on_device[0], sizeof a, cudaMemcpyDeviceToHost);
    smooth_handle *handle = 0;
    const cudaError_t created = smooth_create(&handle, n);
    if (created == cudaSuccess && smooth_upload(handle, c, d, 0) == cudaSuccess &&
        smooth_run(handle, n, 0) == cudaSuccess && smooth_run(handle, n + 1, 0) == cudaErrorInvalidValue)
      smooth_download(handle, c, d, 0);
    smooth_destroy(handle);
    double sum = 0, other = 0;
    for (int i = 0; i < 50; ++i) sum += (i % 13 + 1) * a[i], other += (i % 13 + 1) * c[i];
    std::printf("%d %d %d %.9e %.9e\n", n, called == cudaSuccess, created == cudaSuccess, sum, other);
  }
  return 0;
}
)";

std::string Call(const std::vector<std::string>& command, bool* ok) {
  const auto result = RunSubprocess(command, {});
  *ok = result.ok() && result->ok();
  return result.ok() ? result->standard_output + result->standard_error : result.status().ToString();
}

class Sizes : public ::testing::Test {
 protected:
  std::string Path(const std::string& name) const { return folder_.path() + "/" + name; }

  // The region of `source` at one size: `flags` of the front end, `options` of the generator.
  TunedStudy Generate(const std::string& source, const std::vector<std::string>& flags,
                      const std::vector<std::string>& options) {
    std::vector<std::string> words = flags;
    words.insert(words.end(), {"-I", kIncludes});
    const auto extraction = testing::ExtractFile(source, words);
    EXPECT_TRUE(extraction.ok()) << extraction.status();
    EXPECT_TRUE(WriteFile(Path("extraction"), extraction->SerializeAsString()).ok());
    std::vector<std::string> command = {TUNE_BINARY_DIR "/bin/tune-generate", Path("extraction")};
    command.insert(command.end(), options.begin(), options.end());
    const auto result = RunSubprocess(command, {});
    v1::Archive archive;
    EXPECT_TRUE(result.ok() && result->ok()) << (result.ok() ? result->standard_error : "");
    EXPECT_TRUE(archive.ParseFromString(result->standard_output));
    TunedStudy study;
    study.spec = archive.studies(0).spec();
    *study.spec.mutable_scop() = extraction->scops(0);
    *study.spec.mutable_program() = extraction->program();
    study.study = archive.studies(0).study();
    study.code = archive.studies(0).candidates(0).candidate().evaluation().code();
    study.device_file = archive.studies(0).candidates(0).candidate().evaluation().device_file();
    return study;
  }

  // Writes out.c and what belongs to it.
  void Write(const std::vector<TunedStudy>& studies) {
    const auto tuned = PrintTuned(studies, Path("out.c"));
    ASSERT_TRUE(tuned.ok()) << tuned.status();
    ASSERT_TRUE(WriteTunedFiles(*tuned, Path("out.c"), {}).ok());
    device_files_.clear();
    for (const DeviceFile& file : tuned->device_files) device_files_.push_back(file.path);
  }

  std::string Build(const std::string& source, std::vector<std::string> flags, const std::string& output) {
    flags.insert(flags.begin(), {"cc", "-O1", "-w", "-ffp-contract=off", "-fopenmp", "-I", kIncludes, source,
                                 "-o", Path(output)});
    bool ok = false;
    const std::string log = Call(flags, &ok);
    EXPECT_TRUE(ok) << log;
    return Path(output);
  }

  std::string Original(const std::string& source, const std::vector<std::string>& flags) {
    bool ok = false;
    return Call({Build(source, flags, "original")}, &ok);
  }

  // What a shared object with a main prints beside the device files; whether anything ran on the device.
  std::string OnDevice(const std::string& object, bool* launched) {
    std::vector<std::string> command = {TUNE_BINARY_DIR "/tests/simulated/run_on_simulated_device"};
    command.insert(command.end(), device_files_.begin(), device_files_.end());
    command.push_back(object);
    bool ok = false;
    const std::string log = Call(command, &ok);
    EXPECT_THAT(log, HasSubstr(object + " 0\n")) << ReadFile(object + ".err").value_or("");
    *launched = !absl::StrContains(ReadFile(object + ".counts").value_or("launches 0\n"), "\nlaunches 0\n");
    return ReadFile(object + ".out").value_or("");
  }

  const TemporaryFolder folder_ = TemporaryFolder::Make().value();
  std::vector<std::string> device_files_;
};

TEST_F(Sizes, OfAParameter) {
  const std::string source = Path("smooth.c");
  ASSERT_TRUE(WriteFile(source, kParameter).ok());
  const std::string expected = Original(source, {});
  for (const std::string target : {"--target=cpu", "--arch=sm_90"}) {
    SCOPED_TRACE(target);
    // The default of generate is OpenMP C.
    std::vector<std::string> options;
    if (target != "--target=cpu") options.push_back(target);
    std::vector<TunedStudy> studies;
    for (const std::string size : {"--parameter=n=20", "--parameter=n=40"}) {
      options.push_back(size);
      studies.push_back(Generate(source, {}, options));
      options.pop_back();
    }
    Write(studies);
    if (HasFatalFailure()) return;
    bool ok = false, launched = false;
    if (options.empty()) {
      EXPECT_EQ(Call({Build(Path("out.c"), {}, "tuned")}, &ok), expected);
      continue;
    }
    EXPECT_EQ(device_files_.size(), 3u);
    EXPECT_EQ(OnDevice(Build(Path("out.c"), {"-fPIC", "-shared"}, "tuned.so"), &launched), expected);
    EXPECT_TRUE(launched);
    // By the entry points.
    ASSERT_TRUE(WriteFile(Path("caller.cc"), kCaller).ok());
    const std::string log =
        Call({"c++", "-std=c++17", "-O1", "-fPIC", "-shared", "-I", folder_.path(), "-I",
              TUNE_SOURCE_DIR "/tests/simulated_cudart", Path("caller.cc"), "-o", Path("caller.so")},
             &ok);
    ASSERT_TRUE(ok) << log;
    const std::string called = OnDevice(Path("caller.so"), &launched);
    const std::vector<std::string> lines = absl::StrSplit(expected, '\n');
    const auto sum = [&](int line) { return lines[line].substr(2); };  // without "a "
    EXPECT_THAT(called, HasSubstr(absl::StrCat("20 1 1 ", sum(0), " ", sum(0), "\n")));
    EXPECT_THAT(called, HasSubstr(absl::StrCat("40 1 1 ", sum(4), " ", sum(4), "\n")));
    EXPECT_THAT(called, HasSubstr("30 0 0 "));
  }
}

TEST_F(Sizes, OfAMacro) {
  const std::string source = absl::StrCat(kIncludes, "/macro_size.c");
  for (const bool on_device : {false, true}) {
    SCOPED_TRACE(on_device);
    const std::vector<std::string> options =
        on_device ? std::vector<std::string>{"--arch=sm_90"} : std::vector<std::string>();
    Write({Generate(source, {"-DN=20"}, options), Generate(source, {"-DN=40"}, options)});
    if (HasFatalFailure()) return;
    for (const std::string size : {"-DN=20", "-DN=30", "-DN=40"}) {
      SCOPED_TRACE(size);
      const std::string expected = Original(source, {size});
      bool ok = false, launched = false;
      if (!on_device) {
        EXPECT_EQ(Call({Build(Path("out.c"), {size}, "tuned")}, &ok), expected);
        continue;
      }
      EXPECT_EQ(OnDevice(Build(Path("out.c"), {size, "-fPIC", "-shared"}, "tuned.so"), &launched), expected);
      EXPECT_EQ(launched, size != "-DN=30");
    }
  }
}

// Some sizes on the host, others on a GPU.
TEST_F(Sizes, OnBothTargets) {
  const std::string source = Path("smooth.c");
  ASSERT_TRUE(WriteFile(source, kParameter).ok());
  Write({Generate(source, {}, {"--parameter=n=20"}),
         Generate(source, {}, {"--arch=sm_90", "--parameter=n=40"})});
  if (HasFatalFailure()) return;
  EXPECT_EQ(device_files_, std::vector<std::string>{Path("out.cu")});
  bool launched = false;
  EXPECT_EQ(OnDevice(Build(Path("out.c"), {"-fPIC", "-shared"}, "tuned.so"), &launched),
            Original(source, {}));
  EXPECT_TRUE(launched);
}

}  // namespace
}  // namespace tune
