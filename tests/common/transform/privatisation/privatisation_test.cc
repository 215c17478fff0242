#include "common/transform/privatisation/privatisation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "absl/strings/str_join.h"
#include "common/space/schedule_space.h"
#include "tests/common/testing/sample_scops.h"

namespace tune {
namespace {

using testing::Add;
using testing::Literal;
using testing::Read;
using testing::ScopBuilder;

// Of the kernels of the region as it is written, each band's members: "s" serial, "p" parallel, with what is
// private for that, "p(t; last u)"; a "," between bands.
std::string Loops(const v1::Scop& scop, const std::map<std::string, int64_t>& values) {
  const auto space = ScheduleSpace::Make(WithParameterFacts(scop, values), values, {});
  EXPECT_TRUE(space.ok()) << space.status();
  const auto written = (*space)->Written();
  EXPECT_TRUE(written.ok()) << written.status();
  std::string text;
  for (const Kernel& kernel : (*written)->kernels) {
    for (const KernelBand& band : kernel.bands) {
      if (!text.empty()) text += ",";
      EXPECT_EQ(band.privates.size(), band.coincident.size());
      for (int m = 0; m < band.member_count(); ++m) {
        const PrivateVariables& privates = band.privates[m];
        text += band.coincident[m] ? "p" : "s";
        if (privates.empty()) continue;
        absl::StrAppend(
            &text, "(", absl::StrJoin(privates.local, " "),
            privates.last.empty() ? "" : absl::StrCat("; last ", absl::StrJoin(privates.last, " ")), ")");
      }
    }
  }
  return text;
}

TEST(Privatisation, AScalarOfTheProgramKeepsItsLastValue) {
  EXPECT_EQ(Loops(testing::ScalarTempScop(), {{"n", 10}, {"m", 8}}), "p(; last s),s");
}

TEST(Privatisation, ALocalScalarLeavesNothingBehind) {
  EXPECT_EQ(Loops(testing::LocalKillScop(), {{"n", 10}}), "p(t)");
}

TEST(Privatisation, ALocalArrayIsPrivateWhereItIsSmall) {
  EXPECT_EQ(Loops(testing::LocalArrayScop(), {{"n", 10}, {"m", 8}}), "p(row),p,p");
  // Two kernels in a loop of the host.
  EXPECT_EQ(Loops(testing::LocalArrayScop(), {{"n", 10}, {"m", 8000}}), "p,p");
}

TEST(Privatisation, AValueOfTheIterationBeforeIsNotPrivate) {
  const v1::Scop sum = ScopBuilder("sum", {"n"}, "n >= 0")
                           .Array("s", {})
                           .Array("x", {"n"})
                           .Begin("i", "0 <= i < n")
                           .Update(v1::ADD, {"s", ""}, {{"x", "i"}}, Read(0))
                           .End()
                           .Build();
  EXPECT_EQ(Loops(sum, {{"n", 10}}), "s");
  const v1::Scop previous = ScopBuilder("previous", {"n"}, "n >= 0")
                                .Array("s", {})
                                .Array("x", {"n"})
                                .Array("y", {"n"})
                                .Begin("i", "0 <= i < n")
                                .Assign({"y", "i"}, {{"s", ""}}, Read(0))
                                .Assign({"s", ""}, {{"x", "i"}}, Read(0))
                                .End()
                                .Build();
  EXPECT_EQ(Loops(previous, {{"n", 10}}), "s");
}

// The last iteration writes nothing: what is left is of an iteration before.
TEST(Privatisation, TheLastValueIsTheLastIterations) {
  const auto copies = [](const std::string& bounds) {
    return ScopBuilder("copies", {"n"}, "n >= 2")
        .Array("s", {})
        .Array("x", {"n"})
        .Array("y", {"n"})
        .Array("z", {"n"})
        .Begin("i", "0 <= i < n")
        .Assign({"z", "i"}, {}, Literal("1.0"))
        .Begin("j", bounds)
        .Assign({"s", ""}, {{"x", "i"}}, Read(0))
        .Assign({"y", "i"}, {{"s", ""}}, Read(0))
        .End()
        .End()
        .Build();
  };
  EXPECT_EQ(Loops(copies("0 <= j < i"), {{"n", 10}}).substr(0, 11), "p(; last s)");
  EXPECT_EQ(Loops(copies("i < j < n"), {{"n", 10}})[0], 's');
}

// Each step's loop leaves a value that the next statement reads.
TEST(Privatisation, AValueThatIsReadAfterTheLoopIsItsLast) {
  const v1::Scop scop = ScopBuilder("steps", {"n", "m"}, "n >= 1 and m >= 1")
                            .Array("s", {}, /*declared_inside=*/true)
                            .Array("x", {"n", "m"})
                            .Array("total", {})
                            .Begin("i", "0 <= i < n")
                            .Begin("j", "0 <= j < m")
                            .Assign({"s", ""}, {{"x", "i, j"}}, Read(0))
                            .Assign({"x", "i, j"}, {{"s", ""}}, Add(Read(0), Read(0)))
                            .End()
                            .Update(v1::ADD, {"total", ""}, {{"s", ""}}, Read(0))
                            .End()
                            .Build();
  EXPECT_EQ(Loops(scop, {{"n", 10}, {"m", 8}}), "p(; last s)");
}

}  // namespace
}  // namespace tune
