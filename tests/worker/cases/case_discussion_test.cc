// What a discussion says of what it has to leave out: needs tune-extract.
#include "worker/cases/case_discussion.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/common/testing/device_models.h"
#include "tests/worker/cases/example_programs.h"

namespace tune {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::vector<std::string> NotesOf(const v1::Scop& scop) {
  std::vector<std::string> notes;
  CaseWishes wishes;
  wishes.device = testing::H200Options().device;
  const auto discussion = DiscussCases(scop, wishes, &notes);
  EXPECT_TRUE(discussion.ok()) << discussion.status();
  return notes;
}

TEST(CaseDiscussionTest, NothingIsToldWhereSumsNeedNoParts) {
  EXPECT_THAT(NotesOf(ExampleScop("matrix_vector")), IsEmpty());
}

// Terms are counted at sizes that the region cannot have together.
TEST(CaseDiscussionTest, WhySumsAreNotSplitIsTold) {
  v1::Scop scop = ExampleScop("transposition");
  scop.set_context("[n, m] -> { : n + m <= 1500 }");
  EXPECT_THAT(NotesOf(scop), ElementsAre(HasSubstr("transpose: sums are not split among blocks: sizes of "
                                                   "1024 each, at which terms are counted: ")));
}

}  // namespace
}  // namespace tune
