#include "common/transform/repeated_values/single_values.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/base/random.h"
#include "tests/common/testing/scop_builder.h"
#include "tests/common/transform/expansion/expansion_check.h"

namespace tune {
namespace {

using testing::Add;
using testing::Analysis;
using testing::Divide;
using testing::ExpectSameResults;
using ::testing::HasSubstr;
using testing::Literal;
using testing::Multiply;
using ::testing::Not;
using testing::Read;
using testing::ScopBuilder;
using testing::Values;

std::optional<v1::Scop> Once(const v1::Scop& scop, const Values& values, int64_t least = kLeastRepeats) {
  const auto analysis = Analysis::Make(scop, values).value();
  const auto made = ComputeOnce(analysis->context, *analysis->scop, analysis->dependences, values, least);
  EXPECT_TRUE(made.ok()) << made.status();
  return made.value_or(std::nullopt);
}

// In the order of the result, and in another one that its dependences allow.
void ExpectSame(const v1::Scop& scop, const v1::Scop& once, const Values& values) {
  SCOPED_TRACE(PrintScop(once));
  ExpectSameResults(scop, once, values);
  IslContext context;
  const auto parsed = ParseScop(context, once);
  ASSERT_TRUE(parsed.ok()) << parsed.status();
  for (const ParsedStatement& statement : (*parsed)->statements)
    EXPECT_FALSE(statement.domain.is_empty()) << statement.name;
  const auto other = testing::Rescheduled(once, values);
  ASSERT_TRUE(other.ok()) << other.status();
  // Single instances that need nothing of each other may have no order.
  if (ParseScop(context, *other).ok()) ExpectSameResults(scop, *other, values);
}

const v1::Array* Find(const v1::Scop& scop, const std::string& name) {
  for (const v1::Array& array : scop.arrays()) {
    if (array.name() == name) return &array;
  }
  return nullptr;
}

v1::Expression Quotient(int coefficient, int before, int other) {  // coefficient / (before + other)
  return Divide(Read(coefficient), Add(Read(before), Read(other)));
}

// In each of `steps` the lines of q are solved forward with the coefficients p, and back.
ScopBuilder Lines(const std::string& first) {
  return std::move(ScopBuilder("lines", {"steps", "n"}, "steps >= 1 and n >= 4")
                       .Array("c", {})
                       .Array("p", {"n", "n"})
                       .Array("q", {"n", "n"})
                       .Begin("t", "0 <= t < steps")
                       .Begin("i", "1 <= i < n - 1")
                       .Assign({"p", first}, {{"c", ""}}, Read(0))
                       .Begin("j", "1 <= j < n")
                       .Assign({"p", "i, j"}, {{"c", ""}, {"p", "i, j - 1"}}, Quotient(0, 1, 0))
                       .Assign({"q", "i, j"}, {{"q", "i, j"}, {"q", "i, j - 1"}, {"p", "i, j - 1"}},
                               Add(Read(0), Multiply(Read(1), Read(2))))
                       .End()
                       .Begin("j", "0 <= j < n - 1", /*decreasing=*/true)
                       .Assign({"q", "i, j"}, {{"q", "i, j"}, {"q", "i, j + 1"}, {"p", "i, j"}},
                               Add(Read(0), Multiply(Read(1), Read(2))))
                       .End()
                       .End()
                       .End());
}

TEST(SingleValuesTest, CoefficientsOfLines) {
  const v1::Scop scop = Lines("i, 0").Build();
  const Values values = {{"steps", 3}, {"n", 18}};
  const std::optional<v1::Scop> once = Once(scop, values);
  ASSERT_TRUE(once.has_value());
  ASSERT_NE(Find(*once, "p_values"), nullptr);
  ASSERT_EQ(Find(*once, "p_values")->extents_size(), 1);
  EXPECT_EQ(Find(*once, "p_values")->extents(0).c_expression(), "18");
  ASSERT_EQ(once->statements_size(), 6);
  // The recurrence is by itself, along j alone; p is written in the last step.
  EXPECT_EQ(once->statements(5).iterators_size(), 1);
  EXPECT_THAT(once->statements(5).accesses(1).relation(), HasSubstr("p_values[-1 + j]"));
  EXPECT_THAT(once->statements(1).domain(), HasSubstr("t = -1 + steps"));
  // All others read what it computes.
  for (const int s : {2, 3}) EXPECT_EQ(once->statements(s).accesses(2).array(), "p_values");
  ExpectSame(scop, *once, values);
}

// The line's coefficients are kept in one row.
TEST(SingleValuesTest, OneRow) {
  const v1::Scop scop =
      ScopBuilder("row", {"n"}, "n >= 4")
          .Array("c", {"n"})
          .Array("p", {"n"})
          .Array("q", {"n", "n"})
          .Begin("i", "0 <= i < n", /*decreasing=*/true)
          .Assign({"p", "0"}, {}, Literal("0.25"))
          .Begin("j", "1 <= j < n")
          .Assign({"p", "j"}, {{"c", "j"}, {"p", "j - 1"}}, Quotient(0, 1, 0))
          .Assign({"q", "i, j"}, {{"q", "i, j - 1"}, {"p", "j"}}, Multiply(Read(0), Read(1)))
          .End()
          .End()
          .Build();
  const Values values = {{"n", 20}};
  const std::optional<v1::Scop> once = Once(scop, values);
  ASSERT_TRUE(once.has_value());
  EXPECT_EQ(once->statements(2).accesses(1).array(), "p_values");
  ExpectSame(scop, *once, values);
}

TEST(SingleValuesTest, TooFewLines) {
  EXPECT_FALSE(Once(Lines("i, 0").Build(), {{"steps", 1}, {"n", 8}}).has_value());
}

// One row begins with its own number.
TEST(SingleValuesTest, LinesThatDiffer) {
  const auto with = [](const std::string& element, v1::Expression value) {
    return ScopBuilder("differ", {"n"}, "n >= 4")
        .Array("c", {"n", "n"})
        .Array("p", {"n", "n"})
        .Begin("i", "0 <= i < n")
        .Assign({"p", "i, 0"}, {{"c", element}}, std::move(value))
        .Begin("j", "1 <= j < n")
        .Assign({"p", "i, j"}, {{"c", "0, j"}, {"p", "i, j - 1"}}, Quotient(0, 1, 0))
        .End()
        .End()
        .Build();
  };
  const Values values = {{"n", 18}};
  EXPECT_TRUE(Once(with("0, 0", Read(0)), values).has_value());
  EXPECT_TRUE(Once(with("n - 1, 3", Read(0)), values).has_value());
  EXPECT_FALSE(Once(with("i, 0", Read(0)), values).has_value());
}

// The first value is there before the region: the recurrence would go on through the array itself.
TEST(SingleValuesTest, ValuesFromBefore) {
  const v1::Scop scop =
      ScopBuilder("before", {"n"}, "n >= 4")
          .Array("p", {"n"})
          .Begin("i", "0 <= i < n")
          .Begin("j", "1 <= j < n")
          .Assign({"p", "j"}, {{"p", "j - 1"}}, Divide(Literal("1.0"), Add(Read(0), Literal("2.0"))))
          .End()
          .End()
          .Build();
  EXPECT_FALSE(Once(scop, {{"n", 20}}).has_value());
}

// What is not a recurrence is as fast where it is needed.
TEST(SingleValuesTest, NoRecurrence) {
  const v1::Scop scop = ScopBuilder("plain", {"n"}, "n >= 4")
                            .Array("c", {"n"})
                            .Array("p", {"n", "n"})
                            .Begin("i", "0 <= i < n")
                            .Begin("j", "0 <= j < n")
                            .Assign({"p", "i, j"}, {{"c", "j"}}, Multiply(Read(0), Read(0)))
                            .End()
                            .End()
                            .Build();
  EXPECT_FALSE(Once(scop, {{"n", 20}}).has_value());
}

// A value that changes from step to step, and one that a later statement of the step overwrites in one line.
TEST(SingleValuesTest, ValuesThatChange) {
  const Values values = {{"steps", 3}, {"n", 18}};
  const v1::Scop steps = ScopBuilder("steps", {"steps", "n"}, "steps >= 1 and n >= 4")
                             .Array("c", {"steps"})
                             .Array("p", {"n", "n"})
                             .Begin("t", "0 <= t < steps")
                             .Begin("i", "0 <= i < n")
                             .Assign({"p", "i, 0"}, {{"c", "t"}}, Read(0))
                             .Begin("j", "1 <= j < n")
                             .Assign({"p", "i, j"}, {{"c", "0"}, {"p", "i, j - 1"}}, Quotient(0, 1, 0))
                             .End()
                             .End()
                             .End()
                             .Build();
  const std::optional<v1::Scop> once = Once(steps, values);
  if (once) ExpectSame(steps, *once, values);
  const v1::Scop changed =
      ScopBuilder("changed", {"n"}, "n >= 4")
          .Array("p", {"n", "n"})
          .Array("q", {"n", "n"})
          .Begin("i", "0 <= i < n")
          .Assign({"p", "i, 0"}, {}, Literal("0.5"))
          .Begin("j", "1 <= j < n")
          .Assign({"p", "i, j"}, {{"p", "i, j - 1"}}, Divide(Literal("1.0"), Add(Read(0), Literal("2.0"))))
          .End()
          .Assign({"p", "i, 3"}, {{"q", "0, 0"}}, Read(0))
          .Begin("j", "1 <= j < n")
          .Assign({"q", "i, j"}, {{"p", "i, j - 1"}, {"q", "i, j"}}, Multiply(Read(0), Read(1)))
          .End()
          .End()
          .Build();
  const std::optional<v1::Scop> kept = Once(changed, {{"n", 18}});
  if (kept) ExpectSame(changed, *kept, {{"n", 18}});
}

// One or two loops around recurrences along j, in rows and matrices, and what reads their values; now and
// then something depends on the loops around, or another statement writes what they wrote.
class RandomLines {
 public:
  explicit RandomLines(uint64_t seed) : random_(seed) {}

