#include "common/rpc/token_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/base/file.h"

namespace tune {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class TokenFileTest : public ::testing::Test {
 protected:
  void Write(const std::string& text, mode_t mode = 0600) {
    ASSERT_TRUE(WriteFile(path_, text).ok());
    ASSERT_EQ(chmod(path_.c_str(), mode), 0);
  }
  mode_t Mode() const {
    struct stat info;
    EXPECT_EQ(stat(path_.c_str(), &info), 0);
    return info.st_mode & 07777;
  }

  const TemporaryFolder folder_ = TemporaryFolder::Make().value();
  const std::string path_ = folder_.path() + "/token";
};

TEST_F(TokenFileTest, ACallersSecretIsTheFirstLine) {
  Write("0123456789abcdef0123\nclient alice and more\n");
  EXPECT_EQ(ReadToken(path_).value(), "0123456789abcdef0123");
  for (const char* bad : {"", "short\n", "with a space in the middle\n"}) {
    Write(bad);
    const auto token = ReadToken(path_);
    EXPECT_EQ(token.status().code(), absl::StatusCode::kInvalidArgument) << bad;
    EXPECT_THAT(std::string(token.status().message()), HasSubstr(path_));
  }
  EXPECT_TRUE(absl::IsNotFound(ReadToken(folder_.path() + "/none").status()));
}

TEST_F(TokenFileTest, WhatOthersReadIsRefusedWithTheCommand) {
  for (const mode_t mode : {0644, 0640, 0604, 0666, 0620}) {
    Write("0123456789abcdef0123\n", mode);
    for (const absl::Status& status : {ReadToken(path_).status(), TokenTable::Read(path_).status()}) {
      EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition) << mode;
      EXPECT_THAT(std::string(status.message()), HasSubstr("chmod 600 " + path_));
    }
  }
  for (const mode_t mode : {0600, 0400, 0700}) {
    Write("0123456789abcdef0123\n", mode);
    EXPECT_TRUE(ReadToken(path_).ok()) << mode;
  }
}

TEST_F(TokenFileTest, LinesAreRolesNamesAndHashes) {
  const std::string hash = HashOfLogin(LoginOf("0123456789abcdef0123"));
  const TokenTable table =
      TokenTable::Parse("# a lab\n\nclient alice " + hash + "\nsecret-of-sixteen\n", "me").value();
  ASSERT_EQ(table.entries().size(), 2u);
  EXPECT_EQ(table.FindSecret("0123456789abcdef0123")->identity.name, "alice");
  EXPECT_EQ(table.FindSecret("secret-of-sixteen")->identity.name, "me");
  EXPECT_EQ(table.FindSecret("secret-of-sixteen")->identity.role, Role::kAdmin);
  EXPECT_EQ(table.FindSecret(hash), nullptr);
  for (const std::string& bad :
       {"owner alice " + hash, "client al/ice " + hash, "client alice " + hash.substr(1),
        std::string("client alice 12"), std::string("client alice"), "client alice " + hash + " x",
        std::string("client \x1b[2J ") + hash}) {
    const absl::Status status = TokenTable::Parse("# one\n" + bad, "me").status();
    EXPECT_TRUE(absl::IsInvalidArgument(status)) << bad;
    EXPECT_THAT(std::string(status.message()), HasSubstr("line 2"));
    EXPECT_THAT(std::string(status.message()), Not(HasSubstr("\x1b")));
  }
}

TEST_F(TokenFileTest, SecretsAreShownOnceAndStoredAsHashes) {
  const std::string secret = AddToken(path_, {Role::kWorker, "node7"}).value();
  EXPECT_EQ(secret.size(), 64u);
  EXPECT_EQ(Mode(), 0600u);
  const std::string content = ReadFile(path_).value();
  EXPECT_THAT(content, Not(HasSubstr(secret)));
  EXPECT_THAT(content, Not(HasSubstr(LoginOf(secret))));
  EXPECT_THAT(content, HasSubstr("worker node7 "));
  EXPECT_NE(AddToken(path_, {Role::kWorker, "node7"}).value(), secret);
  EXPECT_EQ(TokenTable::Read(path_).value().entries().size(), 3u);  // with its user's own
  EXPECT_EQ(RevokeTokens(path_, "node7").value(), 2);
  EXPECT_EQ(TokenTable::Read(path_).value().FindSecret(secret), nullptr);
  EXPECT_TRUE(absl::IsNotFound(RevokeTokens(path_, "node7").status()));
  EXPECT_TRUE(absl::IsInvalidArgument(AddToken(path_, {Role::kClient, "a b"}).status()));
}

TEST_F(TokenFileTest, CertificatesAreNames) {
  ASSERT_TRUE(AddCertificate(path_, {Role::kWorker, "node7"}).ok());
  const TokenTable table = TokenTable::Read(path_).value();
  EXPECT_EQ(table.FindCertificate("node7")->identity.role, Role::kWorker);
  EXPECT_EQ(table.FindCertificate("node8"), nullptr);
  EXPECT_EQ(table.FindCertificate(""), nullptr);
  EXPECT_EQ(table.FindCertificate(UserName(geteuid())), nullptr) << "a secret is no certificate";
  EXPECT_EQ(table.FindSecret("certificate"), nullptr);
  EXPECT_EQ(RevokeTokens(path_, "node7").value(), 1);
}

TEST_F(TokenFileTest, AMadeFileIsItsUsersAndStaysAsItIs) {
  ASSERT_TRUE(MakeTokenFile(path_).ok());
  EXPECT_EQ(Mode(), 0600u);
  const std::string token = ReadToken(path_).value();
  ASSERT_TRUE(MakeTokenFile(path_).ok());
  EXPECT_EQ(ReadToken(path_).value(), token);
  EXPECT_EQ(TokenTable::Read(path_).value().FindSecret(token)->identity.name, UserName(geteuid()));
}

TEST_F(TokenFileTest, ServersOfThisMachineAreShownTheUsersToken) {
  ASSERT_EQ(setenv("XDG_DATA_HOME", folder_.path().c_str(), 1), 0);
  EXPECT_EQ(TokenFor("127.0.0.1:7410", "").value(), "");
  ASSERT_TRUE(MakeFolder(folder_.path() + "/tuned-server").ok());
  const std::string own = TokenFileBeside(DefaultDatabase());
  ASSERT_TRUE(MakeTokenFile(own).ok());
  EXPECT_EQ(TokenFor("127.0.0.1:7410", "").value(), ReadToken(own).value());
  EXPECT_EQ(TokenFor("localhost:1", "").value(), ReadToken(own).value());
  // No other machine is shown it.
  for (const char* other : {"unix:/run/tune.sock", "lab:7410", "10.0.0.1:7410", "http://127.0.0.1:7411"}) {
    EXPECT_EQ(TokenFor(other, "").value(), "") << other;
  }
  Write("0123456789abcdef0123\n");
  EXPECT_EQ(TokenFor("lab:7410", path_).value(), "0123456789abcdef0123");
  unsetenv("XDG_DATA_HOME");
}

}  // namespace
}  // namespace tune
