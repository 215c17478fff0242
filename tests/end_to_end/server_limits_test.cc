// The server under limits of its host.
#include <gmock/gmock.h>

#include "tests/end_to_end/installation.h"

namespace tune {
namespace {

using ::testing::HasSubstr;

// A write beyond the limit of a file's size ends a process that does not care for SIGXFSZ.
TEST(ServerLimits, AFileThatMayNotGrowIsAnErrorAndTheServerGoesOn) {
  Installation installation;
  const std::string limit = "ulimit -f 400; exec \"$@\"";  // blocks of 512 bytes, or 1024
  installation.server =
      Daemon::Start({"/bin/sh", "-c", limit, "sh", Program("tuned-server"), "--listen",
                     installation.address(), "--http", "none", "--database", installation.path("lab.db")},
                    installation.path("server.log"))
          .value();
  ASSERT_TRUE(WaitUntil([&] { return Accepts(installation.socket()); }, 60));
  const std::string filler(100'000, 'x');  // of each study's program
  const std::string file =
      installation.Write("small.c", absl::StrCat("double a[9];\nint main(void) {\n#pragma scop\n"
                                                 "for (int i = 0; i < 9; i++) a[i] = 2;\n#pragma endscop\n"
                                                 "return 0; }\n/* ",
                                                 filler, " */\n"));
  SubprocessResult refused;
  for (int i = 0; i < 20; ++i) {
    refused = installation.Tunectl({"submit", file, "--fresh", "--no-wait"});
    if (!refused.ok()) break;
  }
  EXPECT_FALSE(refused.ok());
  EXPECT_THAT(refused.standard_error, HasSubstr("lab.db: cannot be written"));
  EXPECT_TRUE(installation.server->running());
  EXPECT_TRUE(installation.Tunectl({"ls"}).ok());
}

}  // namespace
}  // namespace tune
