#include "server/service/turns.h"

#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

namespace tune {
namespace {

class TurnsTest : public ::testing::Test {
 protected:
  bool Take(const std::string& caller, const std::string& name) {
    return turns_.Take(caller, [this, name] { begun_ += name; });
  }

  Turns turns_{2, 3};
  std::string begun_;
};

TEST_F(TurnsTest, OneCallerWaitsForItsOwnCalls) {
  for (const char* name : {"a", "b", "c", "d", "e"}) EXPECT_TRUE(Take("alice", name));
  EXPECT_EQ(begun_, "ab");
  EXPECT_FALSE(Take("alice", "f"));
  EXPECT_TRUE(Take("bob", "x"));
  EXPECT_EQ(begun_, "abx");
  turns_.Give("alice");
  EXPECT_EQ(begun_, "abxc");
  EXPECT_TRUE(Take("alice", "g")) << "one place is free again";
  for (int i = 0; i < 5; ++i) turns_.Give("alice");
  EXPECT_EQ(begun_, "abxcdeg");
  EXPECT_TRUE(Take("alice", "h"));
  EXPECT_EQ(begun_, "abxcdegh");
}

TEST_F(TurnsTest, ACallMayBeginAndEndTheNextOnes) {
  int left = 1000;
  std::function<void()> next = [&] {
    if (--left > 0) {
      EXPECT_TRUE(turns_.Take("alice", next));
    }
    turns_.Give("alice");
  };
  EXPECT_TRUE(turns_.Take("alice", next));
  EXPECT_EQ(left, 0);
}

}  // namespace
}  // namespace tune
