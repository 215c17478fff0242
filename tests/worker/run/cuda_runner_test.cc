#include "worker/run/cuda_runner.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>

#include "common/base/file.h"

namespace tune {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr char kProgram[] = TUNE_BINARY_DIR "/tests/scripted/tune-cuda-runner";

class CudaRunnerTest : public ::testing::Test {
 protected:
  CudaRunnerTest() : folder_(*TemporaryFolder::Make()), runner_(kProgram, 0) {}

  CudaRunRequest Request(const std::vector<std::string>& words) {
    CudaRunRequest request;
    for (const std::string& word : words) {
      const std::string path = folder_.path() + "/" + word;
      EXPECT_TRUE(WriteFile(path, word).ok());
      request.job.add_candidates()->set_cubin(path);
    }
    return request;
  }
  // Outcomes of the words, as one job.
  std::vector<v1::Outcome> Outcomes(const std::vector<std::string>& words, double wall_seconds = 60) {
    CudaRunRequest request = Request(words);
    request.wall_seconds = wall_seconds;
    const auto outcome = runner_.Run(request);
    EXPECT_TRUE(outcome.ok()) << outcome.status();
    std::vector<v1::Outcome> outcomes;
    if (!outcome.ok()) return outcomes;
    for (const v1::RunnerVerdict& verdict : outcome->verdicts) {
      outcomes.push_back(verdict.outcome());
      messages_.push_back(verdict.message());
    }
    return outcomes;
  }
  // How many jobs the process that answers has had.
  double Served() {
    const auto outcome = runner_.Run(Request({"correct"}));
    return outcome.ok() ? outcome->verdicts.at(0).samples(0) : -1;
  }

