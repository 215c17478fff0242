#include "common/base/frames.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "common/base/file_descriptor.h"
#include "common/base/pipe_signal.h"

namespace tune {
namespace {

using ::testing::HasSubstr;

constexpr size_t kLongest = 2000;

// As a message of protocol buffers: its bytes are "w:" and the word.
struct Word {
  std::string word;
  std::string SerializeAsString() const { return "w:" + word; }
  bool ParseFromString(const std::string& bytes) {
    if (bytes.rfind("w:", 0) != 0) return false;
    word = bytes.substr(2);
    return true;
  }
  std::string GetTypeName() const { return "test.Word"; }
};

// What ReadMessage makes of these bytes, the last of their stream.
absl::StatusOr<bool> ReadBytes(const std::string& bytes, Word* word) {
  Pipe pipe = *MakePipe();
  EXPECT_EQ(write(pipe.write.get(), bytes.data(), bytes.size()), static_cast<ssize_t>(bytes.size()));
  pipe.write.Close();
  return ReadMessage(pipe.read.get(), kLongest, word);
}

TEST(FramesTest, WhatIsWrittenIsRead) {
  Pipe pipe = *MakePipe();
  const Word sent{std::string(1000, 'x')};  // more than one byte of length
  Word received;
  ASSERT_TRUE(WriteMessage(pipe.write.get(), sent).ok());
  ASSERT_TRUE(WriteMessage(pipe.write.get(), Word()).ok());
  ASSERT_TRUE(WriteFrame(pipe.write.get(), "").ok());
  pipe.write.Close();
  EXPECT_TRUE(ReadMessage(pipe.read.get(), kLongest, &received).value());
  EXPECT_EQ(received.word, sent.word);
  EXPECT_TRUE(ReadMessage(pipe.read.get(), kLongest, &received).value());
  EXPECT_EQ(received.word, "");
  EXPECT_EQ(ReadFrame(pipe.read.get(), kLongest).value(), "");
  EXPECT_EQ(ReadFrame(pipe.read.get(), kLongest).value(), std::nullopt);
  EXPECT_FALSE(ReadMessage(pipe.read.get(), kLongest, &received).value());
}

TEST(FramesTest, LeastSignificantByteFirst) {
  Pipe pipe = *MakePipe();
  ASSERT_TRUE(WriteMessage(pipe.write.get(), Word{"ab"}).ok());
  char bytes[8];
  ASSERT_EQ(read(pipe.read.get(), bytes, sizeof(bytes)), 8);
  EXPECT_EQ(std::string(bytes, 8), std::string("\4\0\0\0w:ab", 8));
  EXPECT_EQ(Framed(std::string(0x10203, 'x')).substr(0, 5), std::string("\3\2\1\0x", 5));
  EXPECT_EQ(FramedLength("\xff\xfe\xfd\xfc more"), 0xfcfdfeffu);
}

TEST(FramesTest, BadFramesAreErrors) {
  Word word;
  EXPECT_FALSE(ReadBytes("", &word).value());
  EXPECT_THAT(ReadBytes("\1", &word).status().message(), HasSubstr("cut off after 1 bytes"));
  EXPECT_THAT(ReadBytes(std::string("\5\0\0\0ab", 6), &word).status().message(),
              HasSubstr("a message of 5 bytes was cut off after 2"));
  EXPECT_THAT(ReadBytes("\xff\xff\xff\xff", &word).status().message(),
              HasSubstr("a message of 4294967295 bytes is announced, 2000 are allowed"));
  EXPECT_THAT(ReadBytes(std::string("\2\0\0\0\xff\xff", 6), &word).status().message(),
              HasSubstr("a message of 2 bytes is not a test.Word"));
}

TEST(FramesTest, TheLongestIsAllowed) {
  Word word;
  EXPECT_TRUE(ReadBytes(Framed("w:" + std::string(kLongest - 2, 'x')), &word).value());
  EXPECT_EQ(word.word.size(), kLongest - 2);
  EXPECT_EQ(ReadBytes(Framed("w:" + std::string(kLongest - 1, 'x')), &word).status().code(),
            absl::StatusCode::kInvalidArgument);
}

TEST(FramesTest, TheOtherSideIsGone) {
  const PipeSignalBlocked pipe_signal_blocked;
  Pipe pipe = *MakePipe();
  pipe.read.Close();
  EXPECT_EQ(WriteFrame(pipe.write.get(), "x").code(), absl::StatusCode::kUnavailable);
}

}  // namespace
}  // namespace tune
