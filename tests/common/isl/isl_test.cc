#include "common/isl/isl.h"

#include <gtest/gtest.h>
#include <time.h>

#include <string>
#include <thread>

namespace tune {
namespace {

absl::StatusOr<int> Fail(IslContext& context) {
  return context.Run("reading a set", [&]() -> absl::StatusOr<int> {
    const isl::set good(context.ctx(), "{ A[i] : 0 <= i < 10 }");
    const isl::set bad(context.ctx(), "{ A[i : }");
    return 1;
  });
}

// Subtracting many boxes from one makes a union whose size explodes.
absl::StatusOr<int> Explode(IslContext& context) {
  return context.Run("subtracting boxes", [&]() -> absl::StatusOr<int> {
    isl::set rest(context.ctx(), "[n] -> { A[a, b, c, d, e, f] : 0 <= a, b, c, d, e, f <= n }");
    for (int i = 0;; ++i) {
      const std::string k = std::to_string(i);
      rest = rest.subtract(isl::set(context.ctx(), "[n] -> { A[a, b, c, d, e, f] : a + 2b + " + k +
                                                       "c > 3d and b < e + f and 7c + " + k + " >= d }"));
      rest = rest.coalesce();
    }
    return 1;
  });
}

TEST(IslContextTest, ReturnsWhatTheBodyReturns) {
  IslContext context;
  const auto text = context.Run("printing", [&]() -> absl::StatusOr<std::string> {
    return IslText(isl::set(context.ctx(), "{ A[i] : 0 <= i < 10 }"));
  });
  ASSERT_TRUE(text.ok()) << text.status();
  EXPECT_EQ(*text, "{ A[i] : 0 <= i <= 9 }");
  EXPECT_EQ(context.Run("failing", [&]() -> absl::Status { return absl::NotFoundError("x"); }),
            absl::NotFoundError("x"));
}

TEST(IslContextTest, IslErrorsBecomeInternalWithWhatWasDone) {
  IslContext context;
  const auto result = Fail(context);
  ASSERT_TRUE(absl::IsInternal(result.status())) << result.status();
  EXPECT_NE(result.status().message().find("reading a set: isl: "), absl::string_view::npos)
      << result.status();
}

TEST(IslContextTest, ErrorsOfCCallsAreReported) {
  IslContext context;
  const absl::Status status = context.Run("adding", [&]() -> absl::Status {
    const isl::set one(context.ctx(), "{ A[i] }"), other(context.ctx(), "{ B[i, j] }");
    const isl::set sum = one.unite(other);
    return absl::OkStatus();
  });
  ASSERT_TRUE(absl::IsInternal(status)) << status;
  EXPECT_NE(status.message().find("spaces don't match"), absl::string_view::npos) << status;
}

TEST(IslContextTest, OperationLimit) {
  IslContext::Limits limits;
  limits.operations = 50'000;
  IslContext context(limits);
  for (int round = 0; round < 3; ++round) {
    const auto result = Explode(context);
    ASSERT_TRUE(absl::IsResourceExhausted(result.status())) << result.status();
    EXPECT_NE(
        result.status().message().find("subtracting boxes: stopped at the limit of 50000 isl operations"),
        absl::string_view::npos)
        << result.status();
    EXPECT_NE(result.status().message().find("allow more with --analysis-limit 4 "), absl::string_view::npos)
        << result.status();
    // Objects made outside of Run, and other errors, are not affected by the limit that was reached.
    EXPECT_FALSE(isl::set(context.ctx(), "{ A[i] : 0 <= i < 10 }").is_empty());
    EXPECT_TRUE(absl::IsInternal(Fail(context).status()));
  }
}

TEST(IslContextTest, LimitOfAProcessorsTime) {
  IslContext::Limits limits;
  limits.operations = 0;
  limits.processor_time = absl::Milliseconds(50);
  IslContext context(limits);
  for (int round = 0; round < 3; ++round) {
    const auto result = Explode(context);
    ASSERT_TRUE(absl::IsResourceExhausted(result.status())) << result.status();
    EXPECT_NE(result.status().message().find("the limit of 50ms of a processor"), absl::string_view::npos)
        << result.status();
    EXPECT_FALSE(isl::set(context.ctx(), "{ A[i] : 0 <= i < 10 }").is_empty());
  }
}

// The thread that watches sleeps until the first one's deadline.
TEST(IslContextTest, LimitsThatAreShorterAndLongerThanTheOnesBefore) {
  for (const auto& [before, limit] : {std::pair(absl::Hours(1), absl::Milliseconds(50)),
                                      std::pair(absl::Milliseconds(50), absl::Milliseconds(200))}) {
    IslContext context({.operations = 0, .processor_time = before});
    ASSERT_TRUE(context.Run("nothing", [] { return absl::OkStatus(); }).ok());
    context.set_limits({.operations = 0, .processor_time = limit});
    EXPECT_TRUE(absl::IsResourceExhausted(Explode(context).status())) << limit;
  }
}

TEST(IslContextTest, WhatOtherThreadsUseIsNotCounted) {
  IslContext context({.operations = 0, .processor_time = absl::Milliseconds(50)});
  const absl::Status status = context.Run("waiting", [] {
    std::thread([] {
      timespec used = {};
      while (used.tv_sec == 0 && used.tv_nsec < 150'000'000) clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
    }).join();
    return absl::OkStatus();
  });
  EXPECT_TRUE(status.ok()) << status;
}

TEST(IslContextTest, TheOutermostLimitHoldsForNestedRunsAndTheInnermostIsNamed) {
  IslContext::Limits limits;
  limits.operations = 50'000;
  IslContext context(limits);
  int rounds = 0;
  const auto result = context.Run("outer", [&]() -> absl::StatusOr<int> {
    while (true) {
      const absl::Status inner = context.Run("inner", [&]() -> absl::Status {
        ++rounds;
        isl::set set(context.ctx(), "{ A[i, j] : 0 <= i < 10 }");
        for (int i = 0; i < 10; ++i) set = set.unite(set).coalesce();
        return absl::OkStatus();
      });
      TUNE_RETURN_IF_ERROR(inner);
    }
  });
  EXPECT_TRUE(absl::IsResourceExhausted(result.status())) << result.status();
  EXPECT_NE(result.status().message().find("inner: stopped"), absl::string_view::npos) << result.status();
  EXPECT_GT(rounds, 1);
}

TEST(IslContextTest, ObjectsSurviveAnErrorInALaterRun) {
  IslContext context;
  isl::set kept(context.ctx(), "{ A[i] : 0 <= i < 10 }");
  const absl::Status status = context.Run("using", [&]() -> absl::Status {
    const isl::set copy = kept.intersect(isl::set(context.ctx(), "{ A[i] : i > 3 }"));
    const isl::set bad = copy.unite(isl::set(context.ctx(), "{ A[i, }"));
    return absl::OkStatus();
  });
  EXPECT_FALSE(status.ok());
  EXPECT_EQ(IslText(kept), "{ A[i] : 0 <= i <= 9 }");
}

}  // namespace
}  // namespace tune
