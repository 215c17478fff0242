#include "worker/run/guarded_memory.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstring>
#include <functional>

#include "common/base/file.h"

namespace tune {
namespace {

using ::testing::HasSubstr;

// How a child that does this ends, as waitpid tells it.
int StatusOf(const std::function<void()>& deed) {
  const pid_t child = fork();
  if (child == 0) {
    for (const int fault : {SIGSEGV, SIGBUS}) std::signal(fault, SIG_DFL);
    deed();
    _exit(0);
  }
  int status = -1;
  waitpid(child, &status, 0);
  return status;
}

bool Faults(const std::function<void()>& deed) {
  const int status = StatusOf(deed);
  return WIFSIGNALED(status) && (WTERMSIG(status) == SIGSEGV || WTERMSIG(status) == SIGBUS);
}

TEST(GuardedMemoryTest, IsSharedWithChildren) {
  for (const bool huge_pages : {false, true}) {
    const GuardedMemory memory = GuardedMemory::Make(5 << 20, huge_pages).value();
    char* const data = static_cast<char*>(memory.data());
    EXPECT_EQ(StatusOf([&] { std::memset(data, 7, memory.size()); }), 0);
    EXPECT_EQ(data[0], 7);
    EXPECT_EQ(data[memory.size() - 1], 7);
  }
}

TEST(GuardedMemoryTest, ReadOnlyForTheProcessThatWantsItSo) {
  GuardedMemory memory = GuardedMemory::Make(100).value();
  volatile char* const data = static_cast<char*>(memory.data());
  EXPECT_TRUE(Faults([&] {
    if (memory.MakeReadOnly().ok()) data[3] = 1;
  }));
  data[3] = 2;
  EXPECT_EQ(data[3], 2);
}

TEST(GuardedMemoryTest, GuardsAndPattern) {
  const GuardedMemory memory = GuardedMemory::Make(5000).value();
  volatile char* const data = static_cast<char*>(memory.data());
  EXPECT_TRUE(Faults([&] { data[-1] = 1; }));
  EXPECT_TRUE(Faults([&] { data[8192] = 1; }));
  EXPECT_TRUE(Faults([&] { data[8192 + memory.guard_size() - 1] = 1; }));
  EXPECT_TRUE(memory.PatternIntact());
  EXPECT_EQ(StatusOf([&] { data[5000] = 1; }), 0);
  EXPECT_FALSE(memory.PatternIntact());
}

class MappedFileTest : public ::testing::Test {
 protected:
  void SetUp() override { ASSERT_TRUE(WriteFile(path(), "content").ok()); }
  std::string path() const { return folder_.path() + "/file"; }

  const TemporaryFolder folder_ = TemporaryFolder::Make().value();
};

TEST_F(MappedFileTest, AnInheritedDescriptorIsTakenOver) {
  const int descriptor = open(path().c_str(), O_RDONLY | O_CLOEXEC);
  const auto file = MappedFile::Open(InheritedPath(descriptor), 7);
  ASSERT_TRUE(file.ok()) << file.status();
  EXPECT_EQ(std::memcmp(file->data(), "content", 7), 0);
  EXPECT_EQ(fcntl(descriptor, F_GETFD), -1);
  EXPECT_THAT(std::string(MappedFile::Open("descriptor:x", 7).status().message()), HasSubstr("descriptor:x"));
}

TEST_F(MappedFileTest, ChildrenDoNotHaveWhatIsKeptFromThem) {
  const MappedFile file = MappedFile::Open(path(), 7).value();
  const volatile char* const data = static_cast<const char*>(file.data());
  EXPECT_FALSE(Faults([&] { static_cast<void>(data[0]); }));
  ASSERT_TRUE(file.KeepFromChildren().ok());
  EXPECT_TRUE(Faults([&] { static_cast<void>(data[0]); }));
  EXPECT_EQ(data[0], 'c');
}

}  // namespace
}  // namespace tune
