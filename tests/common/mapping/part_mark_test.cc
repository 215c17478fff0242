#include "common/mapping/part_mark.h"

#include <gtest/gtest.h>

#include "absl/strings/str_cat.h"
#include "common/mapping/mark_node.h"

namespace tune {
namespace {

isl::schedule Tree(IslContext& context) {
  return isl::schedule::from_domain(isl::union_set(context.ctx(), "{ S[i] : 0 <= i < 10 }"));
}

TEST(PartMark, OtherBlocksRunWhatIsBelow) {
  IslContext context;
  const absl::Status status = context.Run("test", [&]() -> absl::Status {
    const isl::set blocks(context.ctx(), "[b0] -> { : 2 <= b0 <= 36 }");
    const isl::schedule tree = Tree(context);
    const isl::schedule_node node = InsertPartMark(tree.root().child(0), blocks);
    const std::optional<isl::set> part = PartBelow(node);
    EXPECT_TRUE(part.has_value() &&
                part->is_equal(isl::set(context.ctx(), "[b0] -> { : b0 < 2 or b0 > 36 }")));
    EXPECT_FALSE(PartBelow(node.child(0)).has_value());
    EXPECT_FALSE(PartBelow(InsertMark(tree.root().child(0), "loop: points 4")).has_value());
    return absl::OkStatus();
  });
  EXPECT_TRUE(status.ok()) << status;
}

TEST(PartMark, TheSetStaysWithTheMarkWhenTheTreeChanges) {
  IslContext context;
  const absl::Status status = context.Run("test", [&]() -> absl::Status {
    const isl::set blocks(context.ctx(), "[b0, b1] -> { : b0 <= 36 and (b1 < 5 or b1 > 7) }");
    const isl::schedule marked = InsertPartMark(Tree(context).root().child(0), blocks).schedule();
    const isl::schedule changed = InsertMark(marked.root().child(0), "above").schedule();
    const isl::schedule_node node = changed.root().child(0).child(0);
    EXPECT_EQ(MarkName(node), absl::StrCat("unless: ", IslText(blocks)));
    const std::optional<isl::set> found = BlocksWithout(MarkId(node));
    EXPECT_TRUE(found.has_value() && found->is_equal(blocks));
    return absl::OkStatus();
  });
  EXPECT_TRUE(status.ok()) << status;
}

TEST(PartMark, OfATreeThatWasReadIsFoundByItsName) {
  IslContext context;
  const absl::Status status = context.Run("test", [&]() -> absl::Status {
    const isl::set blocks(context.ctx(), "[b0] -> { : 2 <= b0 <= 36 }");
    const isl::schedule read(context.ctx(), IndentedText(InsertPartMark(Tree(context).root().child(0), blocks)
                                                             .child(0)
                                                             .insert_partial_schedule(isl::multi_union_pw_aff(
                                                                 context.ctx(), "[{ S[i] -> [(i)] }]"))
                                                             .schedule()));
    const std::optional<isl::set> found = BlocksWithout(MarkId(read.root().child(0)));
    EXPECT_TRUE(found.has_value() && found->is_equal(blocks));
    return absl::OkStatus();
  });
  EXPECT_TRUE(status.ok()) << status;
}

}  // namespace
}  // namespace tune
