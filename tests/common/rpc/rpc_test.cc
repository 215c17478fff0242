#include <gtest/gtest.h>

#include "common/base/file.h"
#include "common/rpc/channel.h"
#include "common/rpc/status.h"
#include "common/rpc/version.h"

namespace tune {
namespace {

TEST(Status, EveryCodeSurvivesTheRoundTrip) {
  for (int code = 0; code <= 16; ++code) {
    const absl::Status status(static_cast<absl::StatusCode>(code), code == 0 ? "" : "why");
    EXPECT_EQ(FromGrpc(ToGrpc(status)), status);
  }
}

TEST(Status, LongMessagesAreCutBetweenCharacters) {
  std::string text;
  while (text.size() < 9000) text += "\xC3\xA9";
  const grpc::Status status = ToGrpc(absl::InternalError(text));
  EXPECT_LE(status.error_message().size(), 4096u);
  EXPECT_EQ(status.error_message().substr(status.error_message().size() - 4), " ...");
  EXPECT_EQ((status.error_message().size() - 4) % 2, 0u);
}

TEST(Address, Forms) {
  EXPECT_EQ(ParseAddress("unix:/tmp/a").value().path, "/tmp/a");
  EXPECT_EQ(ParseAddress("unix:///tmp/a").value().ToString(), "unix:/tmp/a");
  EXPECT_EQ(ParseAddress("127.0.0.1:7410").value().port, 7410);
  EXPECT_EQ(ParseAddress("[::1]:0").value().ToString(), "[::1]:0");
  for (const char* local : {"unix:x", "127.0.0.1:1", "127.9.9.9:1", "localhost:1", "[::1]:1"}) {
    EXPECT_TRUE(ParseAddress(local).value().IsLocal()) << local;
  }
  for (const char* wide : {"0.0.0.0:1", "[::]:1", "example.org:1", "192.168.0.1:1"}) {
    EXPECT_FALSE(ParseAddress(wide).value().IsLocal()) << wide;
  }
  for (const char* bad :
       {"", "host", "host:", "host:x", "host:70000", ":80", "unix:", "::1:80", "http://h:1"}) {
    EXPECT_EQ(ParseAddress(bad).status().code(), absl::StatusCode::kInvalidArgument) << bad;
  }
  EXPECT_FALSE(ParseAddress("unix:/" + std::string(200, 'x')).ok());
}

TEST(OpenChannel, RefusesWhatCannotBeUsed) {
  EXPECT_TRUE(OpenChannel({"127.0.0.1:7410", "", ""}).ok());
  EXPECT_FALSE(OpenChannel({"127.0.0.1:0", "", ""}).ok());
  EXPECT_FALSE(OpenChannel({"127.0.0.1:7410", "short", ""}).ok());
  EXPECT_TRUE(absl::IsNotFound(OpenChannel({"127.0.0.1:7410", "", "/nonexistent/ca"}).status()));
  EXPECT_FALSE(OpenChannel({"127.0.0.1:7410", "", TUNE_SOURCE_DIR "/CMakeLists.txt"}).ok());
}

TEST(Version, MajorAndMinorMustAgree) {
  EXPECT_TRUE(CompatibleVersion(kVersion));
  EXPECT_TRUE(CompatibleVersion("0.2.99"));
  for (const char* bad : {"", "0.2", "0.1.0", "0.3.0", "1.2.0", "0.2."})
    EXPECT_FALSE(CompatibleVersion(bad)) << bad;
}

}  // namespace
}  // namespace tune
