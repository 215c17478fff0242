#include "common/kernel/kernel.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/isl/schedule_node.h"
#include "common/kernel/sum_bounds.h"
#include "common/kernel/trip_count.h"
#include "tests/common/testing/enumeration.h"
#include "tests/common/testing/random_scops.h"
#include "tests/common/testing/sample_scops.h"

namespace tune {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using testing::Multiply;
using testing::Read;

using Values = std::map<std::string, int64_t>;

// Schedules a scop with the default options and selects its kernels.
struct Subject {
  Subject(const v1::Scop& proto, const Values& values, const ScheduleOptions& options = {})
      : scop(ParseScop(context, WithParameterFacts(proto, values)).value()), values(values) {
    const Dependences dependences = ComputeDependences(context, *scop).value();
    schedule = ComputeSchedule(context, *scop, dependences, options).value();
    scheduled = SelectKernels(context, schedule, *scop, dependences, values).value();
  }

  std::vector<std::string> Names() const {
    std::vector<std::string> names;
    for (const Kernel& kernel : scheduled->kernels) names.push_back(kernel.name);
    return names;
  }

  IslContext context;
  std::shared_ptr<const ParsedScop> scop;
  Values values;
  isl::schedule schedule;
  std::shared_ptr<const ScheduledScop> scheduled;
};

std::vector<std::string> MarksOf(const isl::schedule& schedule) {
  std::vector<std::string> marks;
  schedule.root().foreach_descendant_top_down([&](const isl::schedule_node& node) {
    if (node.isa<isl::schedule_node_mark>()) {
      marks.push_back(isl::id(MarkId(node)).name());
    }
    return true;
  });
  return marks;
}

// In a triangle the sums of a row are as long as its number; where only their places are one, all are alike.
TEST(KernelTest, MembersBoundSums) {
  const Subject product(testing::GemmScop(), {{"ni", 20}, {"nj", 30}, {"nk", 40}});
  EXPECT_THAT(product.scheduled->kernels[0].bounds_sums, ElementsAre(false, false, false));
  for (const auto& [sums, bound] :
       std::map<std::string, std::vector<bool>>{{"0 <= l <= i", {true, false, false}},
                                                {"j <= l <= i", {true, true, false}},
                                                {"0 <= l < n", {false, false, false}}}) {
    const std::string domain = "{ S0[i, j, l] : 0 <= i < n and 0 <= j <= i and " + sums + " }";
    IslContext context;
    const absl::Status status = context.Run("a test", [&]() -> absl::Status {
      const isl::union_set instances(context.ctx(), "[n] -> " + domain);
      const isl::multi_union_pw_aff members(
          context.ctx(),
          "[n] -> [{ S0[i, j, l] -> [(i)] }, { S0[i, j, l] -> [(j)] }, { S0[i, j, l] -> [(l)] }]");
      const isl::schedule_node band =
          isl::schedule::from_domain(instances).root().child(0).insert_partial_schedule(members);
      EXPECT_EQ(MembersThatBoundSums(band.as<isl::schedule_node_band>(), {true, true, false},
                                     isl::set(context.ctx(), "[n] -> { : n = 9 }")),
                bound);
      return absl::OkStatus();
    });
    EXPECT_TRUE(status.ok()) << status;
  }
}

TEST(KernelTest, GemmIsOneKernel) {
  const Subject subject(testing::GemmScop(), {{"ni", 20}, {"nj", 30}, {"nk", 40}});
  ASSERT_THAT(subject.Names(), ElementsAre("k[S0,S1]"));
  const Kernel& kernel = subject.scheduled->kernels[0];
  EXPECT_THAT(kernel.statements, ElementsAre("S0", "S1"));
  EXPECT_EQ(kernel.host_depth, 0);
  EXPECT_THAT(kernel.read_only_arrays, ElementsAre("A", "B"));
  EXPECT_EQ(kernel.constant_references, 2);
  ASSERT_EQ(kernel.bands.size(), 1u);
  EXPECT_TRUE(kernel.bands[0].permutable);
  EXPECT_TRUE(kernel.bands[0].innermost);
  EXPECT_EQ(kernel.bands[0].depth, 0);
  std::vector<int64_t> counts = kernel.bands[0].trip_counts;
  std::sort(counts.begin(), counts.end());
  EXPECT_THAT(counts, ElementsAre(20, 30, 40));
}

// Of A and C, once what two statements read; what stays the same over a loop does not count for it. A double
// is two words, what is written none.
TEST(KernelTest, IterationsReadWords) {
  const v1::Scop scop =
      testing::ScopBuilder("f", {"n"}, "n >= 4")
          .Array("A", {"n", "n"})
          .Array("C", {"n"})
          .Array("x", {"n", "n"})
          .Array("y", {"n", "n"})
          .Begin("i", "0 <= i < n")
          .Begin("j", "1 <= j < n")
          .Assign({"x", "i, j"}, {{"x", "i, j - 1"}, {"A", "i, j"}, {"A", "i, j - 1"}, {"C", "i"}},
                  Multiply(Multiply(Read(0), Read(1)), Multiply(Read(2), Read(3))))
          .Assign({"y", "i, j"}, {{"y", "i, j - 1"}, {"A", "i, j"}, {"x", "i, j"}},
                  Multiply(Multiply(Read(0), Read(1)), Read(2)))
          .End()
          .End()
          .Build();
  const Subject subject(scop, {{"n", 50}});
  ASSERT_EQ(subject.scheduled->kernels.size(), 1u);
  ASSERT_EQ(subject.scheduled->kernels[0].bands.size(), 1u);
  const KernelBand& band = subject.scheduled->kernels[0].bands[0];
  ASSERT_THAT(band.coincident, ElementsAre(true, false));
  EXPECT_THAT(band.words_read, ElementsAre(6, 4));
  EXPECT_THAT(band.along_rows, ElementsAre(true, true));  // C, and all others
  const Subject gemm(testing::GemmScop(), {{"ni", 20}, {"nj", 30}, {"nk", 40}});
  std::vector<int64_t> words = gemm.scheduled->kernels[0].bands[0].words_read;
  std::sort(words.begin(), words.end());
  EXPECT_THAT(words, ElementsAre(2, 2, 4));  // rows, columns, terms
  EXPECT_THAT(
      Subject(testing::Jacobi1dScop(), {{"steps", 10}, {"n", 50}}).scheduled->kernels[0].bands[0].words_read,
      IsEmpty());
}

// What is written lies along the rows that are gone along, or columns.
TEST(KernelTest, IterationsGoAlongRows) {
  const auto along = [](const std::string& element, const std::string& before, const std::string& read) {
    const v1::Scop scop =
        testing::ScopBuilder("f", {"n"}, "n >= 4")
            .Array("A", {"n", "2 * n"})
            .Array("x", {"2 * n", "2 * n"})
            .Begin("i", "0 <= i < n")
            .Begin("j", "1 <= j < n")
            .Assign({"x", element}, {{"x", before}, {"A", read}}, Multiply(Read(0), Read(1)))
            .End()
            .End()
            .Build();
    const Subject subject(scop, {{"n", 50}});
    const KernelBand& band = subject.scheduled->kernels.at(0).bands.at(0);
    EXPECT_THAT(band.coincident, ElementsAre(true, false));
    return band.along_rows;
  };
  EXPECT_THAT(along("i, j", "i, j - 1", "j, i"), ElementsAre(true, true));
  EXPECT_THAT(along("j, 2i", "j - 1, 2i", "i, j"), ElementsAre(false, true));
  EXPECT_THAT(along("j, 2i", "j - 1, 2i", "j, 2i"), ElementsAre(false, false));
  EXPECT_THAT(along("2i, n - j", "2i, n - j + 1", "j, 2i"), ElementsAre(false, true));
  EXPECT_THAT(along("i, 2j", "i, 2j - 2", "i, 0"), ElementsAre(false, false));
}

// Where no member is a loop, what is read alone.
TEST(KernelTest, CoincidentMembersReadAlongRows) {
  const auto along = [](const std::string& written, const std::string& read) {
    const v1::Scop scop = testing::ScopBuilder("f", {"n"}, "n >= 4")
                              .Array("A", {"n", "n"})
                              .Array("x", {"n", "n"})
                              .Begin("i", "0 <= i < n")
                              .Begin("j", "0 <= j < n")
                              .Assign({"x", written}, {{"A", read}}, Read(0))
                              .End()
                              .End()
                              .Build();
    const Subject subject(scop, {{"n", 50}});
    const KernelBand& band = subject.scheduled->kernels.at(0).bands.at(0);
    EXPECT_THAT(band.coincident, ElementsAre(true, true));
    EXPECT_THAT(band.words_read, IsEmpty());
    return band.along_rows;
  };
  EXPECT_THAT(along("i, j", "i, j"), ElementsAre(false, true));
  EXPECT_THAT(along("j, i", "j, i"), ElementsAre(true, false));
  EXPECT_THAT(along("j, i", "i, j"), ElementsAre(false, true));
}

TEST(KernelTest, TimeLoopStaysOnTheHost) {
  const Subject subject(testing::Jacobi1dScop(), {{"steps", 10}, {"n", 50}});
  EXPECT_THAT(subject.Names(), ElementsAre("k[S0]@1", "k[S1]@1"));
  for (const Kernel& kernel : subject.scheduled->kernels) {
    EXPECT_EQ(kernel.host_depth, 1);
    ASSERT_EQ(kernel.bands.size(), 1u);
    EXPECT_EQ(kernel.bands[0].depth, 1);
    EXPECT_THAT(kernel.bands[0].coincident, ElementsAre(true));
    EXPECT_THAT(kernel.bands[0].trip_counts, ElementsAre(48));
    EXPECT_EQ(kernel.bytes_of_iteration, 16);
  }
  EXPECT_THAT(subject.scheduled->kernels[0].read_only_arrays, ElementsAre("A"));
}

TEST(KernelTest, StatementsWithoutLoopsAreKernelsWithoutBands) {
  const Subject subject(testing::ZeroDimScop(), {{"n", 50}});
  ASSERT_THAT(subject.Names(), ElementsAre("k[S0]", "k[S1]", "k[S2]"));
  EXPECT_THAT(subject.scheduled->kernels[0].bands, IsEmpty());
  EXPECT_EQ(subject.scheduled->kernels[1].bands.size(), 1u);
  EXPECT_THAT(subject.scheduled->kernels[2].bands, IsEmpty());
}

// In place of three launches of one thread each.
TEST(KernelTest, SequencesWithoutLoopsAreOneKernel) {
  const Subject subject(testing::ScopBuilder("numbers", {}, "")
                            .Array("a", {})
                            .Array("b", {})
                            .Array("c", {})
                            .Assign({"a", ""}, {}, testing::Literal("2.0"))
                            .Assign({"b", ""}, {{"a", ""}}, Multiply(Read(0), Read(0)))
                            .Assign({"c", ""}, {{"a", ""}, {"b", ""}}, Multiply(Read(0), Read(1)))
                            .Build(),
                        {});
  ASSERT_EQ(subject.scheduled->kernels.size(), 1u);
  EXPECT_THAT(subject.scheduled->kernels[0].bands, IsEmpty());
  EXPECT_THAT(subject.scheduled->kernels[0].statements, ElementsAre("S0", "S1", "S2"));
}

std::vector<int> GroupsOf(const Subject& subject) {
  std::vector<int> groups;
  for (const Kernel& kernel : subject.scheduled->kernels) groups.push_back(kernel.launch_group);
  return groups;
}

TEST(KernelTest, IndependentNeighboursAreLaunchedTogether) {
  EXPECT_THAT(GroupsOf(Subject(testing::IndependentScop(), {{"n", 50}})), ElementsAre(0, 0));
  // Each needs the one before.
  EXPECT_THAT(GroupsOf(Subject(testing::ZeroDimScop(), {{"n", 50}})), ElementsAre(0, 1, 2));
  EXPECT_THAT(GroupsOf(Subject(testing::Jacobi1dScop(), {{"steps", 10}, {"n", 50}})), ElementsAre(0, 1));
}

// In a loop, x and y in each iteration; z, which needs neither, stands behind it.
TEST(KernelTest, LoopsOfTheHostPartGroups) {
  using testing::Add;
  using testing::Literal;
  const v1::Scop scop = testing::ScopBuilder("steps", {"n"}, "n >= 2")
                            .Array("x", {"n"})
                            .Array("y", {"n"})
                            .Array("z", {"n"})
                            .Begin("t", "0 <= t < n")
                            .Begin("i", "1 <= i < n")
                            .Assign({"x", "i"}, {{"x", "n - i"}}, Add(Read(0), Literal("1.0")))
                            .End()
                            .Begin("i", "1 <= i < n")
                            .Assign({"y", "i"}, {{"y", "n - i"}}, Add(Read(0), Literal("1.0")))
                            .End()
                            .End()
                            .Begin("i", "0 <= i < n")
                            .Assign({"z", "i"}, {{"z", "i"}}, Multiply(Read(0), Read(0)))
                            .End()
                            .Build();
  const Subject subject(scop, {{"n", 50}}, {.serialize_sccs = true});
  const std::vector<int> groups = GroupsOf(subject);
  ASSERT_GE(groups.size(), 2u);
  for (size_t i = 0; i + 1 < groups.size(); ++i) {
    const Kernel& kernel = subject.scheduled->kernels[i];
    const Kernel& next = subject.scheduled->kernels[i + 1];
    EXPECT_EQ(groups[i] == groups[i + 1], kernel.host_depth == next.host_depth) << kernel.name;
  }
}

TEST(KernelTest, SerialLoopsAreOneKernel) {
  const Subject subject(testing::ScalarTempScop(), {{"n", 10}, {"m", 20}});
  ASSERT_THAT(subject.Names(), ElementsAre("k[S0-S2]"));
  const Kernel& kernel = subject.scheduled->kernels[0];
  ASSERT_EQ(kernel.bands.size(), 2u);
  EXPECT_FALSE(kernel.bands[0].innermost);
  EXPECT_TRUE(kernel.bands[1].innermost);
  EXPECT_EQ(kernel.bands[1].depth, 1);
  EXPECT_THAT(kernel.bands[1].trip_counts, ElementsAre(20));
}

// In iteration k of LU row k and column k stay as they are, and nothing else that is read does.
TEST(KernelTest, ConstantReadsAreOfElementsThatALaunchDoesNotWrite) {
  const Subject subject(testing::TriangularScop(), {{"n", 20}});
  ASSERT_THAT(subject.Names(), ElementsAre("k[S1]@1", "k[S0]@1", "k[S2]@1"));
  using Reads = std::vector<ReferenceName>;
  EXPECT_EQ(subject.scheduled->kernels[0].constant_reads, (Reads{{"S1", 1}}));
  EXPECT_EQ(subject.scheduled->kernels[1].constant_reads, (Reads{{"S0", 0}, {"S0", 1}}));
  EXPECT_EQ(subject.scheduled->kernels[2].constant_reads, (Reads{{"S2", 0}, {"S2", 1}}));
  for (const Kernel& kernel : subject.scheduled->kernels) EXPECT_THAT(kernel.read_only_arrays, IsEmpty());
}

// y[i] += A[i][j] y[j] in loops that may be exchanged: along j the same element is written.
TEST(KernelTest, MembersOfSums) {
  const v1::Scop scop = testing::ScopBuilder("rows", {"n"}, "n >= 4")
                            .Array("A", {"n", "n", "n"})
                            .Array("y", {"n", "n"})
                            .Begin("r", "0 <= r < n")
                            .Begin("i", "0 <= i < n")
                            .Begin("j", "0 <= j < i")
                            .Update(v1::ADD, {"y", "r, i"}, {{"A", "r, i, j"}, {"y", "r, j"}},
                                    testing::Multiply(testing::Read(0), testing::Read(1)))
                            .Build();
  const Subject subject(scop, {{"n", 9}});
  ASSERT_EQ(subject.scheduled->kernels.size(), 1u);
  const KernelBand& band = subject.scheduled->kernels[0].bands[0];
  ASSERT_EQ(band.member_count(), 3);
  ASSERT_EQ(band.sums.size(), 3u);
  int sums = 0;
  for (int member = 0; member < 3; ++member) {
    EXPECT_FALSE(band.sums[member] && band.coincident[member]);
    sums += band.sums[member] ? 1 : 0;
  }
  EXPECT_EQ(sums, 1);
}

TEST(KernelTest, MarksStandAboveTheKernelsInOrder) {
  for (const testing::SampleScop& sample : testing::SampleScops()) {
    SCOPED_TRACE(sample.name);
    const Subject subject(sample.make(), sample.small);
    EXPECT_EQ(MarksOf(subject.scheduled->tree), subject.Names());
    const std::vector<std::string> names = subject.Names();
    EXPECT_EQ(std::set<std::string>(names.begin(), names.end()).size(), names.size());
    std::set<std::string> statements;
    for (const Kernel& kernel : subject.scheduled->kernels) {
      statements.insert(kernel.statements.begin(), kernel.statements.end());
    }
    size_t assigned = 0;
    for (const ParsedStatement& statement : subject.scop->statements)
      assigned += statement.kind == v1::Statement::ASSIGN;
    EXPECT_EQ(statements.size(), assigned);
  }
}

// Two loops over the same statement, written down by hand.
TEST(KernelTest, NamesAreUnique) {
  IslContext context;
  const auto scop = ParseScop(context, testing::IndependentScop()).value();
  const isl::schedule schedule(context.ctx(),
                               "{ domain: \"[n] -> { S0[i, j] : 0 <= j <= i < n; S1[i] : 0 <= i < n }\", "
                               "child: { sequence: [ { filter: \"[n] -> {"
                               " S1[i] : i < 5 }\", child: { schedule: \"[{ S1[i] -> [(i)] }]\" } }, { "
                               "filter: \"[n] -> { S1[i] : i >= 5 }\", child: {"
                               " schedule: \"[{ S1[i] -> [(i)] }]\" } }, { filter: \"{ S0[i, j] }\" } ] } }");
  const Dependences dependences = ComputeDependences(context, *scop).value();
  const auto scheduled = SelectKernels(context, schedule, *scop, dependences, {{"n", 10}});
  ASSERT_TRUE(scheduled.ok()) << scheduled.status();
  ASSERT_EQ((*scheduled)->kernels.size(), 3u);
  EXPECT_EQ((*scheduled)->kernels[0].name, "k[S1]");
  EXPECT_EQ((*scheduled)->kernels[1].name, "k[S1]#2");
  EXPECT_EQ((*scheduled)->kernels[2].name, "k[S0]");
  EXPECT_THAT((*scheduled)->kernels[0].bands[0].trip_counts, ElementsAre(5));
}

TEST(KernelTest, FingerprintsTellSchedulesApart) {
  const Subject one(testing::GemmScop(), {{"ni", 20}, {"nj", 30}, {"nk", 40}});
  const Subject same(testing::GemmScop(), {{"ni", 20}, {"nj", 30}, {"nk", 40}});
  ScheduleOptions serialized;
  serialized.serialize_sccs = true;
  const Subject other(testing::GemmScop(), {{"ni", 20}, {"nj", 30}, {"nk", 40}}, serialized);
  EXPECT_EQ(one.scheduled->fingerprint, same.scheduled->fingerprint);
  EXPECT_NE(one.scheduled->fingerprint, other.scheduled->fingerprint);
  EXPECT_GT(other.scheduled->kernels.size(), 1u);
}

// Counts by enumeration: distinct values of the member for each value of everything before it.
std::vector<int64_t> CountedTrips(const isl::schedule_node_band& band, const isl::set& values) {
  const isl::union_set domain = NodeDomain(band);
  const auto prefix = testing::Times(band.prefix_schedule_union_map().intersect_domain(domain), values);
  const auto own =
      testing::Times(isl::union_map::from(band.partial_schedule()).intersect_domain(domain), values);
  std::vector<int64_t> counts;
  for (unsigned m = 0; m < band.n_member(); ++m) {
    std::map<std::vector<int64_t>, std::set<int64_t>> seen;
    for (const auto& [instance, time] : own) {
      std::vector<int64_t> outer = prefix.at(instance);
      outer.insert(outer.end(), time.begin(), time.begin() + m);
      seen[outer].insert(time[m]);
    }
    int64_t largest = 0;
    for (const auto& [outer, inner] : seen) largest = std::max<int64_t>(largest, inner.size());
    counts.push_back(largest);
  }
  return counts;
}

TEST(TripCountTest, AgreesWithEnumeration) {
  for (const testing::SampleScop& sample : testing::SampleScops()) {
    SCOPED_TRACE(sample.name);
    const Subject subject(sample.make(), sample.small);
    IslContext* context = const_cast<IslContext*>(&subject.context);
    const isl::set values = ParameterValues(*context, sample.small);
    subject.schedule.root().foreach_descendant_top_down([&](const isl::schedule_node& node) {
      if (!node.isa<isl::schedule_node_band>()) return true;
      const auto band = node.as<isl::schedule_node_band>();
      EXPECT_EQ(TripCounts(band, values), CountedTrips(band, values)) << IslText(band.partial_schedule());
      return true;
    });
  }
}

TEST(TripCountTest, UnknownAndEmpty) {
  IslContext context;
  const isl::schedule schedule(
      context.ctx(),
      "{ domain: \"[n] -> { S0[i] : 0 <= i < n }\", child: { schedule: \"[n] -> [{ S0[i] -> [(i)] }]\" } }");
  const auto band = schedule.root().child(0).as<isl::schedule_node_band>();
  EXPECT_THAT(TripCounts(band, isl::set(context.ctx(), "[n] -> { : n >= 5 }")), ElementsAre(-1));
  EXPECT_THAT(TripCounts(band, isl::set(context.ctx(), "[n] -> { : n = 0 }")), ElementsAre(0));
  EXPECT_THAT(TripCounts(band, isl::set(context.ctx(), "[n] -> { : n <= 12 }")), ElementsAre(12));
}

}  // namespace
}  // namespace tune