  v1::Scop Make() {
    ScopBuilder builder("random", {"n"}, "n >= 4");
    builder.Array("c", {"n", "n"}).Array("p", {"n", "n"}).Array("r", {"n"}).Array("q", {"n", "n"});
    around_ = 1 + Below(2);
    for (int d = 0; d < around_; ++d)
      builder.Begin(kAround[d], absl::StrCat("1 <= ", kAround[d], " < n"), /*decreasing=*/Below(3) == 0);
    const int nests = 1 + Below(2);
    for (int nest = 0; nest < nests; ++nest) {
      first_ = Below(3) == 0 ? "r" : "p";
      line_ = Around();
      if (Below(6) == 0) {
        builder.Assign(At("0"), {{"c", Around() + ", 0"}}, Read(0));
      } else {
        builder.Assign(At("0"), {}, Literal("0.5"));
      }
      builder.Begin("j", "1 <= j < n");
      const int count = 1 + Below(3);
      for (int s = 0; s < count; ++s) Step(builder);
      builder.End();
      if (Below(4) == 0) builder.Assign(At(Below(2) == 0 ? "1" : "n - 1"), {}, Literal("0.75"));
      if (Below(2) == 0) Use(builder);
    }
    for (int d = 0; d < around_; ++d) builder.End();
    return builder.Build();
  }

