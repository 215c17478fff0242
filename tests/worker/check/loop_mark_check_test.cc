#include "worker/check/loop_mark_check.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/isl/schedule_node.h"
#include "common/mapping/mark_node.h"
#include "tests/worker/check/sample_mapping.h"

namespace tune {
namespace {

using ::testing::HasSubstr;
using testing::MakeGemm;
using testing::Mapping;

// Marks with that name get another one, or go.
void Rename(Mapping& mapping, const std::string& name, const std::string& other) {
  mapping.kernel().thread = testing::Changed(mapping.kernel().thread, [&](const isl::schedule_node& node) {
    if (!node.isa<isl::schedule_node_mark>() || MarkName(node) != name) return node;
    const isl::schedule_node inside = WithoutNode(node);
    return other.empty() ? inside : InsertMark(inside, other);
  });
}

TEST(LoopMarkCheck, FindsLoopsWithMorePointsThanTheirMarkSays) {
  const auto mapping = MakeGemm();
  Rename(*mapping, "loop: points 4", "loop: points 3");
  EXPECT_THAT(mapping->Failure(), HasSubstr("has more than the 3 points of its mark"));
}

// A mark holds for all loops down to the next one.
TEST(LoopMarkCheck, FindsLoopsThatNoMarkEnds) {
  const auto mapping = MakeGemm();
  mapping->kernel().thread = testing::Changed(mapping->kernel().thread, [](const isl::schedule_node& node) {
    const bool unrolled = node.isa<isl::schedule_node_mark>() && MarkName(node) == "loop: unroll 16";
    return unrolled ? InsertMark(node, "loop: points 4") : node;
  });
  EXPECT_EQ(mapping->Check(), absl::OkStatus());
  Rename(*mapping, "loop: unroll 16", "");
  EXPECT_THAT(mapping->Failure(), HasSubstr("has more than the 4 points of its mark"));
}

TEST(LoopMarkCheck, LooksAtLoopsOfTheHost) {
  const auto mapping = Mapping::MakeDefault(testing::Jacobi1dScop(), {{"steps", 20}, {"n", 300}});
  const isl::schedule host = mapping->program.host;
  mapping->program.host = InsertMark(host.root().child(0), "loop: points 20").schedule();
  EXPECT_EQ(mapping->Check(), absl::OkStatus());
  mapping->program.host = InsertMark(host.root().child(0), "loop: points 19").schedule();
  EXPECT_THAT(mapping->Failure(), HasSubstr("the host tree: loop 0 has more than the 19 points of its mark"));
}

TEST(LoopMarkCheck, AcceptsLoopsWithFewerPoints) {
  const auto mapping = MakeGemm();
  Rename(*mapping, "loop: points 4", "loop: points 5");
  EXPECT_EQ(mapping->Check(), absl::OkStatus());
}

}  // namespace
}  // namespace tune
