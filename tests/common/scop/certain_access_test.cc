#include "common/scop/certain_access.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/common/testing/scop_builder.h"

namespace tune {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using testing::Literal;
using testing::Operation;
using testing::Read;
using testing::ScopBuilder;

std::set<std::string> Lacking(const v1::Scop& scop, const std::map<std::string, int64_t>& values) {
  IslContext context;
  const auto found = context.Run("a test", [&]() -> absl::StatusOr<std::set<std::string>> {
    const auto parsed = ParseScop(context, scop);
    if (!parsed.ok()) return parsed.status();
    return MayLackTargets(context, **parsed, values);
  });
  EXPECT_TRUE(found.ok()) << found.status();
  return found.value_or(std::set<std::string>{"?"});
}

// if (c[i]) x[i + 1] = 1; for i < n, behind what `before` adds. x: a pointer, or an array of `length`.
std::set<std::string> Lacking(const std::function<void(ScopBuilder&)>& before, const std::string& length = "",
                              std::map<std::string, int64_t> values = {{"n", 10}}) {
  ScopBuilder builder("guarded", {"n"}, "n >= 1");
  builder.Array("x", {length}).Array("c", {"n"});
  before(builder);
  builder.Begin("i", "0 <= i < n")
      .Assign({"x", "i + 1"}, {{"c", "i"}, {"x", "i + 1"}}, Operation("?:", {Read(0), Literal("1"), Read(1)}))
      .End();
  v1::Scop scop = builder.Build();
  v1::Array* const x = scop.mutable_arrays(0);
  x->set_is_pointer(length.empty());
  if (length.empty()) x->mutable_extents(0)->set_accessed("[n] -> { [(n + 1)] }");
  return Lacking(scop, values);
}

// x[i] = 0 for i < `end`.
std::function<void(ScopBuilder&)> SetTo(const std::string& end) {
  return [end](ScopBuilder& builder) {
    builder.Begin("i", "0 <= i < " + end).Assign({"x", "i"}, {}, Literal("0")).End();
  };
}

TEST(CertainAccess, TargetsBehindPointersMayNotBeThere) {
  EXPECT_THAT(Lacking([](ScopBuilder&) {}), ElementsAre("S0"));
  EXPECT_THAT(Lacking(SetTo("n")), ElementsAre("S1"));
  EXPECT_THAT(Lacking(SetTo("n + 1")), IsEmpty());
  EXPECT_THAT(Lacking(SetTo("n + 1"), "", {}), IsEmpty());
  // An access that the same data prevent says nothing.
  EXPECT_THAT(Lacking([](ScopBuilder& builder) {
                builder.Begin("i", "0 <= i < n")
                    .Assign({"c", "i"}, {{"c", "i"}, {"x", "i + 1"}},
                            Operation("?:", {Read(0), Read(1), Literal("2")}))
                    .End();
              }),
              ElementsAre("S1"));
}

TEST(CertainAccess, ArraysHaveWhatTheyAreDeclaredWith) {
  EXPECT_THAT(Lacking([](ScopBuilder&) {}, "10"), ElementsAre("S0"));
  EXPECT_THAT(Lacking([](ScopBuilder&) {}, "11"), IsEmpty());
  EXPECT_THAT(Lacking([](ScopBuilder&) {}, "n + 1"), IsEmpty());
  EXPECT_THAT(Lacking([](ScopBuilder&) {}, "n"), ElementsAre("S0"));
  EXPECT_THAT(Lacking([](ScopBuilder&) {}, "n + 1", {}), ElementsAre("S0"));
}

// if (c[i]) x[c[i]] += 1; where the condition does not hold it would be x[0].
TEST(CertainAccess, FirstElementsStandForThoseThatDataDecide) {
  const auto lacking = [](bool is_pointer, bool sets) {
    ScopBuilder builder("scattered", {}, "");
    builder.Array("x", {"9"}).Array("c", {"8"});
    if (sets) builder.Assign({"x", "0"}, {}, Literal("0"));
    const v1::Expression choice = Operation("?:", {Read(0), Literal("1"), testing::Negate(Literal("0.0"))});
    builder.Begin("i", "0 <= i < 8")
        .Update(v1::ADD, {"x", "o", "0 <= o < 9"}, {{"c", "i"}}, testing::UpdateOf(choice, {Read(0, "int")}))
        .End();
    v1::Scop scop = builder.Build();
    scop.mutable_arrays(0)->set_is_pointer(is_pointer);
    return Lacking(scop, {});
  };
  EXPECT_THAT(lacking(/*is_pointer=*/true, /*sets=*/false), ElementsAre("S0"));
  EXPECT_THAT(lacking(/*is_pointer=*/true, /*sets=*/true), IsEmpty());
  EXPECT_THAT(lacking(/*is_pointer=*/false, /*sets=*/false), IsEmpty());
}

TEST(CertainAccess, BranchesAreNotCertain) {
  const v1::Scop scop = ScopBuilder("branches", {}, "")
                            .Array("x", {"9"})
                            .Begin("i", "0 <= i < 8")
                            .Assign({"x", "i"}, {{"x", "i"}, {"x", "i + 1"}, {"x", "0"}},
                                    testing::Add(Operation("?:", {Read(0), Read(1), Literal("1")}), Read(2)))
                            .End()
                            .Build();
  EXPECT_THAT(CertainAccesses(scop, scop.statements(0)), ElementsAre(true, false, true, true));
}

}  // namespace
}  // namespace tune
