#include "server/study/study_cases.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/server/study/harness.h"

namespace tune {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class StudyCasesTest : public ::testing::Test {
 protected:
  // A study that has ended, with what `generate` made for it; `asked` counts its requests for cases.
  v1::Study Run(CodeGeneration generate, bool cases) {
    CoordinatorOptions options = TestOptions();
    if (generate != nullptr) {
      options.generate = [this, generate](const v1::GenerationRequest& request) {
        asked_ += request.cases() ? 1 : 0;
        return generate(request);
      };
    }
    const auto coordinator =
        Coordinator::Start(options, store_.get(), &clock_, SyntheticFactory({2, 4, 4})).value();
    v1::StudySpec spec = SyntheticSpec("ants", 4, 8);
    spec.set_target(v1::TARGET_UNSPECIFIED);
    spec.set_cases(cases);
    const std::string id = coordinator->Submit(spec, "").value().id();
    std::atomic<bool> stop{false};
    std::thread thread([&] {
      FakeWorker worker("w", [&](const v1::SynchronizeRequest& request) {
        return SynchronizeNow(*coordinator, request, [&] { return stop.load(); });
      });
      worker.request().mutable_devices(0)->set_target(v1::CUDA);
      worker.Run(stop);
    });
    const v1::Study study = WaitUntilFinished(*coordinator, id);
    stop = true;
    thread.join();
    return study;
  }

  static absl::StatusOr<v1::GenerationAnswer> Answer(const v1::GenerationRequest& request) {
    v1::GenerationAnswer answer;
    for (const v1::Configuration& configuration : request.configurations())
      answer.add_codes()->set_code(PrintConfiguration(configuration));
    if (request.cases()) answer.mutable_cases()->add_kernels()->set_name("k[S0]");
    return answer;
  }

  ManualClock clock_;
  std::unique_ptr<Store> store_ = MakeMemoryStore();
  int asked_ = 0;
};

TEST_F(StudyCasesTest, AreMadeOnceWhereTheyAreWanted) {
  const v1::Study study = Run(Answer, true);
  EXPECT_EQ(study.state(), v1::DONE);
  ASSERT_EQ(study.cases().kernels_size(), 1);
  EXPECT_EQ(study.cases().kernels(0).name(), "k[S0]");
  EXPECT_THAT(study.warnings(), IsEmpty());
  EXPECT_EQ(asked_, 1);
  EXPECT_FALSE(Run(Answer, false).has_cases());
  EXPECT_EQ(asked_, 1);
}

// The study goes on without.
TEST_F(StudyCasesTest, WhatCannotBeMadeIsAWarning) {
  const v1::Study refused = Run(
      [](const v1::GenerationRequest& request) {
        auto answer = Answer(request);
        answer->clear_cases();
        if (request.cases()) answer->set_cases_failure("f: the region declares the array w");
        return answer;
      },
      true);
  EXPECT_EQ(refused.state(), v1::DONE);
  EXPECT_FALSE(refused.has_cases());
  EXPECT_THAT(refused.warnings(),
              Contains(HasSubstr("there is no case discussion: f: the region declares the array w")));
  EXPECT_THAT(Run(nullptr, true).warnings(), Contains(HasSubstr("this server has no tune-generate")));
}

}  // namespace
}  // namespace tune
