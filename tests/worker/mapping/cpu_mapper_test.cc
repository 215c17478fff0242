#include "worker/mapping/cpu_mapper.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/decision/configuration.h"
#include "common/isl/schedule_node.h"
#include "common/mapping/loop_mark.h"
#include "common/schedule/legality.h"
#include "common/transform/loop_tiles/loop_tiles.h"
#include "tests/common/testing/random_chooser.h"
#include "tests/common/testing/sample_scops.h"

namespace tune {
namespace {

// Pairs of instances that the loop right below the mark `node` puts into different iterations, while all
// outer loops agree: { S -> S }.
isl::union_map CarriedPairs(const isl::schedule_node& node, const isl::union_map& dependences) {
  const isl::schedule_node_band band = node.child(0).as<isl::schedule_node_band>();
  const isl::union_set domain = NodeDomain(node);
  const isl::union_map inside = dependences.intersect_domain(domain).intersect_range(domain);
  isl::union_map pairs = inside;
  if (ScheduleDepth(node) > 0) {
    pairs = pairs.eq_at(band.prefix_schedule_multi_union_pw_aff());
  }
  return pairs.subtract(pairs.eq_at(band.partial_schedule()));
}

// Pairs of accesses to one element of an array that the mark does not make private, one of them a write:
// { S -> S }.
isl::union_map SharedConflicts(const ParsedScop& scop, const LoopMark& mark) {
  const auto shared = [&](const isl::union_map& accesses) {  // { S -> A }
    isl::union_map kept = isl::union_map::empty(scop.domain.ctx());
    accesses.foreach_map([&](const isl::map& map) {
      const std::string name = map.range_tuple_id().name();
      if (std::count(mark.local.begin(), mark.local.end(), name) == 0 &&
          std::count(mark.last.begin(), mark.last.end(), name) == 0) {
        kept = kept.unite(isl::union_map(map));
      }
    });
    return kept;
  };
  const isl::union_map writes = shared(scop.writes), all = shared(scop.reads).unite(writes);
  return all.apply_range(writes.reverse()).unite(writes.apply_range(all.reverse()));
}

// A loop marked parallel or simd must carry no value, and no other dependence but of what it has private.
void ExpectIndependentIterations(const isl::schedule& schedule, const ParsedScop& scop,
                                 const Dependences& dependences) {
  const isl::union_map all = dependences.validity();
  schedule.root().foreach_descendant_top_down([&](isl::schedule_node node) {
    if (!node.isa<isl::schedule_node_mark>()) return true;
    const std::string name = MarkId(node).name();
    const std::optional<LoopMark> mark = ParseLoopMark(name);
    if (!mark || (!mark->parallel && !mark->simd)) return true;
    EXPECT_TRUE(CarriedPairs(node, dependences.flow).is_empty()) << name << " carries a value";
    EXPECT_TRUE(CarriedPairs(node, all).intersect(SharedConflicts(scop, *mark)).is_empty())
        << name << " carries a dependence";
    return true;
  });
}

class CpuMapperTest : public ::testing::TestWithParam<testing::SampleScop> {};

TEST_P(CpuMapperTest, RandomPlansAreLegalAndTheirMarksHold) {
  const testing::SampleScop& sample = GetParam();
  CpuSpaceOptions options;
  options.hardware_threads = 4;
  // Large enough for tiles of several sizes to fit.
  std::map<std::string, int64_t> values;
  for (const auto& [name, value] : sample.small) values[name] = 10 * value + 3;
  const auto made = CpuSpace::Make(WithParameterFacts(sample.make(), values), values, options);
  ASSERT_TRUE(made.ok()) << made.status();
  CpuSpace& space = **made;
  const auto dependences = ComputeDependences(space.context(), space.scop());
  ASSERT_TRUE(dependences.ok()) << dependences.status();
  for (int seed = 0; seed < 12; ++seed) {
    SCOPED_TRACE(seed);
    testing::RandomChooser chooser(seed);
    const auto plan = space.Walk(chooser);
    ASSERT_TRUE(plan.ok()) << plan.status();
    const auto mapped = MapCpuPlan(space.context(), *plan, values);
    ASSERT_TRUE(mapped.ok()) << mapped.status();
    EXPECT_EQ(CheckLegal(space.context(), *mapped, space.scop(), *dependences), absl::OkStatus());
    EXPECT_TRUE(mapped->domain().is_equal(plan->scheduled->tree.domain()));
    ExpectIndependentIterations(*mapped, space.scop(), *dependences);
  }
}

INSTANTIATE_TEST_SUITE_P(Samples, CpuMapperTest, ::testing::ValuesIn(testing::SampleScops()),
                         [](const auto& info) { return info.param.name; });

// Finds a plan's loop marks in its mapped tree.
std::vector<std::string> Marks(const isl::schedule& schedule) {
  std::vector<std::string> marks;
  schedule.root().foreach_descendant_top_down([&](isl::schedule_node node) {
    if (node.isa<isl::schedule_node_mark>()) {
      marks.push_back(MarkId(node).name());
    }
    return true;
  });
  return marks;
}

// By default, but with the region's own loops.
class WrittenChooser : public DefaultChooser {
 public:
  absl::StatusOr<int> Choose(const DecisionPoint& point) override {
    return point.key == "loops" ? 0 : DefaultChooser::Choose(point);
  }
};

// The default plan of gemm as it is written, to be changed by a test.
class GemmMapperTest : public ::testing::Test {
 protected:
  GemmMapperTest() : values_{{"ni", 100}, {"nj", 110}, {"nk", 120}} {
    CpuSpaceOptions options;
    options.hardware_threads = 4;
    space_ = CpuSpace::Make(WithParameterFacts(testing::GemmScop(), values_), values_, options).value();
    WrittenChooser chooser;
    plan_ = space_->Walk(chooser).value();
  }
  std::map<std::string, int64_t> values_;
  std::unique_ptr<CpuSpace> space_;
  CpuPlan plan_;
};

TEST_F(GemmMapperTest, MarksTheDefaultPlan) {
  const auto mapped = MapCpuPlan(space_->context(), plan_, values_);
  ASSERT_TRUE(mapped.ok()) << mapped.status();
  EXPECT_THAT(Marks(*mapped), ::testing::Contains("loop: parallel"));
  EXPECT_THAT(Marks(*mapped), ::testing::Contains("loop: simd"));
}

TEST_F(GemmMapperTest, RefusesAPlanOfAnotherTree) {
  CpuPlan wrong = plan_;
  wrong.kernels.pop_back();
  EXPECT_EQ(MapCpuPlan(space_->context(), wrong, values_).status().code(), absl::StatusCode::kInternal);
  wrong = plan_;
  BandTiles tiles = wrong.kernels[0].Get<BandTiles>();
  tiles.sizes.at(0).push_back(8);
  wrong.kernels[0].Set(tiles);
  EXPECT_EQ(MapCpuPlan(space_->context(), wrong, values_).status().code(), absl::StatusCode::kInternal);
  wrong = plan_;
  wrong.kernels[0].name = "k[S9]";
  EXPECT_EQ(MapCpuPlan(space_->context(), wrong, values_).status().code(), absl::StatusCode::kInternal);
}

// By default gemm's product is in register tiles: its plain loops below the mark, in that order.
TEST_F(GemmMapperTest, MarksProducts) {
  DefaultChooser chooser;
  const CpuPlan plan = space_->Walk(chooser).value();
  const auto mapped = MapCpuPlan(space_->context(), plan, values_);
  ASSERT_TRUE(mapped.ok()) << mapped.status();
  EXPECT_THAT(Marks(*mapped), ::testing::Contains("product: tile fittedx2, blocks 24 64 128, parallel"));
  const Dependences dependences = ComputeDependences(space_->context(), space_->scop()).value();
  EXPECT_EQ(CheckLegal(space_->context(), *mapped, space_->scop(), dependences), absl::OkStatus());
}

}  // namespace
}  // namespace tune