 private:
  static constexpr const char* kAround[] = {"t", "i"};

  int Below(int bound) { return static_cast<int>(random_.Below(bound)); }
  std::string Around() { return Below(5) == 0 ? "0" : kAround[Below(around_)]; }
  testing::Element At(const std::string& place) const {
    if (first_ == "r") return {"r", place};
    return {"p", absl::StrCat(line_, ", ", place)};
  }
  void Step(ScopBuilder& builder) {
    const v1::Expression value = Divide(Literal("1.0"), Add(Read(0), Add(Read(1), Literal("1.5"))));
    const testing::Element coefficient = {"c", absl::StrCat(Below(8) == 0 ? Around() : "0", ", j")};
    if (Below(3) > 0) {
      builder.Assign(At("j"), {At("j - 1"), coefficient}, value);
    } else {
      const std::string place = Around();
      builder.Assign({"q", place + ", j"}, {At(Below(2) == 0 ? "j" : "j - 1"), {"q", place + ", j - 1"}},
                     value);
    }
  }
  void Use(ScopBuilder& builder) {
    builder.Begin("j", "1 <= j < n", /*decreasing=*/Below(2) == 0);
    builder.Assign({"q", absl::StrCat("j, ", Around())}, {At("j"), At("n - j")}, Add(Read(0), Read(1)));
    builder.End();
  }

  Random random_;
  int around_ = 1;
  std::string first_, line_;  // array of the recurrence, and its row
};

TEST(SingleValuesTest, RandomLines) {
  int found = 0;
  for (uint64_t seed = 0; seed < 100; ++seed) {
    SCOPED_TRACE(seed);
    const v1::Scop scop = RandomLines(seed).Make();
    const Values values = {{"n", 5}};
    const std::optional<v1::Scop> once = Once(scop, values, /*least=*/2);
    if (!once) continue;
    ++found;
    ExpectSame(scop, *once, values);
  }
  EXPECT_GE(found, 30);
}

}  // namespace
}  // namespace tune
