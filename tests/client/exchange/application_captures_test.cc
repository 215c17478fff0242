#include "client/exchange/application_captures.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/base/file.h"
#include "libtune/wisdom/capture_file.h"

namespace tune {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::SizeIs;

TEST(ApplicationCaptures, HaveTheLinesThatLibtuneWrote) {
  const TemporaryFolder folder = TemporaryFolder::Make().value();
  const std::string path = folder.path() + "/capture";
  libtune::CaptureFile file(path);
  ASSERT_TRUE(file.Add({"gemm:01", "a GPU", {5, -7}}, "double A[n]").ok());
  ASSERT_TRUE(file.Add({"gemm:01", "a GPU", {}}, "").ok());
  const auto captures = ReadCaptures(path);
  ASSERT_TRUE(captures.ok()) << captures.status();
  ASSERT_THAT(captures->captured, SizeIs(2));
  EXPECT_EQ(captures->captured[0].line, 1);
  EXPECT_EQ(captures->captured[0].region, "gemm:01");
  EXPECT_THAT(captures->captured[0].inputs, ElementsAre(5, -7));
  EXPECT_THAT(captures->captured[1].inputs, ElementsAre());
  EXPECT_THAT(captures->refused, SizeIs(0));
}

TEST(ApplicationCaptures, OtherLinesAreRefusedOneByOne) {
  const TemporaryFolder folder = TemporaryFolder::Make().value();
  const std::string path = folder.path() + "/capture";
  EXPECT_TRUE(absl::IsNotFound(ReadCaptures(path).status()));
  const std::string line = libtune::CaptureLine({{"gemm:01", "a GPU", {5}}, "double A[n]"});
  ASSERT_TRUE(WriteFile(path, absl::StrCat("capture\t2\tx\n\n", line, "\n", line.substr(0, 20), line, "\n",
                                           line, "\ncapture\t1\tgem"))
                  .ok());
  const auto captures = ReadCaptures(path);
  ASSERT_TRUE(captures.ok()) << captures.status();
  ASSERT_THAT(captures->captured, SizeIs(2));
  EXPECT_EQ(captures->captured[0].line, 3);
  EXPECT_EQ(captures->captured[1].line, 5);
  ASSERT_THAT(captures->refused, SizeIs(3));
  EXPECT_EQ(captures->refused[0].line, 1);
  EXPECT_THAT(captures->refused[0].why, HasSubstr("newer libtune"));
  EXPECT_EQ(captures->refused[1].line, 4);
  EXPECT_EQ(captures->refused[2].line, 6);
  EXPECT_THAT(captures->refused[2].why, HasSubstr("or a part of one; delete it"));
}

}  // namespace
}  // namespace tune
