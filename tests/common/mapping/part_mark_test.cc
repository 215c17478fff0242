#include "common/mapping/part_mark.h"

#include <gtest/gtest.h>

#include "common/mapping/mark_node.h"

namespace tune {
namespace {

TEST(PartMark, PrintsAndParses) {
  IslContext context;
  const absl::Status status = context.Run("test", [&]() -> absl::Status {
    const isl::set blocks(context.ctx(), "[b0, b1] -> { : b0 <= 36 and (b1 < 5 or b1 > 7) }");
    const std::optional<isl::set> parsed = ParsePartMark(context.ctx(), PrintPartMark(blocks));
    EXPECT_TRUE(parsed.has_value() && parsed->is_equal(blocks)) << PrintPartMark(blocks);
    EXPECT_FALSE(ParsePartMark(context.ctx(), "loop: points 4").has_value());
    return absl::OkStatus();
  });
  EXPECT_TRUE(status.ok()) << status;
}

TEST(PartMark, OtherBlocksRunWhatIsBelow) {
  IslContext context;
  const absl::Status status = context.Run("test", [&]() -> absl::Status {
    const isl::set blocks(context.ctx(), "[b0] -> { : 2 <= b0 <= 36 }");
    const isl::schedule tree =
        isl::schedule::from_domain(isl::union_set(context.ctx(), "{ S[i] : 0 <= i < 10 }"));
    const isl::schedule_node node = InsertMark(tree.root().child(0), PrintPartMark(blocks));
    const std::optional<isl::set> part = PartBelow(node);
    EXPECT_TRUE(part.has_value() &&
                part->is_equal(isl::set(context.ctx(), "[b0] -> { : b0 < 2 or b0 > 36 }")));
    EXPECT_FALSE(PartBelow(node.child(0)).has_value());
    EXPECT_FALSE(PartBelow(InsertMark(tree.root().child(0), "loop: points 4")).has_value());
    return absl::OkStatus();
  });
  EXPECT_TRUE(status.ok()) << status;
}

}  // namespace
}  // namespace tune
