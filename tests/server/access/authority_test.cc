#include "server/access/authority.h"

#include <gmock/gmock.h>
#include <sys/stat.h>

#include "common/base/file.h"
#include "tests/server/access/authorities.h"

namespace tune {
namespace {

using ::testing::HasSubstr;

constexpr char kSecret[] = "0123456789abcdef0123456789abcdef";

TEST(AuthorityTest, KnowsWhoShowsWhat) {
  const auto authority =
      AuthorityOf(TokenLine("client", "alice", kSecret) + TokenLine("worker", "node7", "another-secret-16"));
  EXPECT_TRUE(authority->wants_token());
  const Identity alice = authority->OfHeader(absl::StrCat("Bearer ", kSecret)).value();
  EXPECT_EQ(alice.name, "alice");
  EXPECT_EQ(alice.role, Role::kClient);
  EXPECT_EQ(authority->OfSecret("another-secret-16")->role, Role::kWorker);
  EXPECT_EQ(authority->OfLogin(LoginOf(kSecret))->name, "alice");
  for (const std::string& header :
       {std::string(), std::string(kSecret), std::string("Bearer "), absl::StrCat("Bearer ", kSecret, "0"),
        absl::StrCat("Bearer ", LoginOf(kSecret)), absl::StrCat("Bearer ", HashOfLogin(LoginOf(kSecret)))}) {
    EXPECT_TRUE(absl::IsUnauthenticated(authority->OfHeader(header).status())) << header;
  }
  EXPECT_FALSE(authority->OfLogin(kSecret).ok());
}

TEST(AuthorityTest, OnASocketEverybodyIsItsUser) {
  const auto authority = Authority::Trusting({Role::kAdmin, "me"});
  EXPECT_FALSE(authority->wants_token());
  EXPECT_EQ(authority->OfHeader("")->name, "me");
}

TEST(AuthorityTest, TokensComeAndGoWithoutARestart) {
  const TemporaryFolder folder = TemporaryFolder::Make().value();
  const std::string path = folder.path() + "/tokens";
  const std::string first = AddToken(path, {Role::kClient, "alice"}).value();
  const auto authority = Authority::OfFile(path).value();
  EXPECT_EQ(authority->OfSecret(first)->name, "alice");
  const std::string second = AddToken(path, {Role::kClient, "alice"}).value();
  EXPECT_EQ(authority->OfSecret(second)->name, "alice");
  const std::string id = HashOfLogin(LoginOf(first)).substr(0, 12);
  EXPECT_EQ(RevokeTokens(path, id).value(), 1);
  EXPECT_TRUE(absl::IsUnauthenticated(authority->OfSecret(first).status()));
  EXPECT_TRUE(authority->OfSecret(second).ok());
  // What cannot be used changes nothing.
  ASSERT_EQ(chmod(path.c_str(), 0644), 0);
  ASSERT_TRUE(AddToken(path, {Role::kClient, "bob"}).status().code() ==
              absl::StatusCode::kFailedPrecondition);
  ASSERT_TRUE(WriteFile(path, "nonsense and more\n").ok());
  EXPECT_TRUE(authority->OfSecret(second).ok());
  ASSERT_TRUE(WriteFile(path, "").ok());
  ASSERT_EQ(chmod(path.c_str(), 0600), 0);
}

TEST(AuthorityTest, AFileThatOthersReadIsRefused) {
  const TemporaryFolder folder = TemporaryFolder::Make().value();
  const std::string path = folder.path() + "/tokens";
  ASSERT_TRUE(WriteFile(path, std::string(kSecret) + "\n").ok());
  ASSERT_EQ(chmod(path.c_str(), 0644), 0);
  const absl::Status status = Authority::OfFile(path).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(std::string(status.message()), HasSubstr("chmod 600 " + path));
  ASSERT_EQ(chmod(path.c_str(), 0600), 0);
  EXPECT_EQ(Authority::OfFile(path).value()->OfSecret(kSecret)->role, Role::kAdmin);
}

}  // namespace
}  // namespace tune
