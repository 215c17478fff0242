// Candidates for tune-runner, made by hand.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "common/base/file.h"
#include "common/base/subprocess.h"
#include "worker/run/runner.h"

namespace tune {

inline constexpr int kFreshSets = 3;
inline constexpr int kCount = 1000;  // elements of B; A holds one page and a bit

// B[i] = A[i] + 1
inline constexpr char kGood[] = R"(
void tune_region(void **arrays) {
  const double *A = arrays[0];
  double *B = arrays[1];
  #pragma omp parallel for
  for (int i = 0; i < 1000; ++i) B[i] = A[i] + 1;
})";

class RunnerTest : public ::testing::Test {
 protected:
  void SetUp() override {
    setenv("TUNE_LIBEXEC", TUNE_BINARY_DIR "/bin", 1);
    folder_.emplace(*TemporaryFolder::Make());
    std::vector<double> in(kCount), out(kCount);
    for (int i = 0; i < kCount; ++i) in[i] = i, out[i] = i + 1;
    Write("A.bin", in);
    Write("B.bin", in);
    Write("B.out", out);
    // Inputs that no candidate has seen.
    for (int set = 0; set < kFreshSets; ++set) {
      for (int i = 0; i < kCount; ++i) in[i] = i * (1.01 + 0.01 * set), out[i] = in[i] + 1;
      Write(absl::StrCat("fresh", set, ".in"), in);
      Write(absl::StrCat("fresh", set, ".out"), out);
    }
    auto runner = ProcessRunner::Make();
    ASSERT_TRUE(runner.ok()) << runner.status();
    runner_ = *std::move(runner);
    good_ = Compile(kGood);
  }
  void TearDown() override { unsetenv("TUNE_LIBEXEC"); }

  void Write(const std::string& name, const std::vector<double>& values) {
    ASSERT_TRUE(
        WriteFile(Path(name), {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(double)})
            .ok());
  }
  std::string Path(const std::string& name) const { return folder_->path() + "/" + name; }

  // A candidate whose region is `body` in terms of A, B.
  std::string Body(const std::string& body) {
    return Compile(R"(#define _GNU_SOURCE
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
void tune_region(void **arrays) {
  double *A = arrays[0], *B = arrays[1];
  (void)A; (void)B;
)" + body + "\n}\n");
  }

  std::string Compile(const std::string& source) {
    const std::string path = Path("c" + std::to_string(++compiled_));
    EXPECT_TRUE(WriteFile(path + ".c", source).ok());
    const auto result = RunSubprocess(
        {"cc", "-O1", "-w", "-fopenmp", "-shared", "-fPIC", path + ".c", "-o", path + ".so", "-lm"});
    EXPECT_TRUE(result.ok() && result->ok()) << (result.ok() ? result->standard_error : "no cc");
    return path + ".so";
  }

  RunRequest Request(const std::vector<std::string>& libraries) {
    RunRequest request;
    request.wall_seconds = 20;
    v1::RunnerJob& job = request.job;
    for (const std::string& library : libraries) job.add_candidates()->set_library(library);
    v1::RunnerArray* a = job.add_arrays();
    a->set_name("A");
    a->set_element_type(v1::ELEMENT_TYPE_DOUBLE);
    a->add_extents(kCount);
    a->set_input_file(Path("A.bin"));
    for (int set = 0; set < kFreshSets; ++set) {
      a->add_fresh()->set_input_file(Path(absl::StrCat("fresh", set, ".in")));
    }
    a->set_read_only(true);
    v1::RunnerArray* b = job.add_arrays();
    *b = *a;
    b->set_name("B");
    b->set_input_file(Path("B.bin"));
    b->set_expected_file(Path("B.out"));
    for (int set = 0; set < kFreshSets; ++set) {
      b->mutable_fresh(set)->set_expected_file(Path(absl::StrCat("fresh", set, ".out")));
    }
    b->set_read_only(false);
    job.set_memory_bytes(1 << 30);
    job.set_file_bytes(1 << 20);
    job.set_float_relative(1e-3);
    job.set_double_relative(1e-8);
    job.mutable_sampling()->set_max_samples(10);
    return request;
  }

  v1::RunnerVerdict Run(const std::string& library) { return Run(Request({library})); }
  v1::RunnerVerdict Run(const RunRequest& request) {
    const auto outcome = runner_->Run(request);
    EXPECT_TRUE(outcome.ok()) << outcome.status();
    if (!outcome.ok() || outcome->verdicts.size() != 1) return {};
    log_ = outcome->log;
    return outcome->verdicts[0];
  }

  // Runs `body` between two good candidates, which must stay good.
  v1::RunnerVerdict Between(const std::string& body) { return Between(Request({Body(body)})); }
  v1::RunnerVerdict Between(const RunRequest& request) {
    EXPECT_EQ(Run(good_).outcome(), v1::CORRECT);
    const v1::RunnerVerdict verdict = Run(request);
    const std::string log = log_;
    EXPECT_EQ(Run(good_).outcome(), v1::CORRECT);
    log_ = log;
    return verdict;
  }

  std::optional<TemporaryFolder> folder_;
  std::unique_ptr<ProcessRunner> runner_;
  std::string good_, log_;
  int compiled_ = 0;
};

}  // namespace tune
