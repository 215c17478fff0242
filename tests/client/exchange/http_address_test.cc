// URLs of pages.
#include "client/exchange/http_address.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "absl/strings/match.h"

namespace tune {
namespace {

TEST(HttpAddressTest, ReadsAndWritesOneTextForOneAddress) {
  const std::vector<std::pair<std::string, std::string>> texts = {
      {"http://lab:7411", "http://lab:7411"},
      {"HTTP://Lab:7411/", "http://lab:7411"},
      {"http://lab", "http://lab"},
      {"http://lab:80", "http://lab"},
      {"https://lab.example", "https://lab.example"},
      {"https://lab:443/", "https://lab"},
      {"https://lab:80", "https://lab:80"},
      {"http://[::1]:7411", "http://[::1]:7411"},
      {"http://[FE80::A]", "http://[fe80::a]"},
      {"http://127.0.0.1:1", "http://127.0.0.1:1"}};
  for (const auto& [text, expected] : texts) {
    const absl::StatusOr<HttpAddress> address = ParseHttpAddress(text);
    ASSERT_TRUE(address.ok()) << text << ": " << address.status();
    EXPECT_EQ(address->ToString(), expected);
    EXPECT_EQ(address->tls, absl::StartsWith(expected, "https"));
  }
  EXPECT_EQ(ParseHttpAddress("http://lab")->port, 80);
  EXPECT_EQ(ParseHttpAddress("https://lab")->port, 443);
  EXPECT_EQ(ParseHttpAddress("http://[::1]:7411")->host, "::1");
}

TEST(HttpAddressTest, WhatIsNoServerIsRefused) {
  for (const char* text : {"",
                           "lab:7411",
                           "ftp://lab",
                           "http://",
                           "http:///",
                           "http://:7411",
                           "http://lab:",
                           "http://lab:0",
                           "http://lab:65536",
                           "http://lab:x",
                           "http://lab:80:80",
                           "http://lab/studies",
                           "http://lab?x",
                           "http://lab#x",
                           "http://user:word@lab",
                           "http://la b",
                           "http://lab\r\nX: y",
                           "http://::1",
                           "http://[::1",
                           "http://[lab]",
                           "http://[::1]7411",
                           "http://lab\\x"}) {
    EXPECT_TRUE(absl::IsInvalidArgument(ParseHttpAddress(text).status())) << text;
  }
}

TEST(HttpAddressTest, TellsUrlsFromOtherAddresses) {
  EXPECT_TRUE(IsUrl("http://lab"));
  EXPECT_TRUE(IsUrl("ftp://lab"));
  EXPECT_FALSE(IsUrl("lab:7410"));
  EXPECT_FALSE(IsUrl("unix:///run/tuned.sock"));
}

}  // namespace
}  // namespace tune
