// Authorities for tests.
#pragma once

#include <gtest/gtest.h>

#include "common/rpc/token_file.h"
#include "server/access/authority.h"

namespace tune {

// Takes the tokens of these lines of a token file, of which a secret alone is an admin's with the name
// "tester"; without any line everybody is that admin.
inline std::unique_ptr<Authority> AuthorityOf(const std::string& lines) {
  if (lines.empty()) return Authority::Trusting({Role::kAdmin, "tester"});
  const absl::StatusOr<TokenTable> table = TokenTable::Parse(lines, "tester");
  EXPECT_TRUE(table.ok()) << table.status();
  return Authority::OfTable(*table);
}

// A line for the secret.
inline std::string TokenLine(const std::string& role, const std::string& name, const std::string& secret) {
  return role + " " + name + " " + HashOfLogin(LoginOf(secret)) + "\n";
}

}  // namespace tune
