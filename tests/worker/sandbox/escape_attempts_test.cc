// That the attempts succeed where nothing hinders them; else that they fail in a sandbox would say nothing.
#include "tests/worker/sandbox/escape_attempts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/base/subprocess.h"

namespace tune {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;

TEST(EscapeAttemptsTest, SucceedOutsideOfASandbox) {
  Host host;
  const TemporaryFolder folder = TemporaryFolder::Make().value();
  const std::string program = folder.path() + "/program";
  // Those that would change this machine are left out.
  ASSERT_TRUE(WriteFile(program + ".c",
                        absl::StrCat(host.Attempts(),
                                     "int main(void) {\n  attempt(\"token file\", can_open(\"", host.token(),
                                     "\", O_RDONLY));\n  attempt_network();\n"
                                     "  attempt_worker();\n"
                                     "  leave_daemon();\n  return 0;\n}\n"))
                  .ok());
  const auto built = RunSubprocess({"cc", "-w", program + ".c", "-o", program});
  ASSERT_TRUE(built.ok() && built->ok()) << built->standard_error;
  const auto run = RunSubprocess({program});
  ASSERT_TRUE(run.ok()) << run.status();
  const std::vector<std::string> reached = Reached(run->standard_error);
  for (const char* what :
       {"token file", "port of this machine", "socket with a path", "abstract socket", "environ",
        "signal by kill", "signal by tgkill", "signal by fcntl", "limits by prlimit"}) {
    EXPECT_THAT(reached, Contains(HasSubstr(what)));
  }
  EXPECT_EQ(host.DaemonsLeft(), 1);
  host.EndDaemons();
  EXPECT_EQ(host.DaemonsLeft(), 0);
}

}  // namespace
}  // namespace tune
