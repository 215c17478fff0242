// What holds a GPU and attacks the machine.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/base/subprocess.h"
#include "tests/worker/sandbox/escape_attempts.h"
#include "worker/run/cuda_runner.h"
#include "worker/sandbox/sandbox.h"

namespace tune {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

TEST(DeviceEscapeTest, ReachesNothingOfTheHostButItsState) {
  SKIP_WITHOUT_SANDBOX();
  const Host host;
  const TemporaryFolder folder = TemporaryFolder::Make().value();
  const std::string program = folder.path() + "/tune-cuda-runner";
  // Drivers read the state of the machine below /proc and /sys.
  ASSERT_TRUE(WriteFile(program + ".c", host.Attempts() + "int main(void) {\n  attempts_read_state = 1;\n"
                                                          "  attempt_all();\n  leave_daemon();\n"
                                                          "  fputs(\"tried\\n\", stderr);\n  return 0;\n}\n")
                  .ok());
  const auto built = RunSubprocess({"cc", "-w", program + ".c", "-o", program});
  ASSERT_TRUE(built.ok() && built->ok()) << built->standard_error;
  CudaRunRequest request;
  request.wall_seconds = 20;
  request.job.add_candidates()->set_cubin(folder.path() + "/cubin");
  const auto outcome = ProcessCudaRunner(program, 0).Run(request);
  ASSERT_TRUE(outcome.ok()) << outcome.status();
  EXPECT_THAT(outcome->log, HasSubstr("tried"));
  EXPECT_THAT(Reached(outcome->log), IsEmpty());
  EXPECT_TRUE(host.Untouched());
  EXPECT_EQ(host.DaemonsLeft(), 0);
}

}  // namespace
}  // namespace tune
