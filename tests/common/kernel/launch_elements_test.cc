#include "common/kernel/launch_elements.h"

#include <gtest/gtest.h>

#include "common/dependence/dependence.h"
#include "common/kernel/kernel.h"
#include "common/schedule/original_schedule.h"
#include "tests/common/testing/scop_builder.h"

namespace tune {
namespace {

using testing::Add;
using testing::Read;

// The kernels of a region's own loops.
std::vector<Kernel> KernelsOf(const v1::Scop& proto, const std::map<std::string, int64_t>& values) {
  IslContext context;
  const auto scop = ParseScop(context, WithParameterFacts(proto, values)).value();
  const Dependences dependences = ComputeDependences(context, *scop).value();
  isl::schedule schedule;
  EXPECT_TRUE(context
                  .Run("a test",
                       [&]() -> absl::Status {
                         schedule = OriginalSchedule(context, *scop, dependences);
                         return absl::OkStatus();
                       })
                  .ok());
  return SelectKernels(context, schedule, *scop, dependences, values).value()->kernels;
}

std::vector<int> GroupsOf(const v1::Scop& proto, const std::map<std::string, int64_t>& values) {
  std::vector<int> groups;
  for (const Kernel& kernel : KernelsOf(proto, values)) groups.push_back(kernel.launch_group);
  return groups;
}

std::vector<bool> SharersOf(const v1::Scop& proto, const std::map<std::string, int64_t>& values) {
  std::vector<bool> sharers;
  for (const Kernel& kernel : KernelsOf(proto, values)) sharers.push_back(kernel.shares_arrays);
  return sharers;
}

// A[2i] += x[i]; then what is at `other` is read by y.
v1::Scop EvenAnd(const std::string& other) {
  return testing::ScopBuilder("even", {"n"}, "n >= 1")
      .Array("A", {"3 n"})
      .Array("x", {"n"})
      .Array("y", {"n"})
      .Begin("i", "0 <= i < n")
      .Update(v1::ADD, {"A", "2 i"}, {{"x", "i"}}, Read(0))
      .End()
      .Begin("i", "0 <= i < n")
      .Update(v1::ADD, {"y", "i"}, {{"A", other}}, Read(0))
      .End()
      .Build();
}

TEST(LaunchElements, ElementsOfOneArrayMayBeApart) {
  EXPECT_EQ(GroupsOf(EvenAnd("2 i + 1"), {{"n", 20}}), (std::vector<int>{0, 0}));
  EXPECT_EQ(GroupsOf(EvenAnd("i + n"), {{"n", 20}}), (std::vector<int>{0, 1}));
  EXPECT_EQ(GroupsOf(EvenAnd("i + 2 n"), {{"n", 20}}), (std::vector<int>{0, 0}));
}

// In each iteration the rest of row t and of column t, which others iterations have, too; then what needs
// both.
TEST(LaunchElements, AreComparedInOneIterationOfTheHost) {
  const auto panels = [](const std::string& column) {
    return testing::ScopBuilder("panels", {"n"}, "n >= 2")
        .Array("A", {"n", "n"})
        .Begin("t", "0 <= t < n - 1")
        .Begin("j", "t + 1 <= j < n")
        .Update(v1::ADD, {"A", "t, j"}, {{"A", "t, t"}}, Read(0))
        .End()
        .Begin("i", column + " <= i < n")
        .Update(v1::ADD, {"A", "i, t"}, {{"A", "t, t"}}, Read(0))
        .End()
        .Begin("i", "t + 1 <= i < n")
        .Begin("j", "t + 1 <= j < n")
        .Update(v1::ADD, {"A", "i, j"}, {{"A", "i, t"}, {"A", "t, j"}}, Add(Read(0), Read(1)))
        .Build();
  };
  EXPECT_EQ(GroupsOf(panels("t + 1"), {{"n", 20}}), (std::vector<int>{0, 0, 1}));
  EXPECT_EQ(SharersOf(panels("t + 1"), {{"n", 20}}), (std::vector<bool>{true, true, false}));
  EXPECT_EQ(SharersOf(panels("t"), {{"n", 20}}), (std::vector<bool>{false, false, false}));
  // The column's first element is what the row reads.
  EXPECT_EQ(GroupsOf(panels("t"), {{"n", 20}}), (std::vector<int>{0, 1, 2}));
}

}  // namespace
}  // namespace tune
