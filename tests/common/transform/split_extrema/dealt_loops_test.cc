#include "common/transform/split_extrema/dealt_loops.h"

#include <gtest/gtest.h>

#include "absl/strings/str_join.h"
#include "common/isl/relations.h"

namespace tune {
namespace {

struct Nest {
  std::string name, outer, inner;  // conditions of i, and of j; "": no such loop
  std::vector<std::string> times;
  std::vector<int64_t> parts;
};

class DealtLoopsTest : public ::testing::TestWithParam<Nest> {};

TEST_P(DealtLoopsTest, InstancesAreThoseOfTheStatementInOrder) {
  const Nest& nest = GetParam();
  IslContext context;
  const std::string tuple = nest.inner.empty() ? "S0[i]" : "S0[i, j]";
  ParsedStatement statement;
  statement.name = "S0";
  const auto dealt = context.Run("test", [&]() -> absl::StatusOr<std::string> {
    const std::string condition = nest.inner.empty() ? nest.outer : nest.outer + " and " + nest.inner;
    statement.domain = isl::set(context.ctx(), "[n] -> { " + tuple + " : " + condition + " }");
    std::vector<isl::pw_aff> times;
    isl::map time(context.ctx(), "[n] -> { " + tuple + " -> [" + absl::StrJoin(nest.times, ", ") + "] }");
    for (const std::string& one : nest.times)
      times.emplace_back(context.ctx(), "[n] -> { " + tuple + " -> [(" + one + ")] }");
    const isl::set values(context.ctx(), "[n] -> { : n = 11 }");
    std::optional<DealtLoops> loops = DealtLoops::Of(statement, times, values);
    if (!loops) return absl::NotFoundError("no loops");
    loops->Deal(nest.parts);
    const isl::set instances = loops->Instances(statement).intersect_params(values);
    const isl::map origin = loops->Origin("S0").as_map();
    // A relation between the instances and the statement's that has each of both once.
    const isl::map pairs = origin.intersect_domain(instances);
    EXPECT_TRUE(pairs.is_bijective());
    EXPECT_TRUE(pairs.range().is_equal(statement.domain.intersect_params(values)));
    // Numbers are those of the order of times, at least 1, and all parts are below their count.
    const isl::map number = loops->Number("S0").as_map();
    const isl::map by_time = time.intersect_domain(pairs.range()).reverse().apply_range(pairs.reverse());
    const isl::map numbers = by_time.apply_range(number);  // [t] -> [number]
    EXPECT_TRUE(numbers.is_bijective());
    EXPECT_GE(numbers.range().dim_min_val(0).num_si(), 1);
    const isl::map earlier = LexLess(numbers.domain().space())  // [t] -> [t']
                                 .intersect_domain(numbers.domain())
                                 .intersect_range(numbers.domain());
    EXPECT_TRUE(earlier.apply_domain(numbers).apply_range(numbers).is_subset(
        isl::map(context.ctx(), "{ [a] -> [b] : a < b }")));
    const isl::set parts = instances.apply(loops->Part("S0", "A"));
    EXPECT_GE(parts.dim_min_val(0).num_si(), 0);
    EXPECT_LT(parts.dim_max_val(0).num_si(), loops->PartCount());
    return std::string();
  });
  EXPECT_TRUE(dealt.ok()) << dealt.status();
}

INSTANTIATE_TEST_SUITE_P(
    Nests, DealtLoopsTest,
    ::testing::Values(Nest{"OneLoop", "1 <= i < n", "", {"i"}, {4}},
                      Nest{"AsManyParts", "0 <= i < n", "", {"i"}, {11}},
                      Nest{"Down", "0 <= i < n", "", {"-i"}, {3}},
                      Nest{"Steps", "2 <= i < n and i mod 3 = 2", "", {"i"}, {2}},
                      Nest{"StepsDown", "0 <= i < n and (n - i) mod 2 = 1", "", {"5 - i"}, {3}},
                      Nest{"TwoLoops", "0 <= i < n", "2 <= j < 9", {"i", "j"}, {3, 7}},
                      Nest{"InnerAlone", "0 <= i < n", "2 <= j < 9", {"i", "-j"}, {1, 3}},
                      Nest{"Triangle", "0 <= i < n", "i <= j < n", {"i", "j"}, {2, 4}},
                      Nest{"Exchanged", "0 <= i < n", "0 <= j < i", {"j", "i"}, {3, 2}},
                      Nest{"WithoutOne", "0 <= i < n and i != 4", "", {"i"}, {5}}),
    [](const ::testing::TestParamInfo<Nest>& info) { return info.param.name; });

TEST(DealtLoops, NeedTimesThatTellIterationsApart) {
  IslContext context;
  const auto tried = context.Run("test", [&]() -> absl::StatusOr<bool> {
    ParsedStatement statement;
    statement.name = "S0";
    statement.domain = isl::set(context.ctx(), "[n] -> { S0[i] : 0 <= i < n }");
    const auto has = [&](const std::string& time, const std::string& values) {
      return DealtLoops::Of(statement, {isl::pw_aff(context.ctx(), "[n] -> { S0[i] -> [(" + time + ")] }")},
                            isl::set(context.ctx(), "[n] -> { : " + values + " }"))
          .has_value();
    };
    EXPECT_TRUE(has("i", "n = 10"));
    EXPECT_FALSE(has("floor(i/2)", "n = 10"));
    EXPECT_FALSE(has("0", "n = 10"));
    EXPECT_FALSE(has("i", "n = 0"));
    EXPECT_FALSE(has("i", "n = 3000000000")) << "their numbers are no ints";
    return true;
  });
  EXPECT_TRUE(tried.ok()) << tried.status();
}

}  // namespace
}  // namespace tune
