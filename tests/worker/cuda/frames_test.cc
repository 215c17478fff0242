#include "worker/cuda/frames.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "common/base/file_descriptor.h"
#include "tune/v1/runner.pb.h"

namespace tune {
namespace {

using ::testing::HasSubstr;

// What ReadFrame makes of these bytes, the last of their stream.
absl::StatusOr<bool> ReadBytes(const std::string& bytes, v1::CudaJob* job) {
  Pipe pipe = *MakePipe();
  EXPECT_EQ(write(pipe.write.get(), bytes.data(), bytes.size()), static_cast<ssize_t>(bytes.size()));
  pipe.write.Close();
  return ReadFrame(pipe.read.get(), job);
}

TEST(FramesTest, WhatIsWrittenIsRead) {
  Pipe pipe = *MakePipe();
  v1::CudaJob sent, received;
  sent.set_arrays_key(std::string(1000, 'x'));  // more than one byte of length
  ASSERT_TRUE(WriteFrame(pipe.write.get(), sent).ok());
  ASSERT_TRUE(WriteFrame(pipe.write.get(), v1::CudaJob()).ok());
  pipe.write.Close();
  EXPECT_TRUE(ReadFrame(pipe.read.get(), &received).value());
  EXPECT_EQ(received.arrays_key(), sent.arrays_key());
  EXPECT_TRUE(ReadFrame(pipe.read.get(), &received).value());
  EXPECT_EQ(received.arrays_key(), "");
  EXPECT_FALSE(ReadFrame(pipe.read.get(), &received).value());
}

TEST(FramesTest, LeastSignificantByteFirst) {
  Pipe pipe = *MakePipe();
  v1::CudaJob job;
  job.set_arrays_key("ab");  // tag, length and two letters
  ASSERT_TRUE(WriteFrame(pipe.write.get(), job).ok());
  char bytes[8];
  ASSERT_EQ(read(pipe.read.get(), bytes, sizeof(bytes)), 8);
  EXPECT_EQ(std::string(bytes, 8), std::string("\4\0\0\0\n\2ab", 8));
}

TEST(FramesTest, BadFramesAreErrors) {
  v1::CudaJob job;
  EXPECT_FALSE(ReadBytes("", &job).value());
  EXPECT_THAT(ReadBytes("\1", &job).status().message(), HasSubstr("cut off after 1 bytes"));
  EXPECT_THAT(ReadBytes(std::string("\5\0\0\0ab", 6), &job).status().message(),
              HasSubstr("a message of 5 bytes was cut off after 2"));
  EXPECT_THAT(ReadBytes("\xff\xff\xff\xff", &job).status().message(),
              HasSubstr("a message of 4294967295 bytes is announced"));
  EXPECT_THAT(ReadBytes(std::string("\2\0\0\0\xff\xff", 6), &job).status().message(),
              HasSubstr("is not a tune.v1.CudaJob"));
}

}  // namespace
}  // namespace tune
