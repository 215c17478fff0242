#include "libtune/wisdom/wisdom_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "libtune/wisdom/shared_file.h"
#include "tests/libtune/wisdom/temporary_folder.h"

namespace libtune {
namespace {

using testing::HasSubstr;

Wisdom One(long size, double seconds) {
  Wisdom wisdom;
  wisdom.Add({"gemm", "gpu", {size}}, {seconds, {{"t", std::to_string(seconds)}}});
  return wisdom;
}

TEST(WisdomFile, AddsToWhatIsThere) {
  const TemporaryFolder folder;
  const std::string file = folder.File("wisdom");
  Wisdom read;
  EXPECT_EQ(LoadWisdom(file, &read).code(), TUNE_NOT_FOUND);
  ASSERT_TRUE(SaveWisdom(file, One(1, 2), {}, 0).ok());
  ASSERT_TRUE(SaveWisdom(file, One(2, 2), {}, 0).ok());
  ASSERT_TRUE(SaveWisdom(file, One(1, 3), {}, 0).ok());  // slower than what is there
  ASSERT_TRUE(LoadWisdom(file, &read).ok());
  EXPECT_EQ(read.entries().size(), 2u);
  EXPECT_EQ(read.Find({"gemm", "gpu", {1}})->seconds, 2);
  ASSERT_TRUE(SaveWisdom(file, One(1, 3), One(1, 3), 0).ok());  // what was there no longer holds
  ASSERT_TRUE(LoadWisdom(file, &read).ok());
  EXPECT_EQ(read.Find({"gemm", "gpu", {1}})->seconds, 3);
}

TEST(WisdomFile, WhatIsRefusedIsLeftAlone) {
  const TemporaryFolder folder;
  const std::string file = folder.File("wisdom");
  for (const std::string content : {"my diary\n", "tune-wisdom\t7\n", "tune-wisdom\t1\nentry\t"}) {
    TemporaryFolder::Write(file, content);
    Wisdom read;
    const Status status = LoadWisdom(file, &read);
    EXPECT_EQ(status.code(), TUNE_REFUSED_FILE);
    EXPECT_THAT(status.text(), HasSubstr(file));
    EXPECT_EQ(SaveWisdom(file, One(1, 2), {}, 0).code(), TUNE_REFUSED_FILE);
    EXPECT_EQ(TemporaryFolder::Read(file), content);
  }
}

TEST(WisdomFile, WhatIsNoPlainFileIsRefusedWithoutWaiting) {
  const TemporaryFolder folder;
  Wisdom read;
  EXPECT_EQ(LoadWisdom(folder.File("."), &read).code(), TUNE_REFUSED_FILE);
  ASSERT_EQ(mkfifo(folder.File("pipe").c_str(), 0600), 0);
  EXPECT_EQ(LoadWisdom(folder.File("pipe"), &read).code(), TUNE_REFUSED_FILE);
  EXPECT_EQ(SaveWisdom(folder.File("no/such/folder"), One(1, 2), {}, 0).code(), TUNE_NOT_FOUND);
}

TEST(WisdomFile, ALockedFileIsNotWritten) {
  const TemporaryFolder folder;
  const std::string file = folder.File("wisdom");
  FileLock lock;
  ASSERT_TRUE(lock.Take(file, 0).ok());
  EXPECT_THAT(SaveWisdom(file, One(1, 2), {}, 0).text(), HasSubstr("locked"));
  EXPECT_EQ(access(file.c_str(), F_OK), -1);
}

TEST(WisdomFile, NothingOfManyProcessesIsLost) {
  const TemporaryFolder folder;
  const std::string file = folder.File("wisdom");
  constexpr int kProcesses = 8;
  constexpr int kEntries = 10;
  for (int process = 0; process < kProcesses; ++process) {
    if (fork() != 0) continue;
    bool ok = true;
    for (int i = 0; i < kEntries; ++i) ok &= SaveWisdom(file, One(process * 100 + i, 1), {}, 30).ok();
    _exit(ok ? 0 : 1);
  }
  for (int process = 0; process < kProcesses; ++process) {
    int state = 1;
    wait(&state);
    EXPECT_EQ(state, 0);
  }
  Wisdom read;
  ASSERT_TRUE(LoadWisdom(file, &read).ok());
  EXPECT_EQ(read.entries().size(), static_cast<size_t>(kProcesses * kEntries));
}

}  // namespace
}  // namespace libtune
