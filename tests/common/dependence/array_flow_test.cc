#include "common/dependence/array_flow.h"

#include <gtest/gtest.h>

#include "common/dependence/universal_schedule.h"

namespace tune {
namespace {

constexpr char kSchedule[] =
    R"({ domain: "[n] -> { S[i] : 0 <= i < n; T[i] : 0 <= i < n; U[i] : 0 <= i < n }",
  child: { schedule: "[n] -> [{ S[i] -> [(i)]; T[i] -> [(i)]; U[i] -> [(i)] }]",
  child: { sequence: [ { filter: "[n] -> { S[i] }" }, { filter: "[n] -> { T[i] }" },
                       { filter: "[n] -> { U[i] }" } ] } } })";

// Compares with what isl finds for all accesses at once.
void ExpectAsAWhole(const std::string& sinks, const std::string& must, const std::string& may) {
  IslContext context;
  const absl::Status status = context.Run("comparing", [&]() -> absl::Status {
    const isl::schedule schedule(context.ctx(), kSchedule);
    const FlowAccesses accesses = {isl::union_map(context.ctx(), sinks), isl::union_map(context.ctx(), must),
                                   isl::union_map(context.ctx(), may)};
    const isl::union_flow whole = isl::union_access_info(accesses.sinks)
                                      .set_must_source(accesses.must)
                                      .set_may_source(accesses.may)
                                      .set_schedule(schedule)
                                      .compute_flow();
    const isl::schedule of_all = OnAllInstances(schedule);
    EXPECT_TRUE(of_all.domain().is_equal(schedule.domain().universe()));
    for (const bool everywhere : {false, true}) {
      const ArrayFlow found = ComputeArrayFlow(everywhere ? of_all : schedule, accesses, everywhere);
      EXPECT_TRUE(found.dependences.is_equal(whole.may_dependence())) << IslText(found.dependences);
      EXPECT_TRUE(found.full_dependences.is_equal(whole.full_may_dependence()));
      EXPECT_TRUE(found.no_source.is_equal(whole.may_no_source())) << IslText(found.no_source);
    }
    return absl::OkStatus();
  });
  EXPECT_TRUE(status.ok()) << status;
}

TEST(ArrayFlow, OfArraysIsThatOfTheWhole) {
  ExpectAsAWhole(
      "[n] -> { T[i] -> A[i - 1] : 0 <= i < n; U[i] -> B[i] : 0 <= i < n; U[i] -> C[] : 0 <= i < n }",
      "[n] -> { S[i] -> A[i] : 0 <= i < n; T[i] -> B[i] : 0 <= i < n }",
      "[n] -> { S[i] -> C[] : 0 <= i < n }");
}

TEST(ArrayFlow, OfConstantSubscriptsIsThatOfTheWhole) {
  ExpectAsAWhole("[n] -> { T[i] -> A[i, 0] : 0 <= i < n; U[i] -> A[i, 1] : 0 <= i < n }",
                 "[n] -> { S[i] -> A[i, 1] : 0 <= i < n; T[i] -> A[i, 2] : 0 <= i < n }", "{ }");
}

TEST(ArrayFlow, OneAccessOfAllSubscriptsBringsTheOthersTogether) {
  ExpectAsAWhole("[n] -> { T[i] -> A[i, 0] : 0 <= i < n; U[i] -> A[i, 1] : 0 <= i < n }",
                 "[n] -> { S[i] -> A[i, i] : 0 <= i < n }", "[n] -> { T[i] -> A[i, 1] : 0 <= i < n }");
  ExpectAsAWhole("[n] -> { T[i] -> A[i, k] : 0 <= i < n and 0 <= k < 3 }",
                 "[n] -> { S[i] -> A[i, 1] : 0 <= i < n }", "[n] -> { U[i] -> A[i, 2] : 0 <= i < n }");
}

}  // namespace
}  // namespace tune
