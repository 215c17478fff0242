// tunectl token: who may call a server. No server is involved.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstdlib>
#include <sstream>

#include "client/cli/tunectl.h"
#include "client/report/json.h"
#include "common/base/file.h"
#include "common/rpc/token_file.h"

namespace tune {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class TokenVerbTest : public ::testing::Test {
 protected:
  int Token(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "token");
    arguments.insert(arguments.end(), {"--file", file_});
    out_.str("");
    err_.str("");
    return RunTunectl(arguments, {&out_, &err_});
  }

  const TemporaryFolder folder_ = TemporaryFolder::Make().value();
  const std::string file_ = folder_.path() + "/tokens";
  std::ostringstream out_, err_;
};

TEST_F(TokenVerbTest, ASecretIsShownOnceAndListedByItsId) {
  ASSERT_EQ(Token({"add", "client", "alice"}), 0) << err_.str();
  std::string secret = out_.str();
  ASSERT_EQ(secret.size(), 65u);  // and a line end
  secret.pop_back();
  EXPECT_EQ(TokenTable::Read(file_).value().FindSecret(secret)->identity.name, "alice");
  ASSERT_EQ(Token({"list", "--json"}), 0) << err_.str();
  const Json list = Json::parse(out_.str());
  ASSERT_EQ(list.size(), 2u);
  EXPECT_EQ(list[0]["role"], "admin");  // the file's user
  EXPECT_EQ(list[1]["role"], "client");
  EXPECT_EQ(list[1]["name"], "alice");
  EXPECT_THAT(out_.str(), Not(HasSubstr(secret)));
  ASSERT_EQ(Token({"revoke", list[1]["id"]}), 0) << err_.str();
  EXPECT_EQ(TokenTable::Read(file_).value().FindSecret(secret), nullptr);
  EXPECT_EQ(Token({"revoke", "alice"}), 1);
  EXPECT_THAT(err_.str(), HasSubstr("tunectl token list"));
}

TEST_F(TokenVerbTest, AFileForItsUserIsReadByNobodyElse) {
  const std::string path = folder_.path() + "/alice.token";
  ASSERT_EQ(Token({"add", "client", "alice", "--output", path}), 0) << err_.str();
  EXPECT_EQ(out_.str(), "");
  struct stat info;
  ASSERT_EQ(stat(path.c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777, 0600u);
  EXPECT_EQ(TokenTable::Read(file_).value().FindSecret(ReadToken(path).value())->identity.name, "alice");
  // The secret is never written over what is there, and no token is made then.
  EXPECT_EQ(Token({"add", "client", "bob", "--output", path}), 1);
  EXPECT_EQ(TokenTable::Read(file_).value().entries().size(), 2u);
}

TEST_F(TokenVerbTest, WhatCannotBeIsSaid) {
  EXPECT_EQ(Token({"add", "owner", "alice"}), 2);
  EXPECT_THAT(err_.str(), HasSubstr("client, worker and admin"));
  EXPECT_EQ(Token({"add", "client", "a b"}), 2);
  EXPECT_EQ(Token({"add", "client"}), 2);
  EXPECT_EQ(Token({}), 2);
  EXPECT_EQ(Token({"list"}), 1);
  EXPECT_THAT(err_.str(), HasSubstr(file_));
}

}  // namespace
}  // namespace tune