  TemporaryFolder folder_;
  ProcessCudaRunner runner_;
  std::vector<std::string> messages_;
};

TEST_F(CudaRunnerTest, TheProcessIsKept) {
  EXPECT_EQ(Served(), 1);
  EXPECT_EQ(Served(), 2);
  EXPECT_THAT(Outcomes({"correct", "bad", "correct"}), ElementsAre(v1::CORRECT, v1::RUNTIME, v1::CORRECT));
  EXPECT_EQ(Served(), 4);
}

TEST_F(CudaRunnerTest, EachWayToEndTheProcessCostsOneCandidate) {
  for (const char* word : {"crash", "leave", "lost", "garbage"}) {
    EXPECT_EQ(Served(), 1) << word;
    EXPECT_THAT(Outcomes({word}), ElementsAre(v1::RUNTIME)) << word;
    EXPECT_EQ(Served(), 1) << "the process was not replaced after " << word;
    EXPECT_THAT(Outcomes({"lost"}), ElementsAre(v1::RUNTIME));
  }
  EXPECT_THAT(messages_, ::testing::Contains(HasSubstr("was killed by signal 6 (Aborted)")));
  EXPECT_THAT(messages_, ::testing::Contains(HasSubstr("exited with status 7")));
}

TEST_F(CudaRunnerTest, AnotherProcessStandsByAfterALoss) {
  const auto generation = [&] { return runner_.Run(Request({"correct"}))->verdicts.at(0).first_seconds(); };
  setenv("CUDA_SCRIPTED_GENERATION", "1", 1);
  EXPECT_EQ(generation(), 1);
  setenv("CUDA_SCRIPTED_GENERATION", "2", 1);
  Outcomes({"lost"});
  EXPECT_EQ(generation(), 2);  // nobody stood by
  setenv("CUDA_SCRIPTED_GENERATION", "3", 1);
  EXPECT_EQ(generation(), 2);
  setenv("CUDA_SCRIPTED_GENERATION", "4", 1);
  Outcomes({"lost"});
  EXPECT_EQ(generation(), 3);  // and the next one begins
  setenv("CUDA_SCRIPTED_GENERATION", "5", 1);
  EXPECT_EQ(Served(), 2);
  Outcomes({"lost"});
  EXPECT_EQ(generation(), 4);
  unsetenv("CUDA_SCRIPTED_GENERATION");
}

TEST_F(CudaRunnerTest, RecordedOutputsComeOutOfTheSandbox) {
  CudaRunRequest request = Request({"correct"});
  for (const char* name : {"x", "y"}) {
    v1::RunnerArray& array = *request.job.add_arrays();
    array.set_name(name);
    array.set_input_file(folder_.path() + "/" + name);
    array.set_read_only(*name == 'x');
    ASSERT_TRUE(WriteFile(folder_.path() + "/" + name, "input").ok());
  }
  request.job.set_record_folder(folder_.path() + "/recorded");
  ASSERT_TRUE(MakeFolder(request.job.record_folder()).ok());
  for (int time = 0; time < 2; ++time) {
    const auto outcome = runner_.Run(request);
    ASSERT_TRUE(outcome.ok()) << outcome.status();
    EXPECT_EQ(ReadFile(request.job.record_folder() + "/y.bin").value_or(""), "y");
    EXPECT_FALSE(ReadFile(request.job.record_folder() + "/x.bin").ok());
  }
}

TEST_F(CudaRunnerTest, APreparedProcessTakesTheFirstJob) {
  setenv("CUDA_SCRIPTED_GENERATION", "1", 1);
  runner_.Prepare();
  setenv("CUDA_SCRIPTED_GENERATION", "2", 1);
  runner_.Prepare();  // it is there
  EXPECT_EQ(runner_.Run(Request({"correct"}))->verdicts.at(0).first_seconds(), 1);
  unsetenv("CUDA_SCRIPTED_GENERATION");
}

TEST_F(CudaRunnerTest, WhoHangsIsKilled) {
  EXPECT_THAT(Outcomes({"hang"}, 0.2), ElementsAre(v1::TIMEOUT));
  EXPECT_THAT(messages_, ElementsAre("it had not ended after 0.2 s on the device and was killed"));
  EXPECT_EQ(Served(), 1);
}

TEST_F(CudaRunnerTest, OthersAreRunAgainWithoutTheCulprit) {
  EXPECT_THAT(Outcomes({"correct", "lost", "correct"}), ElementsAre(v1::CORRECT, v1::RUNTIME, v1::CORRECT));
  // Also when it was the last: the others were not measured to the end.
  EXPECT_THAT(Outcomes({"correct", "lost"}), ElementsAre(v1::CORRECT, v1::RUNTIME));
  EXPECT_EQ(Served(), 2);
  EXPECT_THAT(Outcomes({"lost"}), ElementsAre(v1::RUNTIME));
  EXPECT_THAT(Outcomes({"correct", "crash", "correct"}), ElementsAre(v1::CORRECT, v1::RUNTIME, v1::CORRECT));
  EXPECT_THAT(Outcomes({"crash", "leave"}), ElementsAre(v1::RUNTIME, v1::RUNTIME));
}

// Several candidates share the job's time, also when it must be begun again.
TEST_F(CudaRunnerTest, ConfirmationEndsWithinItsTime) {
  EXPECT_THAT(Outcomes({"hang", "hang", "hang", "hang"}, 0.8), Each(v1::TIMEOUT));
  double sum = 0;  // of the times that they had alone
  for (const std::string& message : messages_) {
    double seconds = 0;
    if (std::sscanf(message.c_str(), "it had not ended after %lf s on the device", &seconds) == 0) {
      EXPECT_EQ(message, "the 0.8 s for 4 candidates in turns were over before it could be measured");
    }
    sum += seconds;
  }
  EXPECT_GT(sum, 0);
  EXPECT_LE(sum, 0.4);
}

TEST_F(CudaRunnerTest, WhoHangsLeavesTimeForTheOthers) {
  EXPECT_THAT(Outcomes({"correct", "hang", "correct"}, 3),
              ElementsAre(v1::CORRECT, v1::TIMEOUT, v1::CORRECT));
}

TEST_F(CudaRunnerTest, ProcessesThatDoNotAnswerAreTold) {
  EXPECT_FALSE(runner_.Run(Request({"correct"}))->unanswered);
  EXPECT_FALSE(runner_.Run(Request({"bad"}))->unanswered);
  EXPECT_TRUE(runner_.Run(Request({"crash"}))->unanswered);
}

TEST_F(CudaRunnerTest, CancelledWhileItHangs) {
  Cancellation cancellation;
  CudaRunRequest request = Request({"hang", "correct"});
  request.cancellation = &cancellation;
  cancellation.Cancel();
  const auto outcome = runner_.Run(request);
  ASSERT_TRUE(outcome.ok()) << outcome.status();
  for (const v1::RunnerVerdict& verdict : outcome->verdicts) EXPECT_EQ(verdict.outcome(), v1::CANCELLED);
}

TEST_F(CudaRunnerTest, TroubleOfTheRunnerIsNoVerdict) {
  const auto outcome = runner_.Run(Request({"fail"}));
  EXPECT_EQ(outcome.status().code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(std::string(outcome.status().message()), HasSubstr("device 0: cannot allocate the arrays"));
  EXPECT_EQ(Served(), 1);
  ProcessCudaRunner absent("/no/such/program", 0);
  EXPECT_EQ(absent.Run(Request({"correct"})).status().code(), absl::StatusCode::kNotFound);
}

TEST_F(CudaRunnerTest, LogIsThatOfTheJob) {
  ASSERT_EQ(Served(), 1);
  const auto outcome = runner_.Run(Request({"bad"}));
  ASSERT_TRUE(outcome.ok());
  EXPECT_EQ(outcome->log, "bad\n");
}

TEST_F(CudaRunnerTest, Devices) {
  setenv("TUNE_LIBEXEC", TUNE_BINARY_DIR "/tests/scripted", 1);
  auto devices = FindCudaDevices();
  ASSERT_TRUE(devices.ok()) << devices.status();
  EXPECT_EQ(devices->at(0).model(), "scripted");
  setenv("SCRIPTED_TROUBLE", "no driver; install it", 1);
  EXPECT_EQ(FindCudaDevices().status().message(), "no driver; install it");
  unsetenv("SCRIPTED_TROUBLE");
  setenv("TUNE_LIBEXEC", "/", 1);
  EXPECT_THAT(std::string(FindCudaDevices().status().message()), HasSubstr("install the CUDA toolkit"));
  unsetenv("TUNE_LIBEXEC");
}

}  // namespace
}  // namespace tune
