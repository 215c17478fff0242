// Daemons and tunectl on a machine whose kernel permits no sandbox.
#include <gmock/gmock.h>

#include "tests/end_to_end/installation.h"

namespace tune {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

SubprocessResult RunWithoutNamespaces(std::vector<std::string> argv, const std::string& folder) {
  argv.insert(argv.begin(),
              {"env", "TUNE_SANDBOX_NAMESPACES=off", "XDG_DATA_HOME=" + folder, "XDG_CACHE_HOME=" + folder});
  SubprocessOptions options;
  options.folder = folder;
  options.wall_limit = absl::Minutes(5);
  return RunSubprocess(argv, options).value();
}

TEST(WithoutSandbox, AWorkerRefusesUnlessToldOtherwise) {
  Installation installation;
  installation.StartServer();
  const SubprocessResult worker = RunWithoutNamespaces(
      {Program("tune-worker"), "--server", installation.address(), "--cache", installation.path("cache")},
      installation.path(""));
  EXPECT_EQ(worker.exit_code, 1);
  EXPECT_THAT(worker.standard_error, AllOf(HasSubstr("this machine permits no sandbox"),
                                           HasSubstr("user namespaces"), HasSubstr("--unsafe-no-sandbox")));
}

TEST(WithoutSandbox, TuneWorksAndSaysSoInOneLine) {
  const TemporaryFolder folder = TemporaryFolder::Make().value();
  const SubprocessResult tune = RunWithoutNamespaces(
      {Program("tunectl"), "tune", TUNE_SOURCE_DIR "/tests/end_to_end/small.c", "--target", "cpu",
       "--evaluations", "2", "--force", "-o", folder.path() + "/tuned.c"},
      folder.path());
  EXPECT_TRUE(tune.ok()) << tune.standard_error << tune.standard_output;
  EXPECT_THAT(tune.standard_output, HasSubstr("\nthis machine permits no sandbox: "));
  EXPECT_TRUE(ReadFile(folder.path() + "/tuned.c").ok());
}

TEST(WithoutSandbox, DoctorSaysWhatIsMissing) {
  const TemporaryFolder folder = TemporaryFolder::Make().value();
  const SubprocessResult doctor = RunWithoutNamespaces({Program("tunectl"), "doctor"}, folder.path());
  EXPECT_THAT(doctor.standard_output, AllOf(HasSubstr("warn  sandbox"), HasSubstr("permit user namespaces")));
}

}  // namespace
}  // namespace tune
